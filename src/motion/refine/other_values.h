/// The task of a solve with other values of its parameters.
#pragma once

#include "verne/motion/task.h"

namespace verne {

/// `solved` as it would be with these values: `asked` with them, solved in the same way, its energy as smooth. Throws
/// InputError where the task makes no sense then.
Task with_values(const Task& asked, const Task& solved, const std::map<std::string, double>& values);

/// What the designed parameters of a task are, by name.
std::map<std::string, double> design_of(const Task& task);

}  // namespace verne
