/// A naive start for the optimizer: postures on a line, in a time that keeps to the limits.
#pragma once

#include "verne/motion/solution.h"

namespace verne {

/// Rest to rest through the postures that the task gives (start, via points or guess, end) or that its frames need, by
/// inverse kinematics. With `start` > 0 the way is bent at random, and frames are reached in other ways; the same for
/// the same task and number.
Trajectory first_guess(const Task& task, int start = 0);

/// A known motion as a start: on the curve that the task asks for, whatever the motion's own knots. Phases keep their
/// times if it has as many.
Trajectory refitted(const Task& task, const Solution& motion);

}  // namespace verne
