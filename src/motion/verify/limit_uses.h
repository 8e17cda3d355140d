/// How the limits of a task are used by a motion, and what each is worth: docs/theory/motion.md, section 10.
#pragma once

#include <vector>

#include "motion/program/program.h"
#include "motion/verify/limit_check.h"
#include "verne/motion/solution.h"

namespace verne {

/// Puts into the reports of a motion, stage by stage, what the multipliers of its program say: (23).
void add_prices(const Program& program, const nlp::Point& point, const Trajectory& curve,
                std::vector<LimitReport>& reports);

/// By what share of itself a cost would fall if a limit were twice as wide, to first order: (24).
double worth(const LimitReport& report, double cost);
/// The same if it were on one span, of those in LimitReport::prices.
double worth_on(int span, const LimitReport& report, double cost);
/// Freedoms none of whose own limits is worth more than that.
std::vector<int> idle_freedoms(const Task& task, const std::vector<LimitReport>& reports, double cost,
                               double least_worth);

/// Limits that are the same in all phases are one.
std::vector<LimitUse> limit_uses(const Task& task, const std::vector<LimitReport>& reports);

}  // namespace verne
