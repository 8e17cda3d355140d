#include "peers/mjcf.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <vector>

#include "verne/spatial/inertia.h"
#include "verne/spatial/rotation.h"

namespace verne::peers {

namespace {

std::string attribute(const char* name, std::initializer_list<double> numbers) {
  std::string text = std::string(" ") + name + "=\"";
  for (const double number : numbers) {
    char digits[40];
    std::snprintf(digits, sizeof(digits), "%.17g ", number);
    text += digits;
  }
  text.back() = '"';
  return text;
}

std::string attribute(const char* name, const Vec3<double>& v) {
  return attribute(name, {v.x, v.y, v.z});
}

std::string pose(const Transform<double>& X) {
  const auto q = quaternion_of(X.R);
  return attribute("pos", X.p) + attribute("quat", {q[3], q[0], q[1], q[2]});
}

double rotor_inertia(const JointSpec& joint, std::size_t dof) {
  return dof < joint.dofs.size() ? joint.dofs[dof].rotor_inertia : 0;
}

bool is_expressible(const JointSpec& joint) {
  if (joint.mimic || joint.type == JointType::helical) return false;
  const double first = rotor_inertia(joint, 0);
  const auto same = [first](const DofSpec& dof) { return dof.rotor_inertia == first; };
  const bool all_same = std::all_of(joint.dofs.begin(), joint.dofs.end(), same);
  if (joint.type == JointType::spherical) return all_same;
  if (joint.type == JointType::free) return all_same && first == 0;
  return true;
}

/// One MuJoCo joint: a Verne joint has up to three.
struct MjcfJoint {
  const char* type;
  Vec3<double> axis;
};

std::vector<MjcfJoint> mjcf_joints(const JointSpec& joint) {
  const Mat3<double> A = frame_with_z_along(joint.axis);
  switch (joint.type) {
    case JointType::revolute:
      return {{"hinge", joint.axis}};
    case JointType::prismatic:
      return {{"slide", joint.axis}};
    case JointType::cylindrical:
      return {{"slide", joint.axis}, {"hinge", joint.axis}};
    case JointType::universal:
      return {{"hinge", joint.axis}, {"hinge", joint.axis2}};
    case JointType::planar:
      return {{"slide", A.column(0)}, {"slide", A.column(1)}, {"hinge", joint.axis}};
    case JointType::spherical:
      return {{"ball", joint.axis}};
    case JointType::free:
      return {{"free", joint.axis}};
    default:
      return {};
  }
}

/// A link with all that is fixed to it, in the axes and about the origin of some frame B.
struct RigidGroup {
  struct Child {
    std::size_t link;
    Transform<double> X_BP;  ///< the link that carries it
  };
  RigidInertia<double> inertia = RigidInertia<double>::zero();
  std::vector<Child> children;  ///< on joints that move
};

class MjcfWriter {
 public:
  explicit MjcfWriter(const Model& model) : links_(model.spec().links), children_(links_.size()) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const int parent = model.links()[i].parent;
      if (parent >= 0) children_[static_cast<std::size_t>(parent)].push_back(i);
    }
  }

  std::string write(const Vec3<double>& gravity) {
    text_ =
        "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\" boundinertia=\"0\"/>\n<option" +
        attribute("gravity", gravity) + "><flag contact=\"disable\" constraint=\"disable\" passive=\"" +
        (has_springs() ? "enable" : "disable") + "\"/></option>\n<worldbody>\n";
    RigidGroup world;
    add(0, Transform<double>::identity(), world);
    for (const auto& child : world.children) write_body(child, {});
    return text_ + "</worldbody></mujoco>\n";
  }

 private:
  bool has_springs() const {
    const auto springs = [](const DofSpec& dof) { return dof.stiffness != 0; };
    return std::ranges::any_of(links_, [&](const LinkSpec& l) { return std::ranges::any_of(l.joint.dofs, springs); });
  }

  /// A joint whose own link became no body, placed in the frame of the body before.
  struct Waiting {
    const JointSpec* joint;
    Transform<double> X_BJ;
  };

