/// Where the torques of a simulation come from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "replay.h"
#include "time_table.h"
#include "verne/simulate/simulate.h"

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

/// What may act beside the torques of a motion that is replayed: those of a table, and feedback, which wants that
/// motion or a posture at rest.
struct TorqueSource {
  std::optional<TimeTable> table;
  std::optional<Gains> gains;
  Values wanted;      ///< configuration, for gains without a motion
  std::string words;  ///< for people
};
/// Of the mechanism that is simulated, which in a motion that is replayed is that of a phase.
TorqueLaw torque_law(const Mechanism& mechanism, const TorqueSource& from, const ReplayedPhase* replayed = nullptr);
/// The times at which torques in advance are not smooth.
std::vector<double> jumps_of(const TorqueSource& source, const Replay* replay);

}  // namespace verne::cli
