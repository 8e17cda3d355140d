/// From a first guess to a verified motion.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "motion/refine/levels.h"
#include "motion/refine/result.h"
#include "motion/task/time_allowed.h"
#include "motion/terms/task_terms.h"
#include "verne/motion/predict.h"

namespace verne {

/// Whether a guess is near an optimum, so that the solver need not stay away from limits at first.
enum class Guess { naive, near };

/// The solves of one start: a first one, then more nodes and knots until the limits hold everywhere. Each round builds
/// on the latest one that succeeded; the best of them is the result.
class Sequence {
 public:
  /// `power`: what smoothing is a part of, where it is not that of the guess.
  Sequence(const Task& task, const PredictOptions& options, const Trajectory& guess, std::optional<double> power = {});

  /// The first solve alone, not verified.
  Solution first(Guess quality);
  /// Limits are imposed where they were, at as many nodes as the task asks for at least, and multipliers are kept.
  void go_on_from(const SolverState& state);
  /// Contacts bear this to begin with.
  void start_with(const ContactForces& forces) { now_.grid.forces = forces; }
  Solution run(Guess quality);
  /// The guess, measured, for a task that needs no solve to be known as infeasible.
  Solution refused();
  /// What first() of another one found, verified and nothing else.
  Solution stopped_with(const Solution& found);

 private:
  static constexpr double kFirstTolerance = 1e-4;  // of a first solve that others will follow

  // sequence.cpp
  /// `loose` > 0: solve to this tolerance.
  void solve(Guess quality, double loose = 0);
  /// An optimizer cannot see past a kink: solves the smoothed costs first, one after the other, from a motion that is
  /// near. What that takes is added to the course.
  nlp::Point solve_smoothed_first(const Grid& grid, const Trajectory& guess, nlp::Point point, nlp::Options options);
  void add_to_course(const nlp::Summary& summary);
  double seconds_left() const;
  /// Whether to go on verifying: a little after an interruption, and as long as the task allows.
  std::function<bool()> patience() const;
  /// The motion, with what all rounds took.
  Solution finished();
  Grid grid_on(const Trajectory& curve, const std::vector<int>& phase_of_span, int nodes) const;
  /// Solves on a grid, to the task's tolerance or a looser one. The first result is kept whatever it is, later ones
  /// when they are a success. Returns whether it is one.
  bool solve_round(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm, double loose = 0);
  bool solve_program(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm, double loose = 0);
  nlp::Options solver_options(bool warm, bool multipliers) const;
  /// Solves, to the end or loosely, on the grid at hand with more nodes or tighter limits. Where multipliers mislead,
  /// which are those of other limits, without them. Returns whether that succeeded.
  bool solve_further(const Grid& grid, const char* what, double loose = 0);
  /// Starts a solve near a motion, with no multipliers: those of other knots or limits do not fit.
  static nlp::Point near(const Grid& grid, const Trajectory& guess);
  /// What a motion does not say, peaks and what contacts bear: they start as those of the program's guess.
  static nlp::Point with_rest(nlp::Point point, const nlp::Problem& problem);
  /// After an interruption: says what the motion is worth that is left.
  void stop();

  // sequence_refinement.cpp
  void refine();
  /// Less and less smoothing, until the true energy and the smoothed one agree to the gap.
  void smooth_less();
  double gap_of_smoothing() const;
  /// A first curve may cut through a zone between its nodes. What goes around may be another motion altogether: that
  /// comes before finer curves, which have their knots where this one switches.
  void clear_zones();
  void add_nodes_where_needed();
  /// Surely, and where no exact solution is near: phases may have their borders where limits change.
  bool finer_one_follows() const;
  bool refines_curve() const { return !task_.curve.free_knots && (task_.refine.knots != 0 || task_.refine.switches); }
  /// Finer and finer curves, solved loosely: none is the last one before its cost is known. Then, to the end.
  void refine_curve();
  bool solve_to_the_end();
  /// The next level, `by` times as fine. Where that leads nowhere, because its knots are in the wrong places, those of
  /// still finer curves may be in better ones; that is worth the time where a gap was asked for. Returns how fine the
  /// curve is then.
  double solve_finer(double finer, double by);
  /// Equations along the way take one freedom of the curve each, which a jump would take twice.
  bool may_jump() const { return task_.refine.switches && now_.measured.equations.empty(); }
  double misfit() const { return now_.measured.equations.empty() ? 0 : now_.measured.misfit_of_equations(); }
  /// So many times the spans of the first solve, with knots that let accelerations jump where limits change; `by`: how
  /// much finer than the last level that is. Returns whether that was something new and succeeded.
  bool solve_level(double finer, double by, const char* what);
  /// Between switches of efforts, accelerations bend: one degree more follows them better than more spans do. Not where
  /// other limits count, which a cubic meets as well, and where joints wait, which would use it to go astray.
  int degree_of_levels() const;
  double least_worth() const;
  std::vector<int> idle_now() const;
  /// Enough to tell what a level costs.
  double loose_tolerance(double finer) const;
  /// As on the task's curve, within reason: exchange adds what is missing.
  int nodes_per_span() const;
  Level level(double fineness) const;
  /// What finer curves may change: what levels tell, or limits that are not used between nodes, whatever is more; with
  /// what finer curves that were not kept did change.
  std::optional<double> gap() const;
  /// Minimum times that have knots where limits change.
  bool limits_decide() const { return jumps_ && has_cost(task_, CostKind::time); }
  double gap_of_limit_slack() const;
  /// What decides on another level. With knots at switches minimum times fall faster than levels are thought to: what
  /// is left of limits tells more, unless the task asks for a gap, which must not be missed.
  double gap_to_close() const {
    return limits_decide() && !task_.refine.gap ? gap_of_limit_slack() : gap().value_or(0);
  }
  /// What margins of limits may cost: little beside what the curve, or a loose solve, costs anyway.
  double allowance() const;

  /// What all rounds took.
  struct Course {
    int iterations = 0;
    double solve_seconds = 0, function_seconds = 0;
    std::vector<nlp::Iteration> history;
    std::vector<RefinementRound> rounds;
  };

  const Task asked_;
  Task task_;                                    // its energy costs as smooth as they are for now
  std::vector<std::vector<CostSpec>> smoother_;  // costs that led to those
  std::optional<SolverState> state_;             // to go on from
  const PredictOptions& options_;
  const TimeAllowed time_{task_.solver.max_seconds};
  std::optional<double> power_;
  Result now_;                      // what the next round builds on
  std::optional<Program> program_;  // of the latest round, but for its stages, which are its result's
  std::size_t program_of_ = 0;      // that round
  std::optional<Result> best_;      // since refinement began, of those solved to the end
  std::vector<int> first_spans_;    // of each timing variable
  std::vector<Level> levels_;       // the first solve, and what was solved on finer curves
  Course course_;
  bool jumps_ = false;           // knots are at switches
  bool smooths_less_ = false;    // on the last curve
  bool on_first_curve_ = false;  // again, after finer ones led nowhere
  std::string trouble_;          // that a round had
  bool stopped_ = false;         // by whoever watches, or as the time is up
  bool interrupted_ = false;     // the former
};

}  // namespace verne
