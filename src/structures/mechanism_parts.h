/// The scratch memory of a mechanism, and what its functions share.
#pragma once

#include <memory>

#include "base/decompositions.h"
#include "structures/closed_dynamics.h"
#include "structures/mechanism_contents.h"
#include "structures/single_closing.h"

namespace verne {

template <class S>
struct MechanismData<S>::Parts {
  explicit Parts(const Mechanism& mechanism);

  /// The general method, for all states: tau of a motion, and all accelerations under tau, into `motion`. They leave
  /// what evaluate() does; the former the multipliers' `torques`, too, the latter `mass`.
  void solve_inverse(VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, LoadsIn<S> loads, const Values* weights,
                     VectorOut<S> tau);
  void solve_forward(VectorIn<S> q, VectorIn<S> v, VectorIn<S> tau, LoadsIn<S> loads);

  /// Loops at a state: after it, `system` and, as far as the independent coordinates tell the rest, `G` and `inverse`
  /// are those of q. Throws InputError where they do not.
  void evaluate(VectorIn<S> q, VectorIn<S> v);
  /// The same, but returns whether they do, with a condition number below this.
  bool told(VectorIn<S> q, VectorIn<S> v, double worst_condition);
  /// The dependent entries of x, from all others being set: J x + right = 0.
  void complete(const Vector<S>& right, VectorOut<S> x);
  /// Tree torques of a motion, and what of them is left along the independent coordinates: forces = Gᵀ torques.
  void tree_torques(VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, LoadsIn<S> loads);
  /// Multipliers that hold torques − B tau: those of redundant equations such that the wrenches are least, or zero.
  void solve_multipliers(VectorIn<S> tau, bool least_wrenches = true);
  /// Wrenches of loops and of joints from the multipliers.
  void write_wrenches(VectorIn<S> q, VectorIn<S> v, VectorIn<S> a, LoadsIn<S> loads, WrenchesOut<S> loop_wrenches,
                      WrenchesOut<S> joint_wrenches);

  Mechanism mechanism;
  const Mechanism::Contents& c;
  const Model& model;
  Data<S> data;
  LoopSystem<S> system;
  Data<double> real_data;
  LoopSystem<double> real_system;

  Lu<S> dependent_lu, mass_lu, actuator_lu, stress_lu;
  Matrix<S> J_dependent;  ///< independent equations, dependent velocities
  Matrix<S> inverse;      ///< of it
  Matrix<S> G;
  Vector<S> zero_v, torques, forces, right, solved, motion, other_motion, step, lambda, actuator_right;
  Matrix<S> mass, mass_G, actuators, actuators_square, stress, stress_square, redundancy;
  Vector<S> stress_right, least;
  bool nearly_singular = false;  ///< where project_state() ended
  Matrix6X<S> wrenches, unit_wrenches;
  Loads<S> loads;

  /// For real numbers: the same for most states, by sparse elimination.
  std::unique_ptr<SingleClosing> sparse;
};

/// Throws InputError that says which motion the independent coordinates do not tell.
[[noreturn]] void refuse_singular(const Mechanism::Contents& mechanism, const Eigen::MatrixXd& J);

/// Throws InputError when some motion has no inertia, whatever the state.
void require_inertia(const Mechanism::Contents& mechanism);

/// Throws std::invalid_argument when the sizes of a call are wrong.
void require_size(const char* function, const char* name, Eigen::Index expected, Eigen::Index actual);

/// 1/√weight for each actuator, 1 where no weights are given. Throws std::invalid_argument unless they are as many as
/// there are actuators, and positive.
Eigen::VectorXd torque_scales(const char* function, const Mechanism::Contents& mechanism, const Values* weights);

template <class S>
double real_of(const S& x) {
  return std::real(x);
}

}  // namespace verne
