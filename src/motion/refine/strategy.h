/// From one first guess to a verified motion: which solve comes next, and when that is enough.
#pragma once

#include <optional>

#include "motion/refine/rounds.h"

namespace verne {

/// Whether a guess is near an optimum, so that the solver need not stay away from limits at first.
enum class Guess { naive, near };

/// The solves of one start: a first one, then more nodes and knots until the limits hold everywhere. Each round builds
/// on the latest one that succeeded; the best of them is the result. docs/theory/motion.md, section 8.
class Strategy {
 public:
  /// `power`: what smoothing is a part of, where it is not that of the guess.
  Strategy(State known, const PredictOptions& options, std::optional<double> power);
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  /// The first solve alone, not verified.
  Solution first(Guess quality);
  /// All of it.
  Solution run(Guess quality);

 private:
  /// `loose` > 0: to this tolerance.
  void solve_first(Guess quality, double loose = 0);
  /// Free knots begin on even spans: from elsewhere they have many worse optima. Returns whether that succeeded.
  bool solve_on_even_spans(Guess quality);
  /// Solves the next cost, which is less smooth. Where that fails, the one before is the task's again.
  bool solve_less_smooth(std::vector<CostSpec> costs);
  /// A first curve may cut through a zone between its nodes. What goes around may be another motion altogether: that
  /// comes before finer curves, which have their knots where this one switches.
  void clear_zones();
  void refine();
  /// Less and less smoothing, until the true energy and the smoothed one agree to the gap.
  void smooth_less();
  void add_nodes_where_needed();
  /// The motion, with what all rounds took.
  Solution finished();

  State known_;
  Record record_;
  Rounds rounds_;
  std::optional<double> power_;
};

}  // namespace verne
