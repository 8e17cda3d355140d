/// What loops bear (docs/theory/loops.md, sections 4 and 8).
#pragma once

#include "structures/kernels/closing.h"

namespace verne {
inline namespace VERNE_ISA {

/// Wrenches of the loops on a, in its axes, where torques − B tau is what they hold; and the same as loads on their
/// ends, force, moment and point, ends a and b of one loop after the other, as far as these are on links. `tau` is
/// that of the actuators. No equation may be redundant.
template <class S>
VERNE_SWEEP void put_reactions(const ClosingPlan& plan, const ClosingTerms& t, const S* tau, S* wrenches, S* loads,
                               S* quality, S* scratch) {
  S* const J = scratch;
  S* const lambda = J + plan.value_count;
  S* const left = lambda + plan.rank;
  for (int k = 0; k < plan.nv; ++k) left[k] = ClosingFrames<S>::values(t.torques)[k];
  for (int k = 0; k < plan.actuated_count; ++k) left[plan.actuated[k]] = left[plan.actuated[k]] - tau[k];
  for (int k = 0; k < plan.rank; ++k) lambda[k] = left[plan.steps[k].velocity];
  Closing<S>::put_rows(plan, t, nullptr, J, nullptr);
  *quality = Closing<S>::eliminate(plan, J);
  Closing<S>::solve_transposed(plan, J, lambda);
  for (int l = 0; l < plan.loop_count; ++l) {
    const ClosingLoop& loop = plan.loops[l];
    const ClosingFrame<S> a = ClosingFrames<S>::frame(t, loop.a), b = ClosingFrames<S>::frame(t, loop.b);
    Vec3<S> parts[4], pulls[4];
    ClosingFrames<S>::put_parts(a, b, true, parts);
    for (Vec3<S>& pull : pulls) pull = Vec3<S>::zero();
    for (int i = 0; i < loop.row_count; ++i) {
      const ClosingRow& row = plan.rows[loop.first_row + i];
      for (int k = 0; k < 2; ++k) {
        S& pull = pulls[row.part[k]][row.axis[k]];
        pull = pull + lambda[row.position] * row.coefficient[k];
      }
    }
    Vec3<S> moment = Vec3<S>::zero();
    for (int c = 0; c < 4; ++c) moment += cross(pulls[c], parts[c]);
    pulls[0].store(wrenches + 6 * l);
    moment.store(wrenches + 6 * l + 3);
    loads = ClosingFrames<S>::put_loads(loop, a, b, pulls[0], moment, loads);
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
