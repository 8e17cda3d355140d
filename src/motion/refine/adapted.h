/// Repetitions: the motion as somebody does it who has tired.
#pragma once

#include "verne/motion/predict.h"

namespace verne {

/// Finds the motion anew as somebody tires who repeats it, where the task asks for that: each from the one before, on
/// its curve and at its nodes, with the strength that is left. docs/work.md
void adapt(const Task& task, const PredictOptions& options, Solution& solution);

}  // namespace verne
