/// A prediction from several first guesses.
#pragma once

#include "verne/motion/predict.h"

namespace verne {

/// Solves from task.starts.count guesses in task.starts.threads threads, then refines from where the best results came
/// from, and from the first guess: the best motion that is verified counts. Of one start, a few more are tried where it
/// leads nowhere.
Solution predict_from_starts(const Task& task, const PredictOptions& options);

}  // namespace verne
