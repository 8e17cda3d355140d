/// One solve of a prediction after the other, each from what is known and into what is known.
#pragma once

#include <functional>
#include <optional>

#include "motion/refine/record.h"
#include "motion/refine/state.h"
#include "motion/task/time_allowed.h"
#include "verne/motion/predict.h"

namespace verne {

/// How a round is solved: where the solver starts, how loosely, for how long; and what becomes of its result.
class Rounds {
 public:
  Rounds(State& state, Record& record, const PredictOptions& options);

  /// Solves on a grid, to the task's tolerance or, if `loose` > 0, to that one. The first result is kept whatever it
  /// is, later ones when they are a success. Returns whether it is one.
  bool solve(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm, double loose = 0);
  /// Solves, to the end or loosely, on the grid at hand with more nodes or tighter limits. Where multipliers mislead,
  /// which are those of other limits, without them. Returns whether that succeeded.
  bool solve_further(const Grid& grid, const char* what, double loose = 0);
  /// Solves what was found loosely to the task's tolerance.
  bool solve_to_the_end();

  /// Whether to go on verifying: a little after an interruption, and as long as the task allows.
  std::function<bool()> patience() const;

 private:
  /// Solves `program_`, which is of this grid.
  bool solve_program(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm, double loose);
  /// Solves `program_`, of this grid and guess. Parameters that are designed are unknowns: then the program and the
  /// task become those of what was found.
  nlp::Summary minimize(const Grid& grid, const Trajectory& guess, const nlp::Options& options,
                        const nlp::Point* start);
  /// An optimizer cannot see past a kink: solves the smoothed costs first, one after the other, from a motion that is
  /// near.
  nlp::Point solve_smoothed_first(const Grid& grid, const Trajectory& guess, nlp::Point point, nlp::Options options);
  nlp::Options solver_options(bool warm, bool multipliers) const;
  double seconds_left() const;

  State& state_;
  Record& record_;
  const PredictOptions& options_;
  const TimeAllowed time_;
  std::optional<Program> program_;  // of the latest round, but for its stages, which are its result's
  std::size_t program_of_ = 0;      // that round
};

/// Starts a solve near a motion, with no multipliers: those of other knots or limits do not fit.
nlp::Point near(const Grid& grid, const Trajectory& guess);

}  // namespace verne
