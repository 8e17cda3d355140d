/// |power| has a kink at zero, which the energy cost rounds off: the less, the truer the cost and the harder the
/// program. docs/theory/motion.md, (9a).
#pragma once

#include <vector>

#include "verne/motion/task.h"
#include "verne/trajectory/trajectory.h"

namespace verne {

/// The task's costs for solves one after another, each from the result of the one before: with less and less smoothing,
/// relative to the power that the guess needs, down to what the task asks for or, where it asks for nothing, to a
/// hundredth of that power. Just the costs as they are when none is of energy.
std::vector<std::vector<CostTask>> smoothing_steps(const Task& task, const Trajectory& guess);

}  // namespace verne
