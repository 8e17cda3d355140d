/// Exact derivatives of the dynamics of trees, by recursions (docs/theory/sensitivities.md); of loops, structures/.
///
/// Derivatives with respect to q are in the tangent space: column k is the derivative along q ⊕ (ε e_k). They are
/// functions of the same arguments as what they differentiate and throw what that would; friction of zero width is
/// refused with InputError where v = 0.
#pragma once

#include "verne/base/export.h"
#include "verne/dynamics/data.h"

namespace verne {

/// Derivatives of the wrench through every joint with respect to q, v and a (or tau): 6 x nv each, side by side.
template <class S = double>
struct WrenchDerivatives {
  /// Room for all joints of a model.
  explicit WrenchDerivatives(const Model& model) : nv_(model.nv()) {
    const long columns = static_cast<long>(model.joints().size()) * nv_;
    for (Matrix6X<S>* block : {&dq, &dv, &dx}) block->setZero(6, columns);
  }
  Matrix6X<S> dq, dv, dx;  ///< dx: with respect to a for inverse, to tau for forward dynamics

  /// The 6 x nv block of a joint in one of the above: `w.joint(w.dq, k)`.
  auto joint(const Matrix6X<S>& all, int k) const { return all.middleCols(k * nv_, nv_); }

 private:
  int nv_;
};

/// ∂tau/∂q, ∂tau/∂v, ∂tau/∂a = M, and unless null those of the joint wrenches.
template <class S>
VERNE_API void inverse_dynamics_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                                            VectorIn<S> a, MatrixOut<S> dtau_dq, MatrixOut<S> dtau_dv,
                                            MatrixOut<S> dtau_da, LoadsIn<S> loads = nullptr,
                                            WrenchDerivatives<std::type_identity_t<S>>* wrenches = nullptr);

/// a(q, v, tau), ∂a/∂q, ∂a/∂v, ∂a/∂tau = M⁻¹, and unless null those of the joint wrenches. a is that of
/// forward_dynamics() up to rounding.
template <class S>
VERNE_API void forward_dynamics_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                                            VectorIn<S> tau, VectorOut<S> a, MatrixOut<S> da_dq, MatrixOut<S> da_dv,
                                            MatrixOut<S> da_dtau, LoadsIn<S> loads = nullptr,
                                            WrenchDerivatives<std::type_identity_t<S>>* wrenches = nullptr);

// The same with named results: give one that is there already, or get a new one. ------------------------------------

/// nv x nv each.
template <class S = double>
struct TorqueDerivatives {
  /// Room for a model.
  explicit TorqueDerivatives(const Model& model) {
    for (Matrix<S>* block : {&dq, &dv, &da}) block->setZero(model.nv(), model.nv());
  }
  Matrix<S> dq, dv;  ///< by q and v
  Matrix<S> da;      ///< the mass matrix
};
/// Accelerations and their derivatives, nv x nv each.
template <class S = double>
struct AccelerationDerivatives {
  /// Room for a model.
  explicit AccelerationDerivatives(const Model& model) : a(Vector<S>::Zero(model.nv())) {
    for (Matrix<S>* block : {&dq, &dv, &dtau}) block->setZero(model.nv(), model.nv());
  }
  Vector<S> a;       ///< the accelerations themselves
  Matrix<S> dq, dv;  ///< by q and v
  Matrix<S> dtau;    ///< the inverse of the mass matrix
};

/// Writes to a result that is there already.
template <class S>
void inverse_dynamics_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                                  TorqueDerivatives<S>& tau, LoadsIn<S> loads = nullptr,
                                  WrenchDerivatives<std::type_identity_t<S>>* wrenches = nullptr) {
  inverse_dynamics_derivatives(model, data, q, v, a, tau.dq, tau.dv, tau.da, loads, wrenches);
}
/// With a new result.
template <class S>
TorqueDerivatives<S> inverse_dynamics_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                                                  VectorIn<S> a, const Loads<std::type_identity_t<S>>& loads = {}) {
  TorqueDerivatives<S> out(model);
  inverse_dynamics_derivatives(model, data, q, v, a, out, &loads);
  return out;
}
/// Writes to a result that is there already.
template <class S>
void forward_dynamics_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> tau,
                                  AccelerationDerivatives<S>& a, LoadsIn<S> loads = nullptr,
                                  WrenchDerivatives<std::type_identity_t<S>>* wrenches = nullptr) {
  forward_dynamics_derivatives(model, data, q, v, tau, a.a, a.dq, a.dv, a.dtau, loads, wrenches);
}
/// With a new result.
template <class S>
AccelerationDerivatives<S> forward_dynamics_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                                                        VectorIn<S> tau,
                                                        const Loads<std::type_identity_t<S>>& loads = {}) {
  AccelerationDerivatives<S> out(model);
  forward_dynamics_derivatives(model, data, q, v, tau, out, &loads);
  return out;
}
/// Of all joint wrenches of a motion.
template <class S>
WrenchDerivatives<S> joint_wrench_derivatives(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                                              VectorIn<S> a, const Loads<std::type_identity_t<S>>& loads = {}) {
  WrenchDerivatives<S> out(model);
  TorqueDerivatives<S> tau(model);
  inverse_dynamics_derivatives(model, data, q, v, a, tau, &loads, &out);
  return out;
}

}  // namespace verne
