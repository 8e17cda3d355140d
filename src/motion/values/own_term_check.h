/// Are the derivatives that terms from code give right?
#pragma once

#include "verne/motion/task.h"

namespace verne {

/// Compares the derivatives of all terms from code with differences at three places of a motion: InputError names the
/// term and the derivative that is wrong, or what is not a number.
void check_own_terms(const Task& task, const Trajectory& motion);

}  // namespace verne
