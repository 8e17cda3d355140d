/// Knots where the efforts of a minimum-time motion jump from one limit to another.
#pragma once

#include <optional>

#include "motion/program.h"

namespace verne {

/// Times at which some effort goes from one of its limits to the other: docs/theory/motion.md, (19).
std::vector<double> switch_times(const Task& task, const Trajectory& trajectory);

/// A grid whose pieces lie between the switches: about `spans` in all, even within a piece, with knots at the switches
/// that let the acceleration jump; and the given curve on it, as near as it gets. The proportions of the pieces are
/// kept: as variables they make many poor local minima, and an error in them costs only in second order. Nothing when
/// there are no switches.
std::optional<std::pair<Grid, Trajectory>> grid_between_switches(const Task& task, const Trajectory& trajectory,
                                                                 int spans, int nodes_per_span);

}  // namespace verne
