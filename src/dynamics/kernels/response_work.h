/// What derivatives of forward dynamics need before and after their sweeps (section 9 of docs/theory/sensitivities.md):
/// memory, loads, the slopes of friction and springs.
#pragma once

#include "dynamics/kernels/acceleration_derivatives.h"
#include "dynamics/kernels/algorithms.h"

namespace verne {
inline namespace VERNE_ISA {

/// Poses and loads are known after it; the rest is room. N is kLoadedDrive where there are loads.
template <class S, int N>
VERNE_INLINE ResponseWork<S, N> take_response_work(const Tree& tree, const Inputs<S>& in, Scratch<S>& scratch) {
  const int n = tree.body_count, nv = tree.nv;
  const bool loaded = in.load_count > 0;
  const ResponseWork<S, N> work{poses_of(tree, in, trigonometry(tree, in.q, scratch), scratch),
                                scratch.template take<BodyRates<S>>(n),
                                scratch.template take<CentralInertia<S>>(n),
                                loaded ? scratch.template take<Spatial<S>>(n) : nullptr,
                                loaded ? scratch.template take<LoadResponse<S>>(n) : nullptr,
                                scratch.template take<SubtreeResponse<S, N>>(n),
                                scratch.template take<FreedomResponse<S, N>>(nv),
                                scratch.template take<LimbResponse<S, N>>(nv),
                                scratch.template take<Spatial<S>>(nv),
                                scratch.template take<ColumnStart<S>>(nv)};
  if (loaded) gather_loads(tree, in, work.poses, work.loads, work.load_responses);
  return work;
}

/// Null without friction.
template <class S>
VERNE_INLINE const S* friction_slopes(const Tree& tree, const Inputs<S>& in, Scratch<S>& scratch) {
  if (!tree.has_friction) return nullptr;
  S* const slopes = scratch.take(tree.nv);
  for (int k = 0; k < tree.nv; ++k) slopes[k] = friction_slope(tree, k, in.v[k]);
  return slopes;
}

/// Takes slope times column k of `by_torque` off column k of `by_q` for each spring (docs/theory/structures.md, eq.
/// 11); columns have `rows` values, and `ld` from one to the next.
template <class S>
VERNE_INLINE void subtract_springs(const Tree& tree, const Inputs<S>& in, long rows, long ld, const S* by_torque,
                                   S* by_q) {
  for (long k = 0; k < tree.nv && tree.has_spring; ++k) {
    if (tree.stiffness[k] == 0 && tree.ligament[k] == 0) continue;
    const S slope = spring_slope(tree, static_cast<int>(k), in.q);
    for (long i = 0; i < rows; ++i) by_q[k * ld + i] = by_q[k * ld + i] - by_torque[k * ld + i] * slope;
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
