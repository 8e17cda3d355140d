/// Free and spherical joints as chains of one-axis joints, for what has no quaternions: splines.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/model/spec.h"

namespace verne {

/// The same model with chains of one-axis joints in place of free and spherical ones, whose quaternions splines do not
/// follow: NAME_x, NAME_y, NAME_z along the axes of the joint's frame, then NAME_yaw, NAME_pitch, NAME_roll about z, y,
/// x of what has moved so far, with massless links between them. Joints that have limits, friction, springs or rotors
/// stay: those are about axes that the chain does not have. At a pitch of ±90° yaw and roll are the same.
VERNE_API ModelSpec with_one_axis_joints(ModelSpec spec);
/// Whether a joint becomes such a chain, and the positions of the chain for those of the joint, which end in a unit
/// quaternion.
VERNE_API bool becomes_one_axis_joints(const JointSpec& joint);
VERNE_API std::vector<double> one_axis_positions(const std::vector<double>& q);
/// The joints of the chain, outwards.
VERNE_API std::vector<std::string> one_axis_names(const JointSpec& joint);

}  // namespace verne
