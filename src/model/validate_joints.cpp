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

/// A range may be open (infinite) on either side. Where it is empty, the joint can still be computed.
void check_range(const Subject& subject, const std::string& key, double lower, double upper) {
  if (lower <= upper && lower < kInfinity && upper > -kInfinity) return;
  const std::string text =
      key + ": expected lower <= upper, found [" + number_text(lower) + ", " + number_text(upper) + "]";
  if (std::isfinite(lower) && std::isfinite(upper)) {
    subject.implausible(PlausibilityKind::empty_limits, text);
  } else {
    subject.error(text);
  }
}

void check_velocity_limit(const Subject& subject, double limit) {
  if (limit >= 0) return;
  const std::string text = "velocity limit: expected a number that is not negative, found " + number_text(limit);
  if (std::isfinite(limit)) {
    subject.implausible(PlausibilityKind::empty_limits, text);
  } else {
    subject.error(text);
  }
}

void check_friction(const Subject& subject, const std::string& key, double value) {
  if (!subject.require_finite(key, {value}) || value >= 0) return;
  subject.implausible(PlausibilityKind::negative_friction,
                      key + ": expected a number that is not negative, found " + number_text(value));
}

void check_spring(JointType type, const DofSpec& dof, const Subject& subject) {
  subject.require_not_negative("stiffness", dof.stiffness);
  subject.require_finite("rest", {dof.rest});
  subject.require_not_negative("ligaments: stiffness", dof.ligament);
  if (!(dof.slack_lower <= dof.slack_upper)) {  // between them both sides would pull
    subject.error("ligaments: slack: expected lower <= upper, found [" + number_text(dof.slack_lower) + ", " +
                  number_text(dof.slack_upper) + "]");
  }
  if (position_count(type) == velocity_count(type)) return;
  const auto refuse = [&](const std::string& key, const std::string& what) {
    subject.error(key + ": a " + to_string(type) + " joint has no angle or distance that " + what +
                  " could hold; use one joint for each of them");
  };
  if (dof.stiffness != 0) refuse("stiffness", "a spring");
  if (dof.ligament != 0) refuse("ligaments", "a ligament");
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
    check_velocity_limit(subject, dof.velocity);
    check_friction(subject, "coulomb friction", dof.coulomb);
    check_friction(subject, "viscous friction", dof.viscous);
    subject.require_not_negative("friction width", dof.friction_width);
    subject.require_not_negative("rotor inertia", dof.rotor_inertia);
    check_spring(joint.type, dof, subject);
  }
}

/// The joints by name; of those that share a name, the first.
struct JointTable {
  std::vector<std::string> names;
  std::unordered_map<std::string, const JointSpec*> by_name;
};

/// Why `follower` cannot follow `leader`, or "". That the leader follows another joint itself is fine, unless it leads
/// back here; a circle that it only leads into is reported where it is.
std::string coupling_fault(const JointSpec& follower, const JointSpec& leader, const JointTable& joints) {
  if (leader.name == follower.name) return "a joint cannot follow itself";
  const JointSpec* next = &leader;
  for (std::size_t steps = 0; next->mimic && steps < joints.names.size(); ++steps) {
    const auto found = joints.by_name.find(next->mimic->joint);
    if (found == joints.by_name.end()) break;  // reported there
    next = found->second;
    if (next->name == follower.name) return "'" + leader.name + "' follows this joint in turn";
  }
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
  const std::string fault = coupling_fault(joint, *leader->second, joints);
  if (!fault.empty()) subject.error("mimic: " + fault);
}

}  // namespace

void check_joints(const ModelSpec& spec, Findings& findings) {
  JointTable joints;
  for (const LinkSpec& link : spec.links) {
    joints.names.push_back(link.joint.name);
    joints.by_name.try_emplace(link.joint.name, &link.joint);
  }
  for (const LinkSpec& link : spec.links) {
    const Subject subject(findings, "joint", link.joint.name, joint_line(link));
    check_motion(link.joint, subject);
    check_dofs(link.joint, subject);
    if (link.joint.mimic) check_mimic(link.joint, joints, subject);
  }
}

}  // namespace verne
