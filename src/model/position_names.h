/// What positions are called: a free joint moves by `.vx`, and is at `.x`.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/model/model.h"

namespace verne {

/// Of the position that velocity k of a joint changes: the coordinate's name or, where q has a quaternion, the joint's
/// with .x .y .z for a place and .rx .ry .rz for a rotation vector.
VERNE_API std::string charted_name(const Model& model, const Joint& joint, int k);
/// Of each entry of q: the coordinate's, or its joint's with .x .y .z for a position and .qx .qy .qz .qw.
VERNE_API std::vector<std::string> position_names(const Model& model);

}  // namespace verne
