/// Where the torques of a simulation come from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verne/simulate/simulate.h"
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
TorqueLaw torque_law(const Model& model, const TorqueSource& from);
/// The times at which a replayed motion is not smooth.
std::vector<double> jumps_of(const TorqueSource& source);

}  // namespace verne::cli
