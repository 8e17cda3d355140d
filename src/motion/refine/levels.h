/// How fine a curve should be: what finer and finer ones cost says how much there is left to gain.
#pragma once

#include <optional>
#include <vector>

#include "verne/motion/task.h"

namespace verne {

/// A solve on a curve that is finer than the one before.
struct Level {
  double cost = 0;
  double work = 0;      ///< of all iterations, in nodes and velocities: the same everywhere, other than seconds
  double fineness = 1;  ///< in how many parts it divides what the first level has as one
  double size = 0;      ///< work of one iteration
};

/// By what share of itself the cost may still fall on finer curves, from what the levels cost, the coarsest first:
/// docs/theory/motion.md, (20). Nothing with one level only.
std::optional<double> estimated_gap(const std::vector<Level>& levels);

/// The gap that is aimed at.
double gap_to_reach(const RefineSpec& refine);

/// How many times as fine the next level should be, after those that there are, `steps` of which had more spans than
/// the one before; 1: it would not be worth its work. `gap`: what the cost may still fall by, `misfit`: that of
/// equations along the way, in units of what is asked for.
double finer_by(const RefineSpec& refine, const std::vector<Level>& levels, int steps, double gap, double misfit);

}  // namespace verne
