/// Starts that swing, where drives are too weak to hold what they move on its way. docs/theory/motion.md, section 7.
#pragma once

#include <optional>
#include <vector>

#include "verne/motion/predict.h"

namespace verne {

/// What came of them.
struct Swinging {
  std::optional<Solution> solution;  ///< the cheapest of those that led to a motion, verified or not
  bool interrupted = false;
  std::vector<Trajectory> tried;
  std::vector<StartResult> starts;
};
/// Predicts from motions that gather energy by swinging: none where all drives hold what they move, and none for
/// phases, loops, contacts and what stands on the ground. Their curves are as fine as swings need, unless the task says
/// how fine curves are. `first`: number of the first of these starts.
Swinging predict_swinging(const Task& task, const PredictOptions& options, int first);

}  // namespace verne
