/// The planes of a task's corridor as constraints.
#pragma once

#include "motion/program/program.h"

namespace verne {

/// `curve`: that the program is made from. Nothing where the task has no corridor.
void add_corridor(Program& program, const Task& task, const Trajectory& curve);

}  // namespace verne
