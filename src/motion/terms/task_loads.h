/// Loads of a task as dynamics takes them.
#pragma once

#include "verne/dynamics/data.h"
#include "verne/motion/task.h"

namespace verne {

/// What acts on the model from outside. Whatever computes the dynamics of a task takes its loads from here.
Loads<double> loads_of(const Task& task);

}  // namespace verne