  /// Adds a link to the group of its parent when it is fixed there, else to the children of that group.
  void add(std::size_t i, const Transform<double>& X_BP, RigidGroup& group) const {
    if (links_[i].joint.type != JointType::fixed) return group.children.push_back({i, X_BP});
    join(i, X_BP * links_[i].X_PJ * links_[i].X_JL, group);
  }
  void join(std::size_t i, const Transform<double>& X_BL, RigidGroup& group) const {
    const LinkSpec& link = links_[i];
    group.inertia += X_BL * inertia_from_com(link.mass, link.com, link.inertia);
    for (const std::size_t child : children_[i]) add(child, X_BL, group);
  }

  void write_body(const RigidGroup::Child& at, std::vector<Waiting> waiting) {
    const LinkSpec& link = links_[at.link];
    const Transform<double> X_BJ = at.X_BP * link.X_PJ;
    waiting.push_back({&link.joint, X_BJ});
    RigidGroup group;
    join(at.link, link.X_JL, group);
    if (can_wait(link.joint, group)) {
      const auto& child = group.children[0];
      return write_body({child.link, X_BJ * child.X_BP}, std::move(waiting));
    }
    text_ += "<body" + pose(X_BJ) + ">";
    for (const Waiting& w : waiting) write_joints(*w.joint, inverse(X_BJ) * w.X_BJ);
    write_inertial(group.inertia);
    text_ += "\n";
    for (const auto& child : group.children) write_body(child, {});
    text_ += "</body>\n";
  }

  static bool can_wait(const JointSpec& joint, const RigidGroup& group) {
    return group.inertia.mass == 0 && group.children.size() == 1 && joint.type != JointType::spherical &&
           joint.type != JointType::free;
  }

  void write_joints(const JointSpec& joint, const Transform<double>& X_bodyJ) {
    std::size_t dof = 0;
    for (const MjcfJoint& part : mjcf_joints(joint)) {
      text_ += "<joint type=\"" + std::string(part.type) + "\"";
      if (joint.type != JointType::free)
        text_ += attribute("pos", X_bodyJ.p) + attribute("axis", X_bodyJ.R * part.axis);
      if (dof < joint.dofs.size() && joint.dofs[dof].stiffness != 0) {
        text_ += attribute("stiffness", {joint.dofs[dof].stiffness}) + attribute("springref", {joint.dofs[dof].rest});
      }
      text_ += attribute("armature", {rotor_inertia(joint, dof++)}) + "/>";
    }
  }

  /// By principal axes: MuJoCo's own diagonalisation of `fullinertia` keeps only eight digits.
  void write_inertial(const RigidInertia<double>& body) {
    if (body.mass == 0) return;
    const Vec3<double> com = body.mc * (1 / body.mass);
    const Sym3<double> about_com = body.I + steiner(com, body.mc * -1.0);
    Eigen::Matrix3d I;
    I << about_com.xx, about_com.xy, about_com.xz, about_com.xy, about_com.yy, about_com.yz, about_com.xz, about_com.yz,
        about_com.zz;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(I);
    Eigen::Matrix3d axes = solver.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    const Eigen::Quaterniond turn(axes);
    const Eigen::Vector3d moments = solver.eigenvalues();
    text_ += "<inertial" + attribute("mass", {body.mass}) + attribute("pos", com) +
             attribute("quat", {turn.w(), turn.x(), turn.y(), turn.z()}) +
             attribute("diaginertia", {moments[0], moments[1], moments[2]}) + "/>";
  }

  const std::vector<LinkSpec>& links_;
  std::vector<std::vector<std::size_t>> children_;
  std::string text_;
};

}  // namespace

std::optional<std::string> to_mjcf(const Model& model) {
  for (const Joint& joint : model.joints()) {
    if (!is_expressible(joint.spec)) return std::nullopt;
  }
  return MjcfWriter(model).write(model.gravity());
}

}  // namespace verne::peers
