#include <algorithm>
#include <cmath>

#include "io/losses.h"
#include "io/mjcf/layout.h"
#include "io/principal_axes.h"
#include "io/trivial.h"
#include "io/unlimited.h"
#include "io/xml/writer.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

class MjcfWriter : XmlWriter {
 public:
  explicit MjcfWriter(const Model& model) : model_(model), layout_(model, losses_) {}

  std::string write(std::vector<std::string>* not_expressed) {
    open("mujoco");
    attribute("model", model_.name());
    write_settings();
    open("worldbody");
    for (const MjcfSite& site : layout_.world_sites()) write_site(site, Transform<double>::identity());
    if (layout_.is_world(0)) {
      write_geoms(0);
      for (const int child : layout_.children(0)) write_body(child, Transform<double>::identity(), {});
    } else {
      write_body(0, Transform<double>::identity(), {});
    }
    close();
    write_equalities();
    write_actuators();
    if (!model_.loops().empty()) write_home();
    close();
    note_model_losses();
    if (not_expressed) losses_.append_to(*not_expressed);
    return printer_.CStr();
  }

 private:
  /// A joint whose own link became no body, in the frame of the body E around the next.
  struct Waiting {
    int link;
    Transform<double> X_EJ;
  };

  const LinkSpec& link(int i) const { return model_.spec().links[static_cast<std::size_t>(i)]; }
  DofSpec dof(const JointSpec& joint, int k) const {
    return joint.dofs.empty() ? DofSpec{} : joint.dofs[static_cast<std::size_t>(k)];
  }

  void write_settings() {
    open("compiler");
    attribute("angle", "radian");
    attribute("autolimits", "true");
    attribute("inertiafromgeom", "false");
    close();
    open("option");
    attribute("gravity", model_.gravity());
    close();
    open("default");
    open("geom");  // for pictures only
    attribute("contype", "0");
    attribute("conaffinity", "0");
    attribute("group", "2");
    attribute("mass", "0");
    close();
    close();
  }

  // --- Bodies ---------------------------------------------------------------------------------------------------

  void write_quaternion(const Mat3<double>& R) {
    const auto q = quaternion_of(R);
    attribute("quat", format_number(q[3]) + " " + format_numbers({q[0], q[1], q[2]}, " "));
  }
  void write_pose(const Transform<double>& X) {
    if (!is_zero(X.p)) attribute("pos", X.p);
    if (!is_identity(X.R)) write_quaternion(X.R);
  }

  /// `X_EP`: the parent's link frame in the body around this one.
  void write_body(int i, const Transform<double>& X_EP, std::vector<Waiting> waiting) {
    const LinkSpec& each = link(i);
    const Transform<double> X_EJ = X_EP * each.X_PJ, X_EL = X_EJ * each.X_JL;
    if (layout_.joins_child(i,
                            turns(i) || std::ranges::any_of(waiting, [&](const auto& w) { return turns(w.link); }))) {
      waiting.push_back({i, X_EJ});
      return write_body(layout_.children(i)[0], X_EL, std::move(waiting));
    }
    const bool joint_frame = layout_.has_joint_frame(i);
    const Transform<double> X_EB = joint_frame ? X_EJ : X_EL;
    open("body");
    attribute("name", layout_.body_name(i));
    write_pose(X_EB);
    for (const Waiting& w : waiting) write_joints(w.link, inverse(X_EB) * w.X_EJ);
    note_lost_links(waiting, layout_.body_name(i));
    if (is_refused(i)) losses_.add("moving links without mass or moments of inertia, which MuJoCo refuses", each.name);
    write_joints(i, joint_frame ? Transform<double>::identity() : inverse(each.X_JL));
    write_inertial(i);
    write_geoms(i);
    for (const MjcfSite& site : layout_.sites(i)) write_site(site, layout_.X_BL(i));
    const bool beside = layout_.beside(i);
    if (beside) close();
    for (const int child : layout_.children(i)) write_body(child, beside ? X_EL : layout_.X_BL(i), {});
    if (!beside) close();
  }

