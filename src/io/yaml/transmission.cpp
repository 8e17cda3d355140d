#include "io/yaml/transmission.h"

#include <utility>

namespace verne {

namespace {

void refuse_keys_beside(const YamlMap& joint_map) {
  for (const char* const key : {"stiffness", "rest", "ligaments", "mimic"}) {
    const YamlNode* const node = joint_map.find(key);
    if (node) joint_map.reader(key).error(node->line, "cannot be given beside a transmission");
  }
}

}  // namespace

std::optional<Transmission> read_transmission(const YamlMap& joint_map, const JointSpec& joint) {
  const YamlNode* const node = joint_map.find("transmission");
  if (!node) return std::nullopt;
  const YamlReader reader = joint_map.reader("transmission");
  const YamlMap map(*node, reader, {"stiffness", "damping", "ratio", "motor_inertia"});
  if (velocity_count(joint.type) != 1) {
    reader.error(node->line,
                 std::string("only a joint with one degree of freedom has one, this is ") + to_string(joint.type));
  }
  refuse_keys_beside(joint_map);
  map.require("stiffness");
  map.require("motor_inertia");
  const Transmission out{map.number("stiffness", 1), map.number("damping", 0), map.number("ratio", 1),
                         map.number("motor_inertia", 1)};
  const auto positive = [&](const char* key, double value) {
    if (!(value > 0)) map.reader(key).error(map.find(key)->line, "expected a number greater than zero");
  };
  positive("stiffness", out.stiffness);
  positive("motor_inertia", out.motor_inertia);
  if (out.damping < 0) map.reader("damping").error(map.find("damping")->line, "expected a number that is not negative");
  if (out.ratio == 0) map.reader("ratio").error(map.find("ratio")->line, "is zero: the motor would not move the joint");
  return out;
}

LinkSpec split_off_motor(const Transmission& transmission, bool in_base_frame, LinkSpec& link) {
  LinkSpec motor;
  motor.name = link.name + "_motor";
  motor.parent = std::exchange(link.parent, motor.name);
  motor.line = link.line;
  motor.has_inertial = true;  // none, which is meant
  motor.X_PJ = link.X_PJ;
  if (!in_base_frame) link.X_PJ = Transform<double>::identity();
  motor.joint = link.joint;
  motor.joint.name = link.joint.name + "_motor";
  motor.joint.dofs.resize(1);
  motor.joint.dofs[0].rotor_inertia += transmission.ratio * transmission.ratio * transmission.motor_inertia;
  DofSpec spring;
  spring.stiffness = transmission.stiffness;
  spring.viscous = transmission.damping;
  link.joint.dofs = {spring};
  link.joint.actuated = false;
  return motor;
}

}  // namespace verne
