/// What moves in a simulation, and by which equations (docs/theory/simulation.md).
#pragma once

#include <optional>
#include <span>

#include "dynamics/hybrid.h"
#include "simulate/dry_friction.h"
#include "structures/closed_dynamics.h"
#include "structures/passing_dynamics.h"
#include "structures/singularity_crossing.h"
#include "verne/simulate/simulate.h"

namespace verne {

/// The equations of motion of y = (q, v, work), and what they are made of at one state. Where joints can stick, an
/// entry before the work, ∫ DryFriction::load() dt, makes steps follow what friction bears while nothing moves.
class MotionEquations {
 public:
  /// Throws InputError where a joint cannot be prescribed. References are kept.
  MotionEquations(const SimulationPhase& phase, const PrescribedMotion& prescribed);

  const Model& model() const { return model_; }
  int size() const { return nq_ + nv_ + (dry_.any() ? 2 : 1); }
  /// y without work.
  std::vector<double> state(std::span<const double> q, std::span<const double> v) const;
  Eigen::Map<const Eigen::VectorXd> q(std::span<const double> y) const { return {y.data(), nq_}; }
  Eigen::Map<const Eigen::VectorXd> v(std::span<const double> y) const { return {y.data() + nq_, nv_}; }

  void rate(double t, std::span<const double> y, std::span<double> out);
  /// tau and a at a state, and the wrenches if they are wanted.
  void solve(double t, std::span<const double> y, bool wrenches);

  /// Whether some states are none that it can be in, and the nearest that is one: loops closed, quaternions of length
  /// one, prescribed coordinates where they are to be, and velocities that keep all this.
  bool constrained() const;
  bool project(double t, std::span<double> y);
  /// Whether project() ended in a nearly singular configuration.
  bool at_singularity() { return !model_.loops().empty() && nearly_singular(closed_data_); }
  /// The loops' equations where project() ended, made square (singularity_crossing.h).
  Eigen::MatrixXd completed_equations(const Eigen::MatrixXd& before) {
    return verne::completed_equations(closed_data_, fixed_v_, before);
  }
  double length() const { return mechanism_.length(); }
  /// By how much loops are open.
  double opening(std::span<const double> y) { return largest_opening(mechanism_, closed_data_, q(y)); }
  /// By how much the prescribed entry of q or v that is farthest off is off.
  double off_prescribed(double t, std::span<const double> y);

  /// So many functions fall below zero where joints come to rest or break loose.
  int friction_events() const { return dry_.count(); }
  void put_friction_margins(double t, std::span<const double> y, std::span<double> margins);
  /// Decides which joints stick and which slip from here on, and stops those that are at rest but for rounding.
  /// `crossed` says which margins did, unless it is empty. Throws InputError where that cannot be told.
  void decide_friction(double t, std::span<double> y, std::span<const int> crossed = {});
  /// Names of the joints that a state of margins is about.
  std::string friction_names(std::span<const int> crossed) const;

  /// With that of rotors, which the energy of the links leaves out: the mass matrix has them, also of coupled joints.
  double kinetic_energy(std::span<const double> y);
  double potential_energy(std::span<const double> y);

  Eigen::VectorXd tau, a;
  Matrix6X<double> loops, joints;

 private:
  std::size_t nv_span() const { return static_cast<std::size_t>(nv_); }
  int motor(Eigen::Index k) const { return mechanism_.actuated()[static_cast<std::size_t>(k)]; }
  void give_accelerations();
  void stop_resting(double t, std::span<double> y);
  Eigen::MatrixXd responses(std::span<const double> y, const std::vector<int>& velocities);
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
  std::vector<int> given_q_, given_v_;
  std::vector<double> q_wanted_, v_wanted_, a_wanted_;
  DryFriction dry_;
  std::vector<int> fixed_v_;  ///< velocities that are given: prescribed, or held by friction
  GivenAccelerations given_;  ///< their accelerations
  Eigen::VectorXd speed_;     ///< v, zero where friction holds
  Eigen::VectorXd drive_;     ///< tau, and what makes friction that of dry_
};

}  // namespace verne
