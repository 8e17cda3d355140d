/// Finds closed configurations.
#pragma once

#include <optional>
#include <string>

#include "structures/mechanism_contents.h"

namespace verne {

/// An open loop: which, by how much, and in what.
struct Gap {
  int equation = -1;
  double size = 0;
  bool mirrored = false;  ///< the equations hold, but the frames point in opposite directions
};

/// Moves the coordinates that belong to the velocities `free` (entries of v) from q to the nearest closed
/// configuration, by the damped method of docs/theory/loops.md. Returns the widest gap where it finds none.
std::optional<Gap> close_loops(const Mechanism::Contents& mechanism, Data<double>& data, LoopSystem<double>& system,
                               std::span<const int> free, Eigen::Ref<Eigen::VectorXd> q);

/// The widest gap of an evaluated system that is more than `tolerance`, if there is one. Redundant equations may be
/// open by the mechanism's slack.
std::optional<Gap> widest_gap(const Mechanism::Contents& mechanism, const LoopSystem<double>& system, double tolerance);

/// Whether what is open is so little that it is a file's rounding.
bool is_closed_but_for_rounding(const Mechanism::Contents& mechanism, const std::optional<Gap>& gap);

/// Metres, or radians, by which loops that are called closed may be open.
double closed_tolerance(const Mechanism::Contents& mechanism);

/// `loop 'closing' stays open by 0.1 m (d_x)`
std::string gap_text(const Mechanism::Contents& mechanism, const Gap& gap);

}  // namespace verne
