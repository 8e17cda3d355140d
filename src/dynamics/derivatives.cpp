#include "verne/dynamics/derivatives.h"

#include "dynamics/blocks.h"
#include "dynamics/singular.h"
#include "dynamics/smoothness.h"

namespace verne {

template <class S>
void inverse_dynamics_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                                  MatrixOut<S> dtau_dq, MatrixOut<S> dtau_dv, MatrixOut<S> dtau_da, LoadsIn<S> loads,
                                  WrenchDerivatives<std::type_identity_t<S>>* wrenches) {
  const char* const name = "inverse_dynamics_derivatives";
  Call<S> call(name, model, data);
  const int n = call.nv();
  call.q(q).v(v).a(a).loads(loads);
  call.output("dtau_dq", dtau_dq, n, n).output("dtau_dv", dtau_dv, n, n).output("dtau_da", dtau_da, n, n);
  require_smooth(model, [&](int k) { return v[k] != S(0); });
  single_kernels<S>().inverse_dynamics_derivatives(call.tree(), call.inputs(),
                                                   blocks_of<S>(name, dtau_dq, dtau_dv, dtau_da),
                                                   blocks_of(name, model, wrenches, call), data.scratch());
}

template <class S>
void forward_dynamics_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> tau,
                                  VectorOut<S> a, MatrixOut<S> da_dq, MatrixOut<S> da_dv, MatrixOut<S> da_dtau,
                                  LoadsIn<S> loads, WrenchDerivatives<std::type_identity_t<S>>* wrenches) {
  const char* const name = "forward_dynamics_derivatives";
  Call<S> call(name, model, data);
  const int n = call.nv();
  call.q(q).v(v).tau(tau).loads(loads).output("a", a, n);
  call.output("da_dq", da_dq, n, n).output("da_dv", da_dv, n, n).output("da_dtau", da_dtau, n, n);
  require_invertible(name, model);
  require_smooth(model, [&](int k) { return v[k] != S(0); });
  single_kernels<S>().forward_dynamics_derivatives(call.tree(), call.inputs(), a.data(),
                                                   blocks_of<S>(name, da_dq, da_dv, da_dtau),
                                                   blocks_of(name, model, wrenches, call), data.scratch());
}

#define VERNE_INSTANTIATE(S)                                                                                   \
  template void inverse_dynamics_derivatives<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, \
                                                MatrixOut<S>, MatrixOut<S>, MatrixOut<S>, const Loads<S>*,     \
                                                WrenchDerivatives<S>*);                                        \
  template void forward_dynamics_derivatives<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, \
                                                VectorOut<S>, MatrixOut<S>, MatrixOut<S>, MatrixOut<S>,        \
                                                const Loads<S>*, WrenchDerivatives<S>*);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne
