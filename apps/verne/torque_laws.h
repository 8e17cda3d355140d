/// Where the torques of a simulation come from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "time_table.h"
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

/// Torques over time from a table with columns `tau.NAME` or NAME; between rows they are linear, beyond the ends
/// constant. Throws InputError with file, line and column, also for torques of what nothing drives and of coordinates
/// whose motion is prescribed.
TimeTable parse_torques(const std::string& text, const std::string& file, const Model& model,
                        std::span<const int> prescribed = {});

/// All that may act: torques in advance (a table, or those of a motion that was predicted), and feedback, which wants
/// the motion that is replayed, or a posture at rest.
struct TorqueSource {
  std::optional<TimeTable> table;
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
