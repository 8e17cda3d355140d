/// Exact derivatives of the dynamics, by recursions (docs/theory/sensitivities.md).
///
/// Derivatives with respect to q are in the tangent space: column k is the derivative along q ⊕ (ε e_k). They are
/// functions of the same arguments as what they differentiate and throw what that would; friction of zero width is
/// refused with InputError where v = 0.
#pragma once

#include "verne/dynamics/data.h"

namespace verne {

/// Derivatives of the wrench through every joint with respect to q, v and a (or tau): 6 x nv each, side by side.
template <class S = double>
struct WrenchDerivatives {
  explicit WrenchDerivatives(const Model& model);
  Matrix6X<S> dq, dv, dx;  ///< dx: with respect to a for inverse, to tau for forward dynamics

  /// The 6 x nv block of a joint in one of the above.
  auto joint(const Matrix6X<S>& all, int k) const { return all.middleCols(k * nv_, nv_); }

 private:
  int nv_;
};

/// ∂tau/∂q, ∂tau/∂v, ∂tau/∂a = M, and unless null those of the joint wrenches.
template <class S>
void inverse_dynamics_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                                  MatrixOut<S> dtau_dq, MatrixOut<S> dtau_dv, MatrixOut<S> dtau_da,
                                  LoadsIn<S> loads = nullptr,
                                  WrenchDerivatives<std::type_identity_t<S>>* wrenches = nullptr);

/// a(q, v, tau), ∂a/∂q, ∂a/∂v, ∂a/∂tau = M⁻¹, and unless null those of the joint wrenches. a is that of
/// forward_dynamics() up to rounding.
template <class S>
void forward_dynamics_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> tau,
                                  VectorOut<S> a, MatrixOut<S> da_dq, MatrixOut<S> da_dv, MatrixOut<S> da_dtau,
                                  LoadsIn<S> loads = nullptr,
                                  WrenchDerivatives<std::type_identity_t<S>>* wrenches = nullptr);

}  // namespace verne
