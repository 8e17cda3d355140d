/// What is known of a task's motion between one solve and the next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion/refine/levels.h"
#include "motion/refine/result.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/task_terms.h"

namespace verne {

/// Nothing here solves or decides: Rounds writes the results, Strategy reads them.
struct State {
  State(const Task& wanted, const Trajectory& guess);

  /// Limits are imposed where they were, at as many nodes as the task asks for at least, and multipliers are kept.
  void go_on_from(const SolverState& state);
  /// Builds on this result, which is better than the latest: with its values of what is designed, too.
  void go_back_to(const Result& better);
  /// The guess on another grid: that which the task asks for now.
  void start_again_on(const Trajectory& guess);

  Task asked;                                         ///< the task
  Task task;                                          ///< its energy costs as smooth as they are for now
  std::vector<std::vector<CostSpec>> smoother_costs;  ///< that led to those
  std::optional<SolverState> given;                   ///< of another task's solve, to go on from
  Result now;                                         ///< what the next round builds on
  std::optional<Result> best;                         ///< since refinement began, of those solved to the end

  std::vector<int> first_spans;  ///< of each timing variable
  std::vector<Level> levels;     ///< the first solve, and what was solved on finer curves
  bool jumps = false;            ///< knots are at switches
  bool smooths_less = false;     ///< on the last curve
  bool on_first_curve = false;   ///< again, after finer ones led nowhere

  std::string trouble;       ///< that a round had
  bool stopped = false;      ///< by whoever watches, or as the time is up
  bool interrupted = false;  ///< the former

  /// What was asked for, with the values that designed parameters have now.
  Task as_designed() const;
  bool minimizes_time() const { return has_cost(task, is_time); }
  /// Equations along the way take one freedom of the curve each, which a jump would take twice.
  bool may_jump() const { return task.refine.switches && now.measured.equations.empty(); }
  /// By how many times what is asked for equations along the way are missed; 0 without any.
  double misfit() const { return now.measured.equations.empty() ? 0 : now.measured.misfit_of_equations(); }
  /// Share of the cost that a limit's switches must be worth to pay for their unknowns.
  double least_worth() const;
  /// Freedoms whose own motion makes no difference to a minimum time.
  std::vector<int> idle_freedoms_now() const;

  /// The latest solve as a level that is so fine, whose round had so many iterations, nodes and control points.
  Level level(double fineness, const RefinementRound& round) const;
  /// What finer curves may change: what levels tell, or limits that are not used between nodes, whatever is more; with
  /// what finer curves that were not kept did change.
  std::optional<double> gap() const;
  /// Between the true energy and the smoothed one, as a share of the cost.
  double gap_of_smoothing() const;
  /// What decides on another level. With knots at switches minimum times fall faster than levels are thought to: what
  /// is left of limits tells more, unless the task asks for a gap, which must not be missed.
  double gap_to_close() const;
  /// What margins of limits may cost: little beside what the curve, or a loose solve, costs anyway.
  double allowance() const;

 private:
  /// Minimum times that have knots where limits change.
  bool limits_decide() const { return jumps && minimizes_time(); }
  double gap_of_limit_slack() const;
};

}  // namespace verne
