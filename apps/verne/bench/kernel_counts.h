/// What the library's own kernels cost, by the counting scalar of the formulations.
#pragma once

#include <vector>

#include "formulations/counted.h"
#include "verne/model/model.h"

namespace verne::cli {

/// One state, each of its numbers unknown beforehand: nq positions, nv velocities and nv accelerations or torques.
struct CountedState {
  std::vector<formulations::Counted> q, v, x;
};

formulations::OperationCount inverse_dynamics_count(const Model& model, const CountedState& state);
formulations::OperationCount forward_dynamics_count(const Model& model, const CountedState& state);

}  // namespace verne::cli
