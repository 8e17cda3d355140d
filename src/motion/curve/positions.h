/// Positions of joints with quaternions, which have one entry more than velocities.
#pragma once

#include <string>
#include <vector>

#include "verne/base/values.h"
#include "verne/model/model.h"

namespace verne {

/// Of each entry of q: the coordinate's, or its joint's with .x .y .z for a position and .qx .qy .qz .qw.
std::vector<std::string> position_names(const Model& model);

/// One row a velocity, for curves: quaternions as rotation vectors.
Table charted_positions(const Model& model, const Table& q);

}  // namespace verne
