/// Motions whose solves ended before they came to their end, and what to call them.
#pragma once

#include <functional>

#include "motion/refine/state.h"
#include "verne/motion/solution.h"

namespace verne {

inline constexpr double kVerifySeconds = 2;  ///< for a motion whose solves were stopped

/// The guess, measured, for a task that needs no solve to be known as infeasible.
Solution infeasible_guess(const Task& task, const Trajectory& guess);
/// A motion that nobody optimized, verified like others. `go_on`: asked while it is simulated, unless empty.
Solution measured_as_it_is(const Task& task, const Trajectory& motion, const std::function<bool()>& go_on = {});

/// What solve_from() found, verified, as the result of a prediction that was stopped before more came of it.
Solution interrupted_with(const Task& task, const Solution& found);

/// The same where nothing interfered but refinement came to nothing, for this reason.
Solution unrefined(const Task& task, const Solution& found, const std::string& reason);

/// After an interruption: says what the motion is worth that is left. `trouble`: that a round had, or empty.
void call_interrupted(Solution& motion, const std::string& trouble);

/// Where constraints were met first, and the least cost was not found after that.
void call_feasible_only(State& state);

}  // namespace verne