  bool turns(int i) const {
    return std::ranges::any_of(layout_.joints(i), [](const MjcfJoint& joint) { return *joint.type == 'h'; });
  }

  static bool is_light(const LinkSpec& link) {
    constexpr double kLeast = 1e-15;  // of MuJoCo
    const Vec3<double> moments = principal_axes(link.inertia).moments;
    return link.mass < kLeast || std::min({moments.x, moments.y, moments.z}) < kLeast;
  }
  bool is_refused(int i) const {
    const auto holds = [&](int child) { return link(child).joint.type == JointType::fixed && !is_light(link(child)); };
    return !layout_.joints(i).empty() && is_light(link(i)) && std::ranges::none_of(layout_.children(i), holds);
  }

  /// A reader calls the links of a body's first joints after the body.
  void note_lost_links(const std::vector<Waiting>& waiting, const std::string& body) {
    for (std::size_t k = 0; k < waiting.size(); ++k) {
      const std::string& name = link(waiting[k].link).name;
      if (!link(waiting[k].link).visuals.empty())
        losses_.add("shapes of links whose joints are in the next body", name);
      if (name != body + "/" + std::to_string(k + 1)) {
        losses_.add("links without mass, whose joints are in the next body", name);
      }
    }
  }

  void write_inertial(int i) {
    const LinkSpec& each = link(i);
    const PrincipalAxes principal = principal_axes(each.inertia);
    if (each.mass == 0 && is_zero(principal.moments)) return;
    const Transform<double> X_BL = layout_.X_BL(i);
    open("inertial");
    attribute("mass", each.mass);
    attribute("pos", X_BL * each.com);
    attribute("diaginertia", principal.moments);
    const Mat3<double> R_BI = X_BL.R * principal.R;
    if (!is_identity(R_BI)) write_quaternion(R_BI);
    close();
  }

  void write_geoms(int i) {
    for (const VisualSpec& visual : link(i).visuals) {
      const auto [a, b, c] = visual.size;
      switch (visual.shape) {
        case VisualSpec::Shape::box:
          write_geom(i, visual, "box", {a / 2, b / 2, c / 2}, 3);
          break;
        case VisualSpec::Shape::sphere:
          write_geom(i, visual, "sphere", {a, 0, 0}, 1);
          break;
        case VisualSpec::Shape::capsule:
          write_geom(i, visual, "capsule", {a, b / 2, 0}, 2);
          break;
        case VisualSpec::Shape::cylinder:
          write_geom(i, visual, "cylinder", {a, b / 2, 0}, 2);
          break;
        case VisualSpec::Shape::mesh:
          losses_.add("meshes", link(i).name);
      }
    }
  }

  void write_geom(int i, const VisualSpec& visual, const char* type, const Vec3<double>& size, int sizes) {
    std::string text;
    for (int k = 0; k < sizes; ++k) {
      if (size[k] <= 0) return losses_.add("shapes without volume", link(i).name);
      text += (k ? " " : "") + format_number(size[k]);
    }
    open("geom");
    attribute("type", type);
    attribute("size", text);
    write_pose(layout_.X_BL(i) * visual.X_LV);
    close();
  }

  void write_site(const MjcfSite& site, const Transform<double>& X_BL) {
    open("site");
    attribute("name", site.name);
    write_pose(X_BL * site.X_LS);
    close();
  }

  // --- Joints ---------------------------------------------------------------------------------------------------

  void write_joints(int i, const Transform<double>& X_BJ) {
    const JointSpec& joint = link(i).joint;
    for (const MjcfJoint& part : layout_.joints(i)) {
      open("joint");
      attribute("name", part.name);
      attribute("type", part.type);
      const bool one = velocity_count(joint.type) == 1 || position_count(joint.type) == velocity_count(joint.type);
      if (joint.type != JointType::free && !is_zero(X_BJ.p)) attribute("pos", X_BJ.p);
      if (one) attribute("axis", X_BJ.R * part.axis);
      if (part.dof >= 0) write_dof(one ? checked(joint, dof(joint, part.dof)) : common_dof(joint));
      close();
    }
  }

  void write_dof(const DofSpec& dof) {
    if (std::isfinite(dof.lower) || std::isfinite(dof.upper)) write_range("range", dof.lower, dof.upper);
    const auto write = [&](const char* name, double value) {
      if (value != 0) attribute(name, value);
    };
    write("damping", dof.viscous);
    write("frictionloss", dof.coulomb);
    write("armature", dof.rotor_inertia);
    write("stiffness", dof.stiffness);
    if (dof.stiffness != 0) write("springref", dof.rest);
  }

  void write_range(const char* name, double lower, double upper) {
    attribute(name, format_number(limit_as_written(lower)) + " " + format_number(limit_as_written(upper)));
  }

  /// Without a range that MuJoCo refuses.
  DofSpec checked(const JointSpec& joint, DofSpec dof) {
    note_dof_losses(joint, dof);
    if (dof.lower >= dof.upper) {
      losses_.add("position limits that leave no room", joint.name);
      dof.lower = -kInfinity, dof.upper = kInfinity;
    }
    return dof;
  }

  /// What MuJoCo has one number for in a ball or free joint. It takes the friction and rotor inertia of a free joint
  /// along the axes of the world, which makes a difference unless they are viscous and the same.
  DofSpec common_dof(const JointSpec& joint) {
    DofSpec common = dof(joint, 0);
    note_dof_losses(joint, common);
    for (double DofSpec::*entry : {&DofSpec::viscous, &DofSpec::coulomb, &DofSpec::rotor_inertia}) {
      const auto same = [&](const DofSpec& other) { return other.*entry == common.*entry; };
      const bool turned = joint.type == JointType::free && entry != &DofSpec::viscous && common.*entry != 0;
      if (std::ranges::all_of(joint.dofs, same) && !turned) continue;
      losses_.add("friction and rotor inertia that are not the same along all axes of the body or the world",
                  joint.name);
      common.*entry = 0;
    }
    if (std::ranges::any_of(joint.dofs,
                            [](const DofSpec& d) { return std::isfinite(d.lower) || std::isfinite(d.upper); })) {
      losses_.add("position limits of joints with a quaternion", joint.name);
    }
    common.lower = -kInfinity, common.upper = kInfinity;
    return common;
  }

  void note_dof_losses(const JointSpec& joint, const DofSpec& dof) {
    if (std::isfinite(dof.velocity)) losses_.add("velocity limits", joint.name);
    if (dof.friction_width != 0) losses_.add("width of the friction at rest", joint.name);
    if (dof.ligament != 0) losses_.add("ligaments", joint.name);
  }

  // --- Beyond the tree ------------------------------------------------------------------------------------------

  void write_equalities() {
    open("equality");
    for (int i = 0; i < count(); ++i) {
      const JointSpec& joint = link(i).joint;
      const std::optional<MimicSpec>& mimic = joint.mimic;
      if (mimic) write_coupling(joint.name, mimic->joint, mimic->offset, mimic->ratio);
      for (const MjcfJoint& part : layout_.joints(i)) {
        if (part.dof < 0) write_coupling(part.name, joint.name, 0, joint.pitch);
      }
    }
    for (const MjcfClosure& closure : layout_.closures()) {
      open(closure.type);
      attribute("name", closure.name);
      attribute("site1", closure.site_a);
      attribute("site2", closure.site_b);
      close();
    }
    close();
  }

  void write_coupling(const std::string& follower, const std::string& leader, double offset, double ratio) {
    open("joint");
    attribute("joint1", follower);
    attribute("joint2", leader);
    attribute("polycoef", format_number(offset) + " " + format_number(ratio) + " 0 0 0");
    close();
  }

