/// How tired muscles are after all repetitions: variables that are integrals of what efforts ask for, and smooth
/// functions of these as costs and limits. docs/work.md.
#pragma once

#include "motion/program/program.h"
#include "motion/terms/tiring_groups.h"

namespace verne {

/// Adds the variables, with what the guess makes of them, to `x` too, and the equations that hold them.
void add_fatigue(Program& program, const Task& task, Eigen::VectorXd& x);
/// What a cost `fatigue` is of them.
std::unique_ptr<nlp::Function> fatigue_cost(const Program& program, const Task& task, const CostSpec& cost);
/// Those that have limits: a row for each.
void add_fatigue_limits(Program& program, const Task& task, const Grid& grid);

}  // namespace verne
