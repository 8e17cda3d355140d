/// Memory for derivatives of a batch as the kernels take it.
#pragma once

#include "dynamics/batch_runner.h"
#include "dynamics/smoothness.h"
#include "verne/dynamics/batch_derivatives.h"

namespace verne {

inline void require_smooth(const Model& model, const Batch& batch) {
  if (!model.tree().has_friction) return;
  for (int state = 0; state < batch.count(); ++state) {
    require_smooth(model, [&](int k) { return batch.v(k, state) != 0; });
  }
}

inline void make_room(const BatchRunner& run, int rows, BatchDerivatives& out) {
  for (LaneArray* block : {&out.dq, &out.dv, &out.dx}) run.room(*block, rows);
}

/// Raw blocks of one block of states; empty when not wanted.
inline Blocks<double> blocks_at(int b, BatchDerivatives* out, long ld) {
  if (!out) return {};
  return {BatchRunner::values(out->dq, b), BatchRunner::values(out->dv, b), BatchRunner::values(out->dx, b), ld};
}

/// kernel(inputs, blocks, scratch) for 9 nv rows a load.
template <class Kernel>
void by_loads(const BatchRunner& run, LaneArray& out, LaneArray* wrenches, Kernel&& kernel) {
  const int columns = 9 * run.loaded_inputs(0).load_count;
  run.room(out, run.tree().model_nv * columns);
  if (wrenches) run.room(*wrenches, 6 * columns * run.tree().joint_count);
  run.for_each_block([&](int b, double* scratch) {
    kernel(run.loaded_inputs(b),
           LinearBlocks<double>{run.values(out, b), wrenches ? run.values(*wrenches, b) : nullptr}, scratch);
  });
}

}  // namespace verne
