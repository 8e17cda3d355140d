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

inline void output(BatchRunner& run, const char* name, BatchDerivatives& out, int rows) {
  for (LaneArray* block : {&out.dq, &out.dv, &out.dx}) run.output(name, *block, rows);
}

/// Raw blocks of one block of states; empty when not wanted.
inline Blocks<double> blocks_at(int b, BatchDerivatives* out, long ld) {
  if (!out) return {};
  return {BatchRunner::values(out->dq, b), BatchRunner::values(out->dv, b), BatchRunner::values(out->dx, b), ld};
}

/// kernel(inputs, blocks, scratch) for 9 nv rows a load.
template <class Kernel>
void by_loads(BatchRunner& run, const char* name, LaneArray& out, LaneArray* wrenches, Kernel&& kernel) {
  const int columns = 9 * run.loaded_inputs(0).load_count;
  run.output(name, out, run.tree().model_nv * columns);
  if (wrenches) run.output("wrenches", *wrenches, 6 * columns * run.tree().joint_count);
  run.for_each_block([&](int b, double* scratch) {
    kernel(run.loaded_inputs(b),
           LinearBlocks<double>{run.values(out, b), wrenches ? run.values(*wrenches, b) : nullptr}, scratch);
  });
}

}  // namespace verne
