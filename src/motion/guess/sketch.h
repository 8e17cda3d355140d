/// Motions on a coarse curve, solved roughly: enough to tell which of several ways is worth a true solve.
/// docs/theory/motion.md, section 7.
#pragma once

#include <functional>

#include "verne/motion/task.h"
#include "verne/nlp/solve.h"
#include "verne/trajectory/trajectory.h"

namespace verne {

/// The task on a curve of `points` control points, some more where it has via points, and no more than its own; with
/// costs that are easy to solve.
Task sketched(const Task& task, const Trajectory& guess, int points);

struct Sketch {
  Trajectory motion;
  double cost = 0;
  double violation = 0;       ///< largest of a row
  bool stopped = false;       ///< on the way
  bool keeps_limits() const;  ///< well enough
  bool better_than(const Sketch& other) const;
};
/// Whether to go on; asked once an iteration unless empty.
using GoOn = std::function<bool(const nlp::Iteration&)>;
/// `coarse`: of sketched().
Sketch sketch(const Task& coarse, const Trajectory& guess, const GoOn& go_on);

}  // namespace verne
