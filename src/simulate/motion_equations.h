/// What moves in a simulation, and by which equations (docs/theory/simulation.md).
#pragma once

#include <optional>
#include <span>

#include "verne/dynamics/hybrid.h"
#include "verne/simulate/simulate.h"
#include "verne/structures/closed_dynamics.h"

namespace verne {

/// The equations of motion of y = (q, v, work), and what they are made of at one state.
class MotionEquations {
 public:
  /// Throws InputError where a joint cannot be prescribed. References are kept.
  MotionEquations(const SimulationPhase& phase, const PrescribedMotion& prescribed);

  const Model& model() const { return model_; }
  int size() const { return nq_ + nv_ + 1; }
  Eigen::Map<const Eigen::VectorXd> q(std::span<const double> y) const { return {y.data(), nq_}; }
  Eigen::Map<const Eigen::VectorXd> v(std::span<const double> y) const { return {y.data() + nq_, nv_}; }

  void rate(double t, std::span<const double> y, std::span<double> out);
  /// tau and a at a state, and the wrenches if they are wanted.
  void solve(double t, std::span<const double> y, bool wrenches);

  /// Whether some states are none that it can be in, and the nearest that is one: loops closed, quaternions of length
  /// one, prescribed coordinates where they are to be, and velocities that keep all this.
  bool constrained() const;
  bool project(double t, std::span<double> y);
  /// By how much loops are open.
  double opening(std::span<const double> y) { return largest_opening(mechanism_, closed_data_, q(y)); }
  /// By how much the prescribed entry of q or v that is farthest off is off.
  double off_prescribed(double t, std::span<const double> y);

  /// With that of rotors, which the energy of the links leaves out: the mass matrix has them, also of coupled joints.
  double kinetic_energy(std::span<const double> y);
  double potential_energy(std::span<const double> y);

  Eigen::VectorXd tau, a;
  Matrix6X<double> loops, joints;

 private:
  std::size_t nv_span() const { return static_cast<std::size_t>(nv_); }
  int motor(Eigen::Index k) const { return mechanism_.actuated()[static_cast<std::size_t>(k)]; }
  void take_prescribed(const PrescribedMotion& prescribed);
  void solve_prescribed(double t, std::span<const double> y, bool wrenches);
  Eigen::VectorXd position_rate(std::span<const double> y);
  double friction_power(std::span<const double> y);
  double load_power(std::span<const double> y);

  const Mechanism& mechanism_;
  const Model& model_;
  const TorqueLaw& law_;
  const Loads<double>& loads_;
  const PrescribedMotion& prescribed_;
  int nq_, nv_;
  Data<double> data_;
  Data<std::complex<double>> complex_data_;
  MechanismData<double> closed_data_;
  std::optional<Model> smooth_;  ///< without friction, of a model that has some
  std::optional<Data<double>> smooth_data_;
  Eigen::VectorXd motors_;
  // Of the prescribed coordinates: which they are, and how they move.
  GivenAccelerations given_;
  std::vector<int> given_q_, given_v_;
  std::vector<double> q_wanted_, v_wanted_, a_wanted_;
};

}  // namespace verne
