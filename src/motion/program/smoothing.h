/// |power| has a kink at zero, which the energy cost rounds off: the less, the truer the cost and the harder the
/// program. docs/theory/motion.md, (9a).
#pragma once

#include <vector>

#include "verne/motion/task.h"
#include "verne/trajectory/trajectory.h"

namespace verne {

/// Whether costs have energy whose smoothing is not given.
bool chooses_smoothing(const Task& task);

/// The largest power of a joint in a first guess, of which smoothing is a part; 1 where nothing takes power, and
/// where no cost has energy.
double power_scale(const Task& task, const Trajectory& guess);

/// The task's costs for solves one after another, each from the result of the one before: with less and less smoothing,
/// relative to that power, down to what the task asks for or, where it asks for nothing, to a hundredth of that power.
/// Just the costs as they are when none is of energy. `guess_power`: that of the guess at hand, which may be more.
std::vector<std::vector<CostSpec>> smoothing_steps(const Task& task, double power, double guess_power);

/// The same of costs whose smoothing may be chosen, in the `task`, a step further: for motions whose true energy is
/// farther from the smoothed one than the gap that is asked for.
std::vector<CostSpec> with_less_smoothing(std::vector<CostSpec> costs, const Task& task);

}  // namespace verne
