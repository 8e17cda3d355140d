/// First motions on which nothing touches: ways of a planner as curves. docs/theory/clearance.md, section 4.
#pragma once

#include <string>
#include <vector>

#include "structures/collisions.h"
#include "verne/motion/task.h"

namespace verne {

/// A motion on a curve of its own, in a time that keeps to the limits.
struct PlannedMotion {
  Task task;  ///< the task with that curve
  Trajectory motion;
  std::vector<int> phase_of_span;
  bool clear = false;  ///< shown to touch nothing, at any time
};

struct PlannedMotions {
  std::vector<PlannedMotion> all;  ///< the shortest way first
  std::string trouble;             ///< why there is none
};

/// At most `count` ways, each between the postures that the task asks for, found with frames put in their places.
/// Where loops are closed, frames are held all the way or positions are no plain numbers, ways go straight.
PlannedMotions plan_motions(const Task& task, Collisions& collisions, std::size_t count);

}  // namespace verne
