/// Tasks that nobody tuned anything for, each with a witness that it can be done.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "verne/motion/solution.h"

namespace verne::bench {

/// Kinds of tasks, by name.
const std::vector<std::string>& task_classes();

struct RandomTask {
  std::string model, text;  ///< the model's name, the task file
};

/// A task file of a class for one of the models in `folder`. Nothing when no witness was found in some tries.
std::optional<RandomTask> random_task(const std::string& task_class, const std::string& folder, std::mt19937_64& rng);

/// What is wrong with a motion that claims to solve a task, measured with the library's kinematics and dynamics but
/// none of the predictor's own checks; empty when nothing is. Limits may be off by a thousandth, places by 1 mm or 1e-3
/// rad.
std::string fault_of(const Task& task, const Trajectory& motion);

}  // namespace verne::bench
