/// From a task to an optimal, verified motion.
#pragma once

#include <functional>

#include "verne/base/export.h"
#include "verne/motion/solution.h"
#include "verne/motion/task.h"

namespace verne {

/// Where a prediction is.
struct PredictProgress {
  int round = 0;             ///< of refinement, 0 for the first solve, −1 for rough ones that choose where it begins
  nlp::Iteration iteration;  ///< of the solver, in this round
};

/// How predict() tells where it is, and where it starts.
struct PredictOptions {
  /// Called once an iteration; return false to stop with the best motion so far.
  std::function<bool(const PredictProgress&)> progress;
  /// Begins with this motion instead of a first guess: with its nodes and multipliers, too, where it is on the task's
  /// curve, as one that was solved with RefineSpec::off() is. That is how a task is solved again after small changes.
  const Solution* warm_start = nullptr;
};

/// Solves, refines until limits hold between the nodes, and verifies. What cannot be achieved is a status of the
/// solution. Throws InputError for what the task's format allows but the methods do not.
VERNE_API Solution predict(const Task& task, const PredictOptions& options = {});

}  // namespace verne
