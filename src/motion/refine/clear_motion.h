/// Motions among real things: a planner's way first, then one optimum after the other between planes that separate
/// shapes along the latest motion. docs/theory/clearance.md, section 3.
#pragma once

#include "verne/motion/predict.h"

namespace verne {

/// Of a task that has shapes. `known`: begins with this motion where nothing touches on it; null: with planned ones.
Solution predict_clear(const Task& task, const PredictOptions& options, const Solution* known = nullptr);

/// Whether anything touches along a motion, and what comes near to what, among what is known of it. What touches for
/// certain is not verified.
void verify_clearance(const Task& task, Solution& solution);

}  // namespace verne
