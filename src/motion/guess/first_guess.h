/// Starts for the optimizer. docs/theory/motion.md, section 7.
#pragma once

#include <optional>
#include <vector>

#include "motion/guess/sketch.h"
#include "motion/guess/ways.h"
#include "verne/motion/solution.h"

namespace verne {

/// First guesses for a task, the most promising first: rest to rest along the ways through what the task asks for, in
/// a time that keeps to the limits. The same for the same task, unless whoever is asked whether to go on ends the
/// choice.
class FirstGuesses {
 public:
  explicit FirstGuesses(const Task& task, const GoOn& go_on = {});

  /// Number `start`. All but the first are bent at random, and the ways are taken in turn when there are more starts
  /// than ways.
  Trajectory operator()(int start) const;
  double seconds() const { return seconds_; }  ///< that the choice took

 private:
  void choose(const GoOn& go_on);
  /// Along way number `start`, without phases.
  Trajectory along(int start) const;

  const Task& task_;
  Task flat_;  // without phases
  std::vector<Way> ways_;
  double seconds_ = 0;
  std::optional<Trajectory> first_;  // where there was a choice
};

inline Trajectory first_guess(const Task& task, int start = 0) {
  return FirstGuesses(task)(start);
}

/// A known motion as a start: on the curve that the task asks for, whatever the motion's own knots. Phases keep their
/// times, or their parts of the duration, if it has as many. Where its own curve is of this kind, it keeps its control
/// points.
Trajectory refitted(const Task& task, const KnownMotion& motion);
KnownMotion known_motion(const Solution& solution);
bool same_basis(const Trajectory& a, const Trajectory& b);

}  // namespace verne
