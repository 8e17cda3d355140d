/// What a program may change.
#pragma once

#include "motion/program/program.h"

namespace verne {

/// Adds control points, timing, peaks and what contacts bear, with their bounds. Returns where they start: the guess.
Eigen::VectorXd add_variables(Program& program, const Task& task, const Grid& grid, const Trajectory& guess);

}  // namespace verne
