/// Several first guesses.
#pragma once

#include "verne/motion/predict.h"

namespace verne {

/// Whether a guess is near an optimum, so that the solver need not stay away from limits at first.
enum class Guess { naive, near };
/// Solves, refines and verifies from one guess.
Solution predict_from(const Task& task, const PredictOptions& options, const Trajectory& guess, Guess quality);
/// The first solve alone, not verified: enough to compare starts.
Solution solve_from(const Task& task, const PredictOptions& options, const Trajectory& guess,
                    Guess quality = Guess::naive);

/// Solves from task.starts.count guesses in task.starts.threads threads, then refines from the best result.
Solution predict_from_starts(const Task& task, const PredictOptions& options);

}  // namespace verne
