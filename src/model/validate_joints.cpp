#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/subject.h"
#include "model/validate.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

// Files round unit vectors to six or more digits; a warning for less would only be noise.
constexpr double kUnitTolerance = 1e-5;
constexpr double kParallelTolerance = 1e-6;

bool check_axis(const Subject& subject, const std::string& key, const Vec3<double>& axis) {
  if (!subject.require_finite(key, axis)) return false;
  const double length = norm(axis);
  if (length == 0) {
    subject.error(key + " is zero: expected a direction such as [0, 0, 1]");
    return false;
  }
  if (std::fabs(length - 1) > kUnitTolerance) {
    subject.warning(key + " has length " + rounded_text(length) + "; it was scaled to 1");
  }
  return true;
}

void check_motion(const JointSpec& joint, const Subject& subject) {
  const JointType type = joint.type;
  if (type == JointType::fixed || type == JointType::spherical || type == JointType::free) return;
  const bool usable = check_axis(subject, "axis", joint.axis);
  if (type == JointType::universal && check_axis(subject, "axis2", joint.axis2) && usable &&
      norm(cross(normalized(joint.axis), normalized(joint.axis2))) < kParallelTolerance) {
    subject.error("axis and axis2 of a universal joint are parallel");
  }
  if (type == JointType::helical) subject.require_finite("pitch", {joint.pitch});
}

/// A range may be open (infinite) on either side, but not empty.
void check_range(const Subject& subject, const std::string& key, double lower, double upper) {
  if (lower <= upper && lower < kInfinity && upper > -kInfinity) return;
  const std::string found = "[" + number_text(lower) + ", " + number_text(upper) + "]";
  subject.error(key + ": expected lower <= upper, found " + found);
}

void check_dofs(const JointSpec& joint, const Subject& subject) {
  const int expected = velocity_count(joint.type);
  if (!joint.dofs.empty() && static_cast<int>(joint.dofs.size()) != expected) {
    subject.error("expected limits and friction for " + std::to_string(expected) + " degrees of freedom (" +
                  to_string(joint.type) + "), found " + std::to_string(joint.dofs.size()));
  }
  for (const DofSpec& dof : joint.dofs) {
    check_range(subject, "position limits", dof.lower, dof.upper);
    check_range(subject, "effort limits", dof.effort_lower, dof.effort_upper);
    if (!(dof.velocity >= 0)) {
      subject.error("velocity limit: expected a number that is not negative, found " + number_text(dof.velocity));
    }
    subject.require_not_negative("coulomb friction", dof.coulomb);
    subject.require_not_negative("viscous friction", dof.viscous);
    subject.require_not_negative("friction width", dof.friction_width);
    subject.require_not_negative("rotor inertia", dof.rotor_inertia);
  }
}

/// The joints by name; of those that share a name, the first.
struct JointTable {
  std::vector<std::string> names;
  std::unordered_map<std::string, const JointSpec*> by_name;
};

/// Why `follower` cannot follow `leader`, or "".
std::string coupling_fault(const JointSpec& follower, const JointSpec& leader) {
  if (leader.name == follower.name) return "a joint cannot follow itself";
  if (leader.mimic) return "'" + leader.name + "' follows '" + leader.mimic->joint + "' itself; follow that joint";
  if (velocity_count(leader.type) != 1) {
    return "'" + leader.name + "' is " + to_string(leader.type) + "; expected a joint with one degree of freedom";
  }
  return "";
}

void check_mimic(const JointSpec& joint, const JointTable& joints, const Subject& subject) {
  const MimicSpec& mimic = *joint.mimic;
  if (velocity_count(joint.type) != 1) {
    subject.error(std::string("mimic: only a joint with one degree of freedom can follow another, this is ") +
                  to_string(joint.type));
  }
  if (subject.require_finite("mimic: ratio", {mimic.ratio}) && mimic.ratio == 0) {
    subject.error("mimic: ratio is zero; use a fixed joint for one that does not move");
  }
  subject.require_finite("mimic: offset", {mimic.offset});
  const auto leader = joints.by_name.find(mimic.joint);
  if (leader == joints.by_name.end()) {
    subject.error("mimic: joint '" + mimic.joint + "' does not exist" + suggestion(mimic.joint, joints.names));
    return;
  }
  const std::string fault = coupling_fault(joint, *leader->second);
  if (!fault.empty()) subject.error("mimic: " + fault);
}

}  // namespace

void check_joints(const ModelSpec& spec, Diagnostics& diagnostics) {
  JointTable joints;
  for (const LinkSpec& link : spec.links) {
    joints.names.push_back(link.joint.name);
    joints.by_name.try_emplace(link.joint.name, &link.joint);
  }
  for (const LinkSpec& link : spec.links) {
    const Subject subject(diagnostics, "joint", link.joint.name, joint_line(link));
    check_motion(link.joint, subject);
    check_dofs(link.joint, subject);
    if (link.joint.mimic) check_mimic(link.joint, joints, subject);
  }
}

}  // namespace verne
