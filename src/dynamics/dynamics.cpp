#include "verne/dynamics/dynamics.h"

#include "dynamics/call.h"
#include "dynamics/singular.h"

namespace verne {

namespace {

template <class Out>
int outer(const Out& out) {
  return static_cast<int>(out.outerStride());
}

}  // namespace

template <class S>
void inverse_dynamics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, VectorOut<S> tau,
                      LoadsIn<S> loads, WrenchesOut<S> wrenches) {
  Call<S> call("inverse_dynamics", model, data);
  call.q(q).v(v).a(a).loads(loads).output("tau", tau, call.nv());
  S* const room = call.wrenches(wrenches);
  single_kernels<S>().inverse_dynamics(call.tree(), call.inputs(), tau.data(), room, data.scratch());
}

template <class S>
void bias_torques(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorOut<S> tau) {
  Call<S> call("bias_torques", model, data);
  call.q(q).v(v).output("tau", tau, call.nv());
  single_kernels<S>().inverse_dynamics(call.tree(), call.inputs(), tau.data(), nullptr, data.scratch());
}

template <class S>
void gravity_torques(const Model& model, Data<S>& data, VectorIn<S> q, VectorOut<S> tau) {
  Call<S> call("gravity_torques", model, data);
  call.q(q).output("tau", tau, call.nv());
  single_kernels<S>().gravity_torques(call.tree(), call.inputs(), tau.data(), data.scratch());
}

template <class S>
void forward_dynamics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> tau, VectorOut<S> a,
                      LoadsIn<S> loads, WrenchesOut<S> wrenches) {
  Call<S> call("forward_dynamics", model, data);
  call.q(q).v(v).tau(tau).loads(loads).output("a", a, call.nv());
  S* const room = call.wrenches(wrenches);
  require_invertible("forward_dynamics", model);
  single_kernels<S>().forward_dynamics(call.tree(), call.inputs(), a.data(), room, data.scratch());
}

template <class S>
void mass_matrix(const Model& model, Data<S>& data, VectorIn<S> q, MatrixOut<S> M) {
  Call<S> call("mass_matrix", model, data);
  call.q(q).output("M", M, call.nv(), call.nv());
  single_kernels<S>().mass_matrix(call.tree(), call.inputs(), M.data(), outer(M), data.scratch());
}

template <class S>
void inverse_mass_matrix(const Model& model, Data<S>& data, VectorIn<S> q, MatrixOut<S> inverse) {
  Call<S> call("inverse_mass_matrix", model, data);
  call.q(q).output("inverse", inverse, call.nv(), call.nv());
  require_invertible("inverse_mass_matrix", model);
  single_kernels<S>().inverse_mass_matrix(call.tree(), call.inputs(), inverse.data(), outer(inverse), data.scratch());
}

template <class S>
void coriolis_matrix(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, MatrixOut<S> C) {
  Call<S> call("coriolis_matrix", model, data);
  call.q(q).v(v).output("C", C, call.nv(), call.nv());
  single_kernels<S>().coriolis_matrix(call.tree(), call.inputs(), C.data(), outer(C), data.scratch());
}

template <class S>
void detail::whole_body_values(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                               S* values) {
  Call<S> call("whole_body_state", model, data);
  call.q(q).v(v).a(a);
  single_kernels<S>().whole_body(call.tree(), call.inputs(), values, data.scratch());
}

template <class S>
void centroidal_momentum_matrix(const Model& model, Data<S>& data, VectorIn<S> q, Matrix6XOut<S> A) {
  Call<S> call("centroidal_momentum_matrix", model, data);
  call.q(q).output("A", A, 6, call.nv());
  single_kernels<S>().centroidal_momentum_matrix(call.tree(), call.inputs(), A.data(), outer(A), data.scratch());
}

#define VERNE_INSTANTIATE(S)                                                                                     \
  template void inverse_dynamics<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, VectorOut<S>, \
                                    LoadsIn<S>, WrenchesOut<S>);                                                 \
  template void bias_torques<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorOut<S>);                 \
  template void gravity_torques<S>(const Model&, Data<S>&, VectorIn<S>, VectorOut<S>);                           \
  template void forward_dynamics<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, VectorOut<S>, \
                                    LoadsIn<S>, WrenchesOut<S>);                                                 \
  template void mass_matrix<S>(const Model&, Data<S>&, VectorIn<S>, MatrixOut<S>);                               \
  template void inverse_mass_matrix<S>(const Model&, Data<S>&, VectorIn<S>, MatrixOut<S>);                       \
  template void coriolis_matrix<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, MatrixOut<S>);              \
  template void detail::whole_body_values<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, S*); \
  template void centroidal_momentum_matrix<S>(const Model&, Data<S>&, VectorIn<S>, Matrix6XOut<S>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne
