/// Flexible transmissions: a motor joint and an elastic joint in one (docs/theory/structures.md, section 3).
#pragma once

#include <optional>

#include "io/yaml/map.h"
#include "verne/model/spec.h"

namespace verne {

/// Stiffness and damping at the joint's side, the motor's inertia at its own side.
struct Transmission {
  double stiffness, damping, ratio, motor_inertia;
};

/// `transmission: {...}` among the keys of a joint.
std::optional<Transmission> read_transmission(const YamlMap& joint_map, const JointSpec& joint);

/// Makes the link's joint the elastic one and returns a massless link between its parent and it, on the joint that the
/// motor turns. That one keeps limits, friction and actuator. `in_base_frame`: X_PJ is not relative to the parent yet.
LinkSpec split_off_motor(const Transmission& transmission, bool in_base_frame, LinkSpec& link);

}  // namespace verne
