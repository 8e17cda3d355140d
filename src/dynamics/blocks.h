/// Memory for derivatives of one state as the kernels take it, checked.
#pragma once

#include "dynamics/call.h"
#include "verne/dynamics/derivatives.h"

namespace verne {

/// Three nv x nv matrices.
template <class S>
Blocks<S> blocks_of(const char* function, MatrixOut<S>& dq, MatrixOut<S>& dv, MatrixOut<S>& dx) {
  if (dq.outerStride() != dv.outerStride() || dq.outerStride() != dx.outerStride()) {
    throw std::invalid_argument(std::string(function) + ": the three matrices must have the same outer stride");
  }
  return {dq.data(), dv.data(), dx.data(), dq.outerStride()};
}

/// Those of all joint wrenches; empty when they are not wanted.
template <class S>
Blocks<S> blocks_of(const char* function, const Model& model, WrenchDerivatives<S>* wrenches, Call<S>& call) {
  if (!wrenches) return {};
  for (const Matrix6X<S>* block : {&wrenches->dq, &wrenches->dv, &wrenches->dx}) {
    check_size(function, "columns of wrenches", static_cast<long>(model.joints().size()) * model.nv(), block->cols());
    call.writes("wrenches", *block);
  }
  return {wrenches->dq.data(), wrenches->dv.data(), wrenches->dx.data(), 6};
}

/// `columns` columns of every joint's wrench; null when not wanted.
template <class S>
S* wrench_columns(const char* function, const Model& model, Matrix6X<S>* wrenches, long columns, Call<S>& call) {
  if (!wrenches) return nullptr;
  check_size(function, "columns of wrenches", static_cast<long>(model.joints().size()) * columns, wrenches->cols());
  call.writes("wrenches", *wrenches);
  return wrenches->data();
}

/// kernel(inputs, blocks, scratch) for nv x 9 derivatives a load.
template <class S, class Kernel>
void by_loads(const char* function, const Model& model, Data<S>& data, VectorIn<S> q, const Loads<S>& loads,
              const char* result, MatrixOut<S> out, Matrix6X<S>* wrenches, Kernel&& kernel) {
  const int columns = 9 * loads.size();
  Call<S> call(function, model, data);
  call.q(q).loads(&loads).output(result, out, model.nv(), columns);
  require_dense(function, out);
  S* const room = wrench_columns(function, model, wrenches, columns, call);
  kernel(call.inputs(), LinearBlocks<S>{out.data(), room}, data.scratch());
}

}  // namespace verne
