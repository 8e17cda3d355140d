#include "dynamics/hybrid.h"

#include "dynamics/batch_blocks.h"
#include "dynamics/blocks.h"
#include "dynamics/singular.h"

namespace verne {

namespace {

/// The flags of what is given, once the model fits and has an answer.
const char* checked_flags(const char* function, const Model& model, const GivenAccelerations& given) {
  check_size(function, "given", model.nv(), static_cast<long>(given.flags().size()));
  require_invertible(function, model, given);
  if (given.parted_joint() >= 0) {
    throw InputError(std::string(function) + ": joint '" +
                     model.joints()[static_cast<std::size_t>(given.parted_joint())].spec.name +
                     "' turns by a quaternion: its accelerations are given all or none");
  }
  return given.flags().data();
}

}  // namespace

template <class S>
void hybrid_dynamics(const Model& model, Data<S>& data, const GivenAccelerations& given, VectorIn<S> q, VectorIn<S> v,
                     VectorOut<S> a, VectorOut<S> tau, LoadsIn<S> loads, WrenchesOut<S> wrenches) {
  const char* const name = "hybrid_dynamics";
  Call<S> call(name, model, data);
  call.q(q).v(v).loads(loads).completed_a(a).completed_tau(tau);
  S* const room = call.wrenches(wrenches);
  single_kernels<S>().hybrid_dynamics(call.tree(), call.inputs(), checked_flags(name, model, given), a.data(),
                                      tau.data(), room, data.scratch());
}

template <class S>
void hybrid_dynamics_derivatives(const Model& model, Data<S>& data, const GivenAccelerations& given, VectorIn<S> q,
                                 VectorIn<S> v, VectorOut<S> a, VectorOut<S> tau, MatrixOut<S> dq, MatrixOut<S> dv,
                                 MatrixOut<S> dgiven, LoadsIn<S> loads,
                                 WrenchDerivatives<std::type_identity_t<S>>* wrenches) {
  const char* const name = "hybrid_dynamics_derivatives";
  const int n = model.nv();
  Call<S> call(name, model, data);
  call.q(q).v(v).loads(loads).completed_a(a).completed_tau(tau);
  call.output("dq", dq, n, n).output("dv", dv, n, n).output("dgiven", dgiven, n, n);
  const char* const flags = checked_flags(name, model, given);
  require_smooth(model, [&](int k) { return v[k] != S(0); });
  single_kernels<S>().hybrid_dynamics_derivatives(call.tree(), call.inputs(), flags, a.data(), tau.data(),
                                                  blocks_of<S>(name, dq, dv, dgiven),
                                                  blocks_of(name, model, wrenches, call), data.scratch());
}

template <class S>
void hybrid_load_derivatives(const Model& model, Data<S>& data, const GivenAccelerations& given, VectorIn<S> q,
                             const Loads<S>& loads, MatrixOut<S> dfound, WrenchesOut<S> wrenches) {
  const char* const name = "hybrid_load_derivatives";
  const char* const flags = checked_flags(name, model, given);
  by_loads<S>(name, model, data, q, loads, "dfound", dfound, wrenches,
              [&](const Inputs<S>& in, const LinearBlocks<S>& out, S* scratch) {
                single_kernels<S>().hybrid_load_derivatives(model.tree(), in, flags, out, scratch);
              });
}

void hybrid_dynamics(const Model& model, Batch& batch, const GivenAccelerations& given, bool want_wrenches) {
  const BatchRunner run("hybrid_dynamics", model, batch);
  const char* const flags = checked_flags("hybrid_dynamics", model, given);
  if (want_wrenches) run.room(batch.joint_wrenches, 6 * run.tree().joint_count);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().hybrid_dynamics(run.tree(), run.loaded_inputs(b), flags, run.values(batch.a, b),
                                  run.values(batch.tau, b),
                                  want_wrenches ? run.values(batch.joint_wrenches, b) : nullptr, scratch);
  });
}

void hybrid_dynamics_derivatives(const Model& model, Batch& batch, const GivenAccelerations& given,
                                 BatchDerivatives& found, BatchDerivatives* wrenches) {
  BatchRunner run("hybrid_dynamics_derivatives", model, batch);
  const char* const flags = checked_flags("hybrid_dynamics_derivatives", model, given);
  require_smooth(model, batch);
  const int n = model.nv();
  output(run, "found", found, n * n);
  if (wrenches) output(run, "wrenches", *wrenches, 6 * n * run.tree().joint_count);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().hybrid_dynamics_derivatives(run.tree(), run.loaded_inputs(b), flags, run.values(batch.a, b),
                                              run.values(batch.tau, b), blocks_at(b, &found, n),
                                              blocks_at(b, wrenches, 6), scratch);
  });
}

void hybrid_load_derivatives(const Model& model, Batch& batch, const GivenAccelerations& given, LaneArray& dfound,
                             LaneArray* wrenches) {
  BatchRunner run("hybrid_load_derivatives", model, batch);
  const char* const flags = checked_flags("hybrid_load_derivatives", model, given);
  by_loads(run, "dfound", dfound, wrenches,
           [&](const Inputs<double>& in, const LinearBlocks<double>& out, double* scratch) {
             run.kernels().hybrid_load_derivatives(run.tree(), in, flags, out, scratch);
           });
}

#define VERNE_INSTANTIATE(S)                                                                                        \
  template void hybrid_dynamics<S>(const Model&, Data<S>&, const GivenAccelerations&, VectorIn<S>, VectorIn<S>,     \
                                   VectorOut<S>, VectorOut<S>, const Loads<S>*, Matrix6X<S>*);                      \
  template void hybrid_dynamics_derivatives<S>(const Model&, Data<S>&, const GivenAccelerations&, VectorIn<S>,      \
                                               VectorIn<S>, VectorOut<S>, VectorOut<S>, MatrixOut<S>, MatrixOut<S>, \
                                               MatrixOut<S>, const Loads<S>*, WrenchDerivatives<S>*);               \
  template void hybrid_load_derivatives<S>(const Model&, Data<S>&, const GivenAccelerations&, VectorIn<S>,          \
                                           const Loads<S>&, MatrixOut<S>, Matrix6X<S>*);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne
