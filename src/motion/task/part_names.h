/// What the parts of a task are called where they cannot be met.
#pragma once

#include <string>

#include "verne/motion/task.h"

namespace verne {

/// "position of tool at the end": `what` of a frame.
std::string part_of_frame(const Model& model, const FrameGoalSpec& frame, const std::string& what);
/// "via at 0.5"
std::string part_of_via(const ViaSpec& via);

}  // namespace verne
