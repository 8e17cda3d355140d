/// Names of the numbers that an Evaluation gives.
#pragma once

#include <string>
#include <vector>

#include "verne/quantities/evaluation.h"

namespace verne {

/// `tau.elbow`, `mass_matrix.shoulder.elbow`, `com.velocity.x`, `joint_wrenches.elbow.3`: for each number of what is
/// asked for at this place, in its order.
std::vector<std::string> column_names(const Evaluation& evaluation, std::size_t want, const System& system);

}  // namespace verne
