/// A prediction from one motion to start with, guessed or known.
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

}  // namespace verne
