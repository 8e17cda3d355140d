/// Several first guesses, solved side by side.
#pragma once

#include "verne/motion/predict.h"

namespace verne {

/// Whether a guess is near an optimum, so that the solver need not stay away from limits at first.
enum class Guess { naive, near };
/// Solves, refines and verifies from one guess.
Solution predict_from(const Task& task, const PredictOptions& options, const Trajectory& guess, Guess quality);

/// Solves from task.starts.count guesses in worker processes (MUMPS is not safe to run in threads), then once more in
/// this process from the best result. The same for any number of processes.
Solution predict_from_starts(const Task& task, const PredictOptions& options);

}  // namespace verne
