/// A known motion between other ends or among other things, without a solve: docs/theory/clearance.md, section 5.
#pragma once

#include "verne/motion/solution.h"

namespace verne {

/// A motion of the same shape between other ends: what they are moved by fades along it. Positions stay within limits.
Trajectory moved_to(const Task& task, const Trajectory& motion, const Eigen::VectorXd& start,
                    const Eigen::VectorXd& goal);

/// The same curve; where it leaves position limits, with control points within these, and so all of it.
Trajectory within_position_limits(const Task& task, const Trajectory& motion);

/// Whether what can be proven of limits is, which takes a part of the time that measuring them takes.
bool limits_are_proven(const Task& task, const Trajectory& motion);

/// Along a curve, in about the shortest time in which it keeps to the limits, for a task without phases: certified as
/// far as it can be, but not simulated. Nothing where no time does.
std::optional<Solution> in_least_time(const Task& task, const Trajectory& shape);

/// Along a curve, in about the shortest time in which it keeps to the limits, and around what it touches: certified,
/// but neither simulated nor with approaches. Nothing where that leads to no such motion.
std::optional<Solution> quick_motion(const Task& task, const Trajectory& shape);

/// Whether everything that a motion keeps to, or touches, is shown to hold at all times, as far as that can be shown.
bool is_certified(const Verification& verification);

}  // namespace verne
