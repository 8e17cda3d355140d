/// Torques, accelerations, and the matrices between them. Conventions: docs/conventions.md.
///
/// tau = M(q) a + C(q, v) v + gravity(q) + friction(v) − Σ Jᵀ load, where M includes rotor inertias. For coupled joints
/// all of it is in independent coordinates. `wrenches`, where it can be given, receives for every joint of the model
/// (one column each, fixed joints included) the force and moment that the parent side exerts on the child side, at the
/// origin and in the axes of the child-side joint frame: the net load between the two bodies, bearing and actuator
/// together.
#pragma once

#include "verne/dynamics/data.h"

namespace verne {

/// tau for a motion (recursive Newton-Euler).
template <class S>
void inverse_dynamics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, VectorOut<S> tau,
                      LoadsIn<S> loads = nullptr, WrenchesOut<S> wrenches = nullptr);

/// tau at a = 0 without loads: Coriolis, centrifugal, gravity and friction.
template <class S>
void bias_torques(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorOut<S> tau);

/// tau that holds the model at rest.
template <class S>
void gravity_torques(const Model& model, Data<S>& data, VectorIn<S> q, VectorOut<S> tau);

/// a for given torques (articulated bodies; by factorizing M when joints are coupled).
template <class S>
void forward_dynamics(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> tau, VectorOut<S> a,
                      LoadsIn<S> loads = nullptr, WrenchesOut<S> wrenches = nullptr);

/// M, full and symmetric (composite rigid bodies).
template <class S>
void mass_matrix(const Model& model, Data<S>& data, VectorIn<S> q, MatrixOut<S> M);

/// M⁻¹, full and symmetric.
template <class S>
void inverse_mass_matrix(const Model& model, Data<S>& data, VectorIn<S> q, MatrixOut<S> inverse);

/// C with C v = bias − gravity − friction and Ṁ = C + Cᵀ.
template <class S>
void coriolis_matrix(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, MatrixOut<S> C);

/// Quantities of the whole model, world axes. What is fixed to the world does not count.
template <class S = double>
struct WholeBodyState {
  S kinetic_energy, potential_energy;                 ///< potential: −Σ m g·c
  Eigen::Matrix<S, 3, 1> momentum, angular_momentum;  ///< angular: about the centre of mass
  Eigen::Matrix<S, 3, 1> com, com_velocity, com_acceleration;
};
template <class S>
WholeBodyState<S> whole_body_state(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a);

/// A (6 x nv) with A v = (momentum; angular momentum about the centre of mass).
template <class S>
void centroidal_momentum_matrix(const Model& model, Data<S>& data, VectorIn<S> q, Matrix6XOut<S> A);

}  // namespace verne
