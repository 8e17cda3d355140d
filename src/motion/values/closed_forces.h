/// Efforts and wrenches of motions with closed loops, state by state, for results and as a check of the program.
#pragma once

#include "structures/closed_dynamics.h"
#include "verne/motion/task.h"

namespace verne {

/// What a planned motion of a mechanism needs, one state at a time and by the functions of structures/: the independent
/// check of LoopReactions, and what is shown. NaN at a state where the mechanism is singular.
class ClosedForces {
 public:
  explicit ClosedForces(const Task& task);

  /// Efforts of all freedoms of the tree: those of motors, the least where they share; of passive ones what would be
  /// needed, zero if it follows from the loops.
  void find_efforts(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a);
  /// The wrenches of joints and loops under these efforts, too.
  void find_wrenches(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  /// Accelerations of the tree under the efforts of the motors.
  void accelerate(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::Ref<Eigen::VectorXd> a);

  Eigen::VectorXd efforts;
  Matrix6X<double> joint_wrenches, loop_wrenches;

 private:
  void take_motors();
  void choose_anew(const Eigen::VectorXd& q);
  /// Asks the mechanism about a state; once more with other independent coordinates where these do not tell the rest.
  template <class Ask>
  bool ask(const Eigen::VectorXd& q, const Ask& question);

  Mechanism mechanism_;
  MechanismData<double> data_;
  Loads<double> loads_;
  std::vector<int> drives_;
  Eigen::VectorXd along_, shares_, motors_, a_;  // shares_: 1 / √weight of each drive
  Eigen::MatrixXd G_;
};

}  // namespace verne
