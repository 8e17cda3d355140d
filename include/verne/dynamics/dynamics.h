/// Torques, accelerations, and the matrices between them, of a tree: loops are not seen (structures/system.h).
/// Conventions: docs/conventions.md.
/// tau = M(q) a + C(q, v) v + gravity(q) + friction(v) + springs(q) − Σ Jᵀ load, where M includes rotor inertias. For
/// coupled joints all of it is in independent coordinates. `wrenches`, where it can be given, receives for every joint
/// of the model (one column each, fixed joints included) the force and moment that the parent side exerts on the child
/// side, at the origin and in the axes of the child-side joint frame: the net load between the two bodies, bearing and
/// actuator together.
#pragma once

#include "verne/base/export.h"
#include "verne/dynamics/data.h"

namespace verne {

/// tau for a motion (recursive Newton-Euler).
template <class S>
VERNE_API void inverse_dynamics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                                VectorOut<S> tau, LoadsIn<S> loads = nullptr, WrenchesOut<S> wrenches = nullptr);

/// tau at a = 0 without loads: Coriolis, centrifugal, gravity, friction and springs.
template <class S>
VERNE_API void bias_torques(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorOut<S> tau);

/// tau that holds the model at rest: gravity and springs.
template <class S>
VERNE_API void gravity_torques(const Model& model, Data<S>& data, VectorIn<S> q, VectorOut<S> tau);

/// a for given torques (articulated bodies; by factorizing M when joints are coupled).
template <class S>
VERNE_API void forward_dynamics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> tau,
                                VectorOut<S> a, LoadsIn<S> loads = nullptr, WrenchesOut<S> wrenches = nullptr);

/// M, full and symmetric (composite rigid bodies).
template <class S>
VERNE_API void mass_matrix(const Model& model, Data<S>& data, VectorIn<S> q, MatrixOut<S> M);

/// M⁻¹, full and symmetric.
template <class S>
VERNE_API void inverse_mass_matrix(const Model& model, Data<S>& data, VectorIn<S> q, MatrixOut<S> inverse);

/// C with C v = bias − gravity − friction and Ṁ = C + Cᵀ.
template <class S>
VERNE_API void coriolis_matrix(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, MatrixOut<S> C);

/// Quantities of the whole model, world axes. What is fixed to the world does not count.
template <class S = double>
struct WholeBodyState {
  S kinetic_energy, potential_energy;                          ///< potential: −Σ m g·c, and that of springs
  Eigen::Matrix<S, 3, 1> momentum, angular_momentum;           ///< angular: about the centre of mass
  Eigen::Matrix<S, 3, 1> com, com_velocity, com_acceleration;  ///< of the centre of mass
};
namespace detail {
/// The members of WholeBodyState one after the other.
template <class S>
VERNE_API void whole_body_values(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                                 S* values);
}  // namespace detail
/// Energies, momentum and the motion of the centre of mass.
template <class S>
WholeBodyState<S> whole_body_state(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a) {
  S x[17];
  detail::whole_body_values(model, data, q, v, a, x);
  const auto vec = [&](int k) { return Vector3<S>(x[k], x[k + 1], x[k + 2]); };
  return {x[0], x[1], vec(2), vec(5), vec(8), vec(11), vec(14)};
}

/// A (6 x nv) with A v = (momentum; angular momentum about the centre of mass).
template <class S>
VERNE_API void centroidal_momentum_matrix(const Model& model, Data<S>& data, VectorIn<S> q, Matrix6XOut<S> A);

// The same with new results, for scripts and where allocation does not matter. -------------------------------------

/// Torques of a motion, and the wrenches in the joints.
template <class S = double>
struct TorquesAndWrenches {
  Vector<S> tau;         ///< one for each velocity
  Matrix6X<S> wrenches;  ///< a column for every joint of the model
};
/// Accelerations under torques, and the wrenches in the joints.
template <class S = double>
struct AccelerationsAndWrenches {
  Vector<S> a;           ///< one for each velocity
  Matrix6X<S> wrenches;  ///< a column for every joint of the model
};

/// Torques of a motion.
template <class S>
Vector<S> inverse_dynamics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                           const Loads<std::type_identity_t<S>>& loads = {}) {
  Vector<S> tau(model.nv());
  inverse_dynamics(model, data, q, v, a, tau, &loads);
  return tau;
}
/// Torques of a motion, and the wrench in every joint.
template <class S>
TorquesAndWrenches<S> inverse_dynamics_and_wrenches(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v,
                                                    VectorIn<S> a, const Loads<std::type_identity_t<S>>& loads = {}) {
  TorquesAndWrenches<S> out{Vector<S>(model.nv()), Matrix6X<S>(6, model.joints().size())};
  inverse_dynamics(model, data, q, v, a, out.tau, &loads, &out.wrenches);
  return out;
}
/// Torques at a = 0 without loads.
template <class S>
Vector<S> bias_torques(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v) {
  Vector<S> tau(model.nv());
  bias_torques(model, data, q, v, tau);
  return tau;
}
/// Torques that hold the model at rest.
template <class S>
Vector<S> gravity_torques(const Model& model, Data<S>& data, VectorIn<S> q) {
  Vector<S> tau(model.nv());
  gravity_torques(model, data, q, tau);
  return tau;
}
/// Accelerations under given torques.
template <class S>
Vector<S> forward_dynamics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> tau,
                           const Loads<std::type_identity_t<S>>& loads = {}) {
  Vector<S> a(model.nv());
  forward_dynamics(model, data, q, v, tau, a, &loads);
  return a;
}
/// Accelerations under given torques, and the wrench in every joint.
template <class S>
AccelerationsAndWrenches<S> forward_dynamics_and_wrenches(const Model& model, Data<S>& data, VectorIn<S> q,
                                                          VectorIn<S> v, VectorIn<S> tau,
                                                          const Loads<std::type_identity_t<S>>& loads = {}) {
  AccelerationsAndWrenches<S> out{Vector<S>(model.nv()), Matrix6X<S>(6, model.joints().size())};
  forward_dynamics(model, data, q, v, tau, out.a, &loads, &out.wrenches);
  return out;
}
/// M, full and symmetric.
template <class S>
Matrix<S> mass_matrix(const Model& model, Data<S>& data, VectorIn<S> q) {
  Matrix<S> M(model.nv(), model.nv());
  mass_matrix(model, data, q, M);
  return M;
}
/// M⁻¹, full and symmetric.
template <class S>
Matrix<S> inverse_mass_matrix(const Model& model, Data<S>& data, VectorIn<S> q) {
  Matrix<S> inverse(model.nv(), model.nv());
  inverse_mass_matrix(model, data, q, inverse);
  return inverse;
}
/// C with Ṁ = C + Cᵀ.
template <class S>
Matrix<S> coriolis_matrix(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v) {
  Matrix<S> C(model.nv(), model.nv());
  coriolis_matrix(model, data, q, v, C);
  return C;
}
/// A (6 x nv) of the momentum.
template <class S>
Matrix6X<S> centroidal_momentum_matrix(const Model& model, Data<S>& data, VectorIn<S> q) {
  Matrix6X<S> A(6, model.nv());
  centroidal_momentum_matrix(model, data, q, A);
  return A;
}

}  // namespace verne
