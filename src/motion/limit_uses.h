/// How the limits of a task are used by a motion, and what a unit of each is worth: docs/theory/motion.md, section 10.
#pragma once

#include <vector>

#include "motion/limit_check.h"
#include "motion/program.h"
#include "verne/motion/solution.h"

namespace verne {

/// `reports`: of all stages, one after the other; `point`: with the multipliers of the program. Limits that are the
/// same in all phases are one.
std::vector<LimitUse> limit_uses(const Task& task, const std::vector<StageFunctions>& functions,
                                 const std::vector<PlacedStage>& stages, const std::vector<LimitReport>& reports,
                                 const Trajectory& curve, const nlp::Point& point);

}  // namespace verne
