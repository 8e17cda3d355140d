/// Second derivatives of inverse dynamics of a tree, contracted with multipliers as an optimizer needs them.
#pragma once

#include "verne/base/export.h"
#include "verne/dynamics/data.h"

namespace verne {

/// Second derivatives of λᵀtau + Σ_j μ_jᵀ W_j with respect to (q, v, a), in the exponential chart: those of
/// ε ↦ φ(q ⊕ ε, v, a). Blocks are nv x nv, the first letter counts rows; with respect to (v, a) and (a, a) they vanish.
template <class S = double>
struct SecondDerivatives {
  /// Room for a model.
  explicit SecondDerivatives(const Model& model) {
    for (Matrix<S>* block : {&qq, &qv, &qa, &vv}) block->setZero(model.nv(), model.nv());
  }
  Matrix<S> qq, qv, qa, vv;  ///< nv x nv each
};

/// `mu` (6 x joints) weighs the joint wrenches; null: not at all. Fixed joints count, too.
template <class S>
VERNE_API void inverse_dynamics_second_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                                                   VectorIn<S> a, VectorIn<S> lambda, SecondDerivatives<S>& out,
                                                   LoadsIn<S> loads = nullptr,
                                                   const Matrix6X<std::type_identity_t<S>>* mu = nullptr);

/// The same Hessian times a direction x = (x_q, x_v, x_a), without forming it: y has 3 nv entries as x has.
template <class S>
VERNE_API void inverse_dynamics_hessian_product(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                                                VectorIn<S> a, VectorIn<S> lambda, VectorIn<S> x, VectorOut<S> y,
                                                LoadsIn<S> loads = nullptr,
                                                const Matrix6X<std::type_identity_t<S>>* mu = nullptr);

/// The same with a new result.
template <class S>
SecondDerivatives<S> inverse_dynamics_second_derivatives(const Model& model, Data<S>& data, VectorIn<S> q,
                                                         VectorIn<S> v, VectorIn<S> a, VectorIn<S> lambda,
                                                         const Loads<std::type_identity_t<S>>& loads = {}) {
  SecondDerivatives<S> out(model);
  inverse_dynamics_second_derivatives(model, data, q, v, a, lambda, out, &loads);
  return out;
}

}  // namespace verne
