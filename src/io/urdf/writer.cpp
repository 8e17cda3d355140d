#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "io/losses.h"
#include "io/number.h"
#include "io/trivial.h"
#include "io/unlimited.h"
#include "io/xml/writer.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// "" when URDF has no such joint.
const char* urdf_type(const JointSpec& joint) {
  const bool limited =
      !joint.dofs.empty() && (std::isfinite(joint.dofs[0].lower) || std::isfinite(joint.dofs[0].upper));
  switch (joint.type) {
    case JointType::fixed:
      return "fixed";
    case JointType::revolute:
      return limited ? "revolute" : "continuous";
    case JointType::prismatic:
      return "prismatic";
    case JointType::planar:
      return "planar";
    case JointType::free:
      return "floating";
    default:
      return "";
  }
}

void check_types(const ModelSpec& spec) {
  std::vector<Diagnostic> problems;
  for (const LinkSpec& link : spec.links) {
    if (*urdf_type(link.joint)) continue;
    problems.push_back(
        {spec.file, link.joint.line,
         "joint " + in_quotes(link.joint.name) + ": URDF has no " + to_string(link.joint.type) + " joint"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

class UrdfWriter : XmlWriter {
 public:
  explicit UrdfWriter(const ModelSpec& spec) : spec_(spec) {
    for (const LinkSpec& link : spec.links) {
      links_.emplace(link.name, &link);
      names_.insert(link.name);
      names_.insert(link.joint.name);
    }
  }

  std::string write(std::vector<std::string>* not_expressed) {
    printer_.PushHeader(false, true);
    open("robot");
    attribute("name", spec_.name);
    for (const LinkSpec& link : spec_.links) write_link(link);
    for (const FrameSpec& frame : spec_.frames) write_site(frame.name, frame.link, frame.X_LF);
    for (const ContactSpec& contact : spec_.contacts) {
      write_site(contact.name, contact.link, {contact.R_LC, contact.point});
    }
    for (const LoopSpec& loop : spec_.loops) write_loop(loop);
    close();
    note_model_losses();
    if (not_expressed) losses_.append_to(*not_expressed);
    return printer_.CStr();
  }

 private:
  std::string unique(const std::string& name) { return unique_name(name, names_); }

  void write_origin(const Transform<double>& X) {
    if (is_identity(X)) return;
    open("origin");
    attribute("xyz", X.p);
    attribute("rpy", rpy_of(X.R));
    close();
  }

  void write_link(const LinkSpec& link) {
    open("link");
    attribute("name", link.name);
    if (link.has_inertial) write_inertial(link);
    for (const VisualSpec& visual : link.visuals) write_visual(link, visual);
    close();
    if (!is_identity(link.X_JL)) losses_.add("link frames, moved to the joint", link.name);
    const bool floats = link.parent.empty() && link.joint.type == JointType::fixed && is_identity(link.X_PJ);
    if (floats) world_ = link.name;
    if (!floats) write_joint(link);
  }

  void write_inertial(const LinkSpec& link) {
    const Sym3<double> I = rotate(link.X_JL.R, link.inertia);
    open("inertial");
    write_origin({Mat3<double>::identity(), link.X_JL * link.com});
    element("mass", "value", format_number(link.mass));
    open("inertia");
    attribute("ixx", I.xx);
    attribute("ixy", I.xy);
    attribute("ixz", I.xz);
    attribute("iyy", I.yy);
    attribute("iyz", I.yz);
    attribute("izz", I.zz);
    close();
    close();
  }

  void write_visual(const LinkSpec& link, const VisualSpec& visual) {
    open("visual");
    write_origin(link.X_JL * visual.X_LV);
    open("geometry");
    switch (visual.shape) {
      case VisualSpec::Shape::box:
        element("box", "size", format_numbers(visual.size, " "));
        break;
      case VisualSpec::Shape::sphere:
        element("sphere", "radius", format_number(visual.size.x));
        break;
      case VisualSpec::Shape::capsule:
        losses_.add("capsules, written as cylinders", link.name);
        [[fallthrough]];
      case VisualSpec::Shape::cylinder:
        open("cylinder");
        attribute("radius", visual.size.x);
        attribute("length", visual.size.y);
        close();
        break;
      case VisualSpec::Shape::mesh:
        open("mesh");
        attribute("filename", visual.mesh);
        attribute("scale", visual.size);
        close();
        break;
    }
    close();
    close();
  }

  /// The pose of something in a link, seen from the frame that URDF has for this link.
  Transform<double> in_urdf_frame(const std::string& link, const Transform<double>& X_LF) const {
    const auto found = links_.find(link);
    return found == links_.end() ? X_LF : found->second->X_JL * X_LF;
  }

  void write_joint(const LinkSpec& link) {
    const JointSpec& joint = link.joint;
    std::string parent = link.parent;
    if (parent.empty()) {
      parent = world_ = unique("world");
      element("link", "name", parent);
    }
    open("joint");
    attribute("name", joint.name);
    attribute("type", urdf_type(joint));
    write_independent(joint);
    element("parent", "link", parent);
    element("child", "link", link.name);
    write_origin(in_urdf_frame(link.parent, link.X_PJ));
    if (has_axis(joint.type)) element("axis", "xyz", format_numbers(joint.axis, " "));
    if (velocity_count(joint.type) == 1) {
      write_dof(joint, joint.dofs.empty() ? DofSpec{} : joint.dofs[0]);
    } else if (!joint.dofs.empty()) {
      losses_.add("limits, friction, rotor inertia, stiffness and ligaments of joints with several degrees of freedom",
                  joint.name);
    }
    write_mimic(joint);
    close();
    if (!joint.actuated && spec_.independent.empty()) losses_.add("joints that are not actuated", joint.name);
  }

  /// Of URDF+, which takes joints that are not independent for passive.
  void write_independent(const JointSpec& joint) {
    if (spec_.independent.empty() || velocity_count(joint.type) == 0 || joint.mimic) return;
    const bool independent =
        std::find(spec_.independent.begin(), spec_.independent.end(), joint.name) != spec_.independent.end();
    attribute("independent", independent ? "true" : "false");
    if (independent != joint.actuated)
      losses_.add("which of the joints are actuated, if not the independent ones", joint.name);
  }

  void write_end(const char* name, const LoopEnd& end) {
    open(name);
    attribute("link", end.link == "world" ? world_ : end.link);
    write_origin(end.link == "world" ? end.X_LF : in_urdf_frame(end.link, end.X_LF));
    close();
  }

  void write_loop(const LoopSpec& loop) {
    open("loop");
    attribute("name", loop.name);
    attribute("type", loop.type == LoopType::rigid ? "fixed" : to_string(loop.type));
    write_end("predecessor", loop.b);
    write_end("successor", loop.a);
    element("axis", "xyz", "0 0 1");
    close();
  }

  void write_dof(const JointSpec& joint, const DofSpec& dof) {
    const bool same_both_ways = dof.effort_lower == -dof.effort_upper;
    write_limit(joint, dof,
                same_both_ways ? dof.effort_upper : std::max(std::abs(dof.effort_lower), std::abs(dof.effort_upper)));
    if (dof.viscous != 0 || dof.coulomb != 0) {
      open("dynamics");
      attribute("damping", dof.viscous);
      attribute("friction", dof.coulomb);
      close();
    }
    if (!same_both_ways) losses_.add("effort limits that differ by direction", joint.name);
    if (dof.friction_width != 0) losses_.add("width of the friction at rest", joint.name);
    if (dof.rotor_inertia != 0) losses_.add("rotor inertia", joint.name);
    if (dof.stiffness != 0) losses_.add("stiffness", joint.name);
    if (dof.ligament != 0) losses_.add("ligaments", joint.name);
  }

  void write_limit(const JointSpec& joint, const DofSpec& dof, double effort) {
    const bool continuous = std::string_view(urdf_type(joint)) == "continuous";
    if (continuous && std::isinf(effort) && std::isinf(dof.velocity)) return;
    open("limit");
    if (!continuous) {
      attribute("lower", limit_as_written(dof.lower));
      attribute("upper", limit_as_written(dof.upper));
    }
    attribute("effort", limit_as_written(effort));
    attribute("velocity", limit_as_written(dof.velocity));
    close();
  }

  void write_mimic(const JointSpec& joint) {
    if (!joint.mimic) return;
    open("mimic");
    attribute("joint", joint.mimic->joint);
    attribute("multiplier", joint.mimic->ratio);
    attribute("offset", joint.mimic->offset);
    close();
  }

  /// A named frame or contact as a link without mass.
  void write_site(const std::string& name, const std::string& link, const Transform<double>& X_LF) {
    const std::string written = unique(name);
    if (written != name) losses_.add("names that are taken, with _ appended", name);
    element("link", "name", written);
    open("joint");
    attribute("name", unique(written + "_joint"));
    attribute("type", "fixed");
    element("parent", "link", link);
    element("child", "link", written);
    write_origin(in_urdf_frame(link, X_LF));
    close();
  }

  void note_model_losses() {
    const Vec3<double> down = ModelSpec{}.gravity;
    const Vec3<double>& g = spec_.gravity;
    if (!is_zero(g - down)) losses_.add("gravity", format_numbers(g, " "));
    if (!spec_.source.empty()) losses_.add("source", "");
    for (const LoopSpec& loop : spec_.loops) {
      const bool of_urdf_plus = loop.type == LoopType::revolute || loop.type == LoopType::prismatic ||
                                loop.type == LoopType::planar || loop.type == LoopType::rigid;
      if (!of_urdf_plus) losses_.add("loops of kinds that URDF+ does not have (Verne reads them)", loop.name);
    }
  }

  const ModelSpec& spec_;
  std::map<std::string, const LinkSpec*> links_;
  std::set<std::string> names_;
  std::string world_;  ///< the link that does not move
  Losses losses_;
};

}  // namespace

std::string write_urdf(const ModelSpec& spec, std::vector<std::string>* not_expressed) {
  check_types(spec);
  refuse_first_moments(spec, "URDF");
  refuse_home(spec, "URDF");
  return UrdfWriter(spec).write(not_expressed);
}

}  // namespace verne
