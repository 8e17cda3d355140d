#include "verne/dynamics/second_derivatives.h"

#include "dynamics/call.h"
#include "dynamics/smoothness.h"

namespace verne {

namespace {

template <class S>
Weights<S> weights_of(const char* function, const Model& model, VectorIn<S> lambda, const Matrix6X<S>* mu,
                      Call<S>& call) {
  call.input("lambda", lambda, model.nv());
  if (!mu) return {lambda.data(), nullptr};
  check_size(function, "columns of mu", static_cast<long>(model.joints().size()), mu->cols());
  call.reads("mu", mu->data(), mu->size());
  return {lambda.data(), mu->data()};
}

}  // namespace

template <class S>
void inverse_dynamics_second_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                                         VectorIn<S> lambda, SecondDerivatives<S>& out, LoadsIn<S> loads,
                                         const Matrix6X<std::type_identity_t<S>>* mu) {
  const char* const name = "inverse_dynamics_second_derivatives";
  Call<S> call(name, model, data);
  call.q(q).v(v).a(a).loads(loads);
  const Weights<S> weights = weights_of<S>(name, model, lambda, mu, call);
  for (const Matrix<S>* block : {&out.qq, &out.qv, &out.qa, &out.vv})
    call.output("out", *block, model.nv(), model.nv());
  require_smooth(model, [&](int k) { return v[k] != S(0); });
  single_kernels<S>().hessian(call.tree(), call.inputs(), weights,
                              {out.qq.data(), out.qv.data(), out.qa.data(), out.vv.data(), model.nv()}, data.scratch());
}

template <class S>
void inverse_dynamics_hessian_product(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                                      VectorIn<S> lambda, VectorIn<S> x, VectorOut<S> y, LoadsIn<S> loads,
                                      const Matrix6X<std::type_identity_t<S>>* mu) {
  const char* const name = "inverse_dynamics_hessian_product";
  Call<S> call(name, model, data);
  call.q(q).v(v).a(a).loads(loads).input("x", x, 3 * model.nv());
  const Weights<S> weights = weights_of<S>(name, model, lambda, mu, call);
  call.output("y", y, 3 * model.nv());
  require_smooth(model, [&](int k) { return v[k] != S(0); });
  single_kernels<S>().hessian_product(call.tree(), call.inputs(), weights, x.data(), y.data(), data.scratch());
}

#define VERNE_INSTANTIATE(S)                                                                                          \
  template void inverse_dynamics_second_derivatives<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, \
                                                       VectorIn<S>, SecondDerivatives<S>&, const Loads<S>*,           \
                                                       const Matrix6X<S>*);                                           \
  template void inverse_dynamics_hessian_product<S>(const Model&, Data<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>,    \
                                                    VectorIn<S>, VectorIn<S>, VectorOut<S>, const Loads<S>*,          \
                                                    const Matrix6X<S>*);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne
