/// Which parts of a task cannot be met together. docs/theory/motion.md, section 7.
#pragma once

#include "verne/motion/predict.h"

namespace verne {

/// For a task that a solve found infeasible, with the least infeasible motion. Nothing when all can be met after all,
/// as far as another solve sees, or when the search was stopped.
std::optional<Conflict> find_conflict(const Task& task, const Trajectory& motion, const PredictOptions& options);

}  // namespace verne
