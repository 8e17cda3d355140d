/// Which parts of a task cannot be met together. docs/theory/motion.md, section 7.
#pragma once

#include "verne/motion/predict.h"

namespace verne {

/// What came of a search for the parts of a task that cannot be met together.
struct Search {
  std::optional<Conflict> conflict;
  std::optional<Trajectory> motion;  ///< that meets all of the task, whatever it costs
};
/// For a task that no start led to a motion for, from motions that meet as much as they can, or from first guesses.
/// Neither a conflict nor a motion where nothing is clear.
Search find_conflict(const Task& task, const std::vector<Trajectory>& from, const PredictOptions& options);

}  // namespace verne
