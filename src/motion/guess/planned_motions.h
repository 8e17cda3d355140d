/// First motions on which nothing touches: ways of a planner as curves. docs/theory/clearance.md, section 4.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "structures/path_planner.h"
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
  bool time_is_up = false;         ///< that is why
};

/// At most `count` ways, planned up to `plans` times with other random numbers where there are fewer, each between the
/// postures that the task asks for, found with frames put in their places. Where loops are closed, frames are held all
/// the way or positions are no plain numbers, ways go straight. `go_on`: false ends the search, but not at once; the
/// first way that is found then is enough.
PlannedMotions plan_motions(const Task& task, Collisions& collisions, std::size_t count, unsigned plans = 1,
                            const std::function<bool()>& go_on = {});

/// A motion from rest to rest along a path on which nothing touches, of a task without phases.
PlannedMotion motion_along(const Task& task, const PlannedPath& path, Collisions& collisions);

}  // namespace verne
