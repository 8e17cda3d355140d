/// Motions from solution files.
#pragma once

#include <optional>
#include <string>

#include "verne/motion/task.h"

namespace verne {

/// The motion of a `solution.json`, its coordinates in the order of the model, which finds them by name. Throws
/// InputError when the text is no solution, or of a model that lacks a coordinate.
KnownMotion read_known_motion(const std::string& text, const std::string& file, const Model& model);

/// The torques that such a file lists, a column for each time; none where it lists none.
struct KnownTorques {
  std::vector<double> time;
  Eigen::MatrixXd tau;
};
KnownTorques read_known_torques(const std::string& text, const std::string& file, const Model& model);

/// The task of such a file, for a model that may be another than its own; nothing where the file has none, as those of
/// simulations. Throws InputError where the task does not fit the model.
std::optional<Task> read_known_task(const std::string& text, const std::string& file, const Model& model);

}  // namespace verne
