/// Where the torques of a simulation come from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verne/simulate/simulate.h"
#include "verne/structures/closed_dynamics.h"
#include "verne/trajectory/trajectory.h"

namespace verne::cli {

/// Gains of τ = kp (q_wanted − q) + kd (v_wanted − v), for every actuated velocity alike.
struct Gains {
  double kp = 0, kd = 0;
};
/// From KP,KD.
Gains parse_gains(const std::string& text);

/// Torques over time from a table with a column `time` and columns `tau.NAME` (as in motion.csv) or NAME; between rows
/// they are linear, beyond the ends constant.
struct TorqueTable {
  std::vector<double> time;
  std::vector<int> velocity;                 ///< of each column
  std::vector<std::vector<double>> columns;  ///< one value per time
};
/// Throws InputError with file, line and column.
TorqueTable parse_torques(const std::string& text, const std::string& file, const Model& model);

/// All that may act: torques in advance (a table, or those of a motion that was predicted), and feedback, which wants
/// the motion that is replayed, or a posture at rest.
struct TorqueSource {
  std::optional<TorqueTable> table;
  std::optional<Trajectory> motion;
  std::optional<Gains> gains;
  Values wanted;      ///< configuration, for gains without a motion
  std::string words;  ///< for people
};
/// Of the mechanism that is simulated.
TorqueLaw torque_law(const Mechanism& mechanism, const TorqueSource& from);
/// The times at which torques in advance are not smooth.
std::vector<double> jumps_of(const TorqueSource& source);

/// A motion of splines as a mechanism can do it: loops, which the splines keep closed nearly, are closed, and all moves
/// as the independent coordinates do. Memory for one thread.
class ReplayedMotion {
 public:
  /// Throws InputError where the mechanism has less actuators than can move.
  ReplayedMotion(const Mechanism& mechanism, Trajectory motion);

  /// Sets all below; at and behind its end the last state is held.
  void go_to(double t);
  Eigen::VectorXd q, v, a;
  Eigen::VectorXd tau;  ///< of all velocities of the tree

 private:
  void close();

  Mechanism mechanism_;
  Trajectory motion_;
  Data<double> data_;
  MechanismData<double> closed_;
};

}  // namespace verne::cli
