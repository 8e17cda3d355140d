/// Where what contacts bear is a variable, a motion is found first whose feet share the ground's force by the rule.
#pragma once

#include "verne/motion/solution.h"
#include "verne/motion/task.h"

namespace verne {

/// Whether what contacts bear is a variable somewhere.
bool has_contact_variables(const Task& task);

/// The same task, roughly and without refinement, with forces by the rule, docs/theory/gait.md, (3).
Task by_rule(const Task& task);

/// Whether two hands take hold of something in a phase.
bool grips_on_the_way(const Task& task);
/// The same task as if there were no forces: a motion in which feet are where they stand and hands where they hold.
Task as_shape(const Task& task);

/// Counts what led to a start among what led to the solution; `what`: its name in the course, null: those that it has.
void add_course(const Solution& start, Solution& solution, const char* what);

}  // namespace verne
