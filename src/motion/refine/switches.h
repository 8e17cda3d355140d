/// When the limits that a motion is at change: where knots pay that let the acceleration or the jerk jump.
#pragma once

#include <vector>

#include "motion/curve/phases.h"
#include "motion/verify/limit_check.h"

namespace verne {

struct Switch {
  double time = 0;
  int order = 2;  ///< of the derivative that jumps: 2 the acceleration, 3 the jerk
};

/// Times at which a joint changes from one limit of a phase to another, of effort, acceleration, jerk or velocity, or
/// could leave or come to an end of it faster than it does; in order, apart from each other and from these ends. Limits
/// that are worth less than `least_worth` do not count. `limits`: of all stages, with prices. `idle`: freedoms that may
/// follow when others are driven hard, since their own motion makes no difference. docs/theory/motion.md, (19)–(19d).
std::vector<Switch> find_switches(const std::vector<PlacedStage>& stages, const Trajectory& trajectory,
                                  const std::vector<LimitReport>& limits, double cost, double least_worth,
                                  const std::vector<int>& idle = {});

}  // namespace verne
