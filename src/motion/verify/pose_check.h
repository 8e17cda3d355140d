/// Are frames where the task wants them? Measured by forward kinematics of single states and matrices alone: nothing is
/// shared with the constraints of the program. docs/theory/motion.md, section 9.
#pragma once

#include <vector>

#include "verne/motion/solution.h"

namespace verne {

/// One for each frame of the task, in `places` (one for each); those of a path where they are worst among `dense` ones.
std::vector<FrameError> check_frames(const Task& task, const Trajectory& trajectory, const std::vector<Place>& places,
                                     const std::vector<Place>& dense);

}  // namespace verne