  /// Also when there are none, which says that nothing is driven.
  void write_actuators() {
    open("actuator");
    for (int i = 0; i < count(); ++i) {
      const JointSpec& joint = link(i).joint;
      if (!joint.actuated) continue;
      for (const MjcfJoint& part : layout_.joints(i)) {
        if (part.dof < 0) continue;
        const int axes = *part.type == 'b' ? 3 : *part.type == 'f' ? 6 : 1;
        for (int k = 0; k < axes; ++k) write_motor(joint, part, k, axes);
      }
    }
    close();
  }

  void write_motor(const JointSpec& joint, const MjcfJoint& part, int k, int axes) {
    const DofSpec d = dof(joint, part.dof + k);
    open("motor");
    attribute("joint", part.name);
    if (axes > 1) {
      std::string gear;
      for (int n = 0; n < axes; ++n) gear += std::string(n ? " " : "") + (n == k ? "1" : "0");
      attribute("gear", gear);
    }
    if (std::isfinite(d.effort_lower) || std::isfinite(d.effort_upper)) {
      if (joint.type == JointType::free) {
        losses_.add("effort limits of free joints", joint.name);
      } else if (d.effort_lower >= d.effort_upper) {
        losses_.add("effort limits that leave no room", joint.name);
      } else {
        write_range("ctrlrange", d.effort_lower, d.effort_upper);
        write_range("forcerange", d.effort_lower, d.effort_upper);
      }
    }
    close();
  }

  /// Where the search for a closed configuration starts, as a key frame.
  void write_home() {
    std::string qpos;
    for (int i = 0; i < count(); ++i) {
      for (const double q : mujoco_position(i)) qpos += (qpos.empty() ? "" : " ") + format_number(q);
    }
    open("keyframe");
    open("key");
    attribute("name", "home");
    attribute("qpos", qpos);
    close();
    close();
  }

  std::vector<double> mujoco_position(int i) const {
    const JointSpec& joint = link(i).joint;
    std::vector<double> q = home_position(joint);
    if (layout_.joints(i).size() > q.size()) q.push_back(joint.pitch * q[0]);  // a helical joint
    if (joint.type == JointType::spherical) return {q[3], q[0], q[1], q[2]};
    if (joint.type != JointType::free) return q;
    const Transform<double> X =
        layout_.X_WJ(i) * Transform<double>{rotation_from_quaternion(q[3], q[4], q[5], q[6]), {q[0], q[1], q[2]}};
    const auto turn = quaternion_of(X.R);
    return {X.p.x, X.p.y, X.p.z, turn[3], turn[0], turn[1], turn[2]};
  }

  std::vector<double> home_position(const JointSpec& joint) const {
    if (joint.mimic) {
      const JointSpec& leader = model_.joints()[static_cast<std::size_t>(model_.joint(joint.mimic->joint))].spec;
      return {joint.mimic->ratio * home_position(leader)[0] + joint.mimic->offset};
    }
    for (const HomeSpec& home : model_.spec().home) {
      if (home.joint == joint.name) return home.q;
    }
    std::vector<double> q(static_cast<std::size_t>(position_count(joint.type)), 0.0);
    if (joint.type == JointType::spherical || joint.type == JointType::free) q.back() = 1;
    return q;
  }

  void note_model_losses() {
    const ModelSpec& spec = model_.spec();
    if (!spec.independent.empty()) losses_.add("independent joints", "");
    if (spec.mirror) losses_.add("mirror plane", "");
    if (!spec.source.empty()) losses_.add("source", "");
  }

  int count() const { return static_cast<int>(model_.spec().links.size()); }

  const Model& model_;
  Losses losses_;
  MjcfLayout layout_;
};

}  // namespace

std::string write_mjcf(const ModelSpec& spec, std::vector<std::string>* not_expressed) {
  const Model model = build_model(spec);
  refuse_first_moments(spec, "MJCF");
  refuse_loops(spec, "MJCF", {LoopType::spherical, LoopType::rigid, LoopType::revolute});
  return MjcfWriter(model).write(not_expressed);
}

}  // namespace verne
