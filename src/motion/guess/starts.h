/// Several first guesses.
#pragma once

#include <optional>

#include "verne/motion/predict.h"

namespace verne {

/// Solves, refines and verifies from one guess. `power`: what smoothing of energy is a part of, where it is not that of
/// the guess.
Solution predict_from(const Task& task, const PredictOptions& options, const Trajectory& guess,
                      std::optional<double> power = {});
/// The same from a motion that was found before; where it was found on the task's curve, from all that is known of it.
Solution predict_from(const Task& task, const PredictOptions& options, const KnownMotion& motion);
/// The first solve alone, not verified: enough to compare starts.
Solution solve_from(const Task& task, const PredictOptions& options, const Trajectory& guess,
                    std::optional<double> power = {});
Solution solve_from(const Task& task, const PredictOptions& options, const KnownMotion& motion);

/// What solve_from() found, verified, as the result of a prediction that was stopped before more came of it.
Solution interrupted_with(const Task& task, const Solution& found);

/// Solves from task.starts.count guesses in task.starts.threads threads, then refines from where the best results came
/// from, and from the first guess: the best motion that is verified counts. Of one start, a few more are tried where it
/// leads nowhere.
Solution predict_from_starts(const Task& task, const PredictOptions& options);

}  // namespace verne
