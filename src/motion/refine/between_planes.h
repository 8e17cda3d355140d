/// From a motion on which nothing touches to better ones of the same kind: solves between planes that separate shapes
/// along the latest such motion. docs/theory/clearance.md, section 3.
#pragma once

#include <optional>
#include <vector>

#include "structures/collisions.h"
#include "verne/motion/predict.h"

namespace verne {

inline constexpr char kBetweenPlanes[] = "between planes";  ///< in the course

/// A motion on which nothing touches.
struct SafeMotion {
  Trajectory trajectory;
  std::vector<int> phase_of_span;
};

/// Nothing where no solve led to a motion that is shown to be clear.
std::optional<Solution> improved_between_planes(const Task& task, const PredictOptions& options, Collisions& collisions,
                                                SafeMotion from);

}  // namespace verne
