/// Motions that were predicted, as a simulation replays them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "structures/closed_dynamics.h"
#include "verne/simulate/simulate.h"
#include "verne/trajectory/trajectory.h"

namespace verne::cli {

/// A stretch of a motion, and what moved and acted in it.
struct ReplayedPhase {
  Mechanism mechanism;
  Trajectory motion;  ///< its time begins with the phase
  double start = 0;   ///< s
  Loads<double> loads{};
  std::optional<Values> weights{};  ///< by which motors share, where they are more than it takes
  bool last = true;

  double end() const { return start + motion.duration(); }
};

/// The motion of a solution file in its phases.
struct Replay {
  Model model;  ///< all the way
  std::vector<ReplayedPhase> phases;
};
/// What links carry, which contacts hold and what acts is as in the task of the file, on `model`. Where the task does
/// not fit it, or stands on the ground, which pushes as the motion demands, the model alone moves, as `splined`: with
/// chains of one-axis joints. Throws InputError when the file has no motion of the model.
Replay read_replay(const std::string& file, const Model& model, const Model& splined);

/// A phase as a mechanism can do it: loops, which the splines keep closed nearly, are closed by the nearest motion that
/// does. Memory for one thread.
class ReplayedMotion {
 public:
  /// Throws InputError where the mechanism has less actuators than can move.
  explicit ReplayedMotion(ReplayedPhase phase);

  /// Sets all below; at and behind the end of the last phase its last state is held.
  void go_to(double t);
  Eigen::VectorXd q, v, a;
  Eigen::VectorXd tau;  ///< of all velocities of the tree

 private:
  void close();

  ReplayedPhase phase_;
  Data<double> data_;
  MechanismData<double> closed_;
};

/// Torques are found from the motion, and are others than those of the file where something acted that is not known.
/// Returns the text that says so, if they are.
std::string other_torques(const std::string& file, const Replay& replay);

}  // namespace verne::cli
