/// The course of a prediction: what its solves took, one after the other.
#pragma once

#include <vector>

#include "motion/refine/result.h"
#include "verne/motion/solution.h"

namespace verne {

/// Solves and rounds in the order in which they were made. A round is a solve whose result was kept.
class Record {
 public:
  void add(const nlp::Summary& solve);
  /// `what`: the reason of the round, for reports; `iterations`: of all its solves.
  void add_round(const Result& result, const char* what, int iterations);

  int rounds() const { return static_cast<int>(rounds_.size()); }
  int iterations() const { return iterations_; }
  const RefinementRound& last_round() const { return rounds_.back(); }
  /// The latest iteration of the solver; null before the first.
  const nlp::Iteration* last_iteration() const { return history_.empty() ? nullptr : &history_.back(); }

  /// Leaves what is recorded in the motion.
  void move_into(Solution& motion);

 private:
  int iterations_ = 0;
  double solve_seconds_ = 0, function_seconds_ = 0;
  std::vector<nlp::Iteration> history_;
  std::vector<RefinementRound> rounds_;
};

}  // namespace verne
