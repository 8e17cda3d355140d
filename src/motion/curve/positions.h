/// Positions of joints with quaternions, which have one entry more than velocities.
#pragma once

#include "verne/base/values.h"
#include "verne/model/model.h"

namespace verne {

/// One row a velocity, for curves: quaternions as rotation vectors.
Table charted_positions(const Model& model, const Table& q);

}  // namespace verne
