/// Where what contacts bear is a variable, a motion is found first whose feet share the ground's force by the rule.
#pragma once

#include "verne/motion/solution.h"
#include "verne/motion/task.h"

namespace verne {

/// Whether what contacts bear is a variable somewhere.
bool has_contact_variables(const Task& task);

/// The same task, roughly and without refinement, with forces by the rule, docs/theory/gait.md, (3).
Task by_rule(const Task& task);

/// Counts what led to a start among what led to the solution; `what`: its name in the course.
void add_course(const Solution& start, Solution& solution, const char* what = "forces by the rule");

}  // namespace verne
