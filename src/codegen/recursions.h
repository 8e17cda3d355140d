/// Dynamics in link axes, written so that a trace of it is short: zeros of the geometry and of grouped parameters meet
/// the states directly. [KD02] ch. 9 with [KK87]'s use of U; the numbers of equations are of docs/codegen.md.
#pragma once

#include <vector>

#include "codegen/traced_model.h"

namespace verne::codegen {

/// States of the tree.
struct TracedState {
  std::vector<Traced> q, v, a;
};

enum class ParallelAxes {
  one_by_one,
  summed  ///< turn from the first of several parallel axes to the last at once, by the sum of their angles
};

/// What the motion takes at the joints of the tree, passive torques included.
std::vector<Traced> inverse_dynamics(const TracedModel& model, const TracedState& state, ParallelAxes axes);

/// Row-major, tree.nv x tree.nv, with rotors.
std::vector<Traced> mass_matrix(const TracedModel& model, const std::vector<Traced>& q);

}  // namespace verne::codegen
