#include "motion/refine/one_start.h"

#include "motion/guess/first_guess.h"
#include "motion/program/smoothing.h"
#include "motion/refine/by_rule.h"
#include "motion/refine/strategy.h"
#include "motion/task/time_allowed.h"

namespace verne {

namespace {

/// Energy is as smooth as if nothing were known: a task's cost must not depend on where a solve of it starts.
std::optional<double> own_power(Task task) {
  if (!chooses_smoothing(task)) return std::nullopt;
  task.guess_motion.reset();
  return power_scale(task, first_guess(task));
}

/// All that is known of a motion, as far as it fits the task.
State known_of(const Task& task, const KnownMotion& motion) {
  const Trajectory guess = refitted(task, motion);
  State state(task, guess);
  state.now.grid.forces = motion.contact_forces;
  const bool same_variables = has_contact_variables(task) == !motion.contact_forces.empty();
  if (motion.state && same_variables && same_basis(guess, motion.trajectory)) state.go_on_from(*motion.state);
  return state;
}

/// From a guess by `solve`. Where what contacts bear is a variable, by the rule first; where hands take hold on the
/// way, before that as if there were no forces.
template <class Solve>
Solution in_stages(const Task& task, const PredictOptions& options, const Trajectory& guess,
                   std::optional<double> power, Solve&& solve) {
  if (!has_contact_variables(task)) return solve(task, guess, Guess::naive);
  const TimeAllowed time(task.solver.max_seconds);
  std::optional<Solution> shape;
  if (grips_on_the_way(task)) shape = Strategy(State(as_shape(task), guess), options, power).first(Guess::naive);
  const bool stopped = shape && (shape->status == nlp::Status::interrupted || shape->status == nlp::Status::time_limit);
  if (stopped) return std::move(*shape);
  Solution ruled = Strategy(State(by_rule(time.rest_of(task)), shape ? shape->trajectory : guess), options, power)
                       .first(Guess::naive);
  for (RefinementRound& round : ruled.rounds) round.what = "forces by the rule";
  if (shape) add_course(*shape, ruled, "without forces");
  if (ruled.status == nlp::Status::interrupted || ruled.status == nlp::Status::time_limit) {
    ruled.contact_forces.clear();  // those of second hands alone
    return ruled;
  }
  Solution solution = solve(time.rest_of(task), ruled.trajectory, Guess::near);
  add_course(ruled, solution, nullptr);
  return solution;
}

}  // namespace

Solution predict_from(const Task& task, const PredictOptions& options, const Trajectory& guess,
                      std::optional<double> power) {
  return in_stages(task, options, guess, power, [&](const Task& wanted, const Trajectory& from, Guess quality) {
    return Strategy(State(wanted, from), options, power).run(quality);
  });
}

Solution predict_from(const Task& task, const PredictOptions& options, const KnownMotion& motion) {
  return Strategy(known_of(task, motion), options, own_power(task)).run(Guess::near);
}

Solution solve_from(const Task& task, const PredictOptions& options, const Trajectory& guess,
                    std::optional<double> power) {
  return in_stages(task, options, guess, power, [&](const Task& wanted, const Trajectory& from, Guess quality) {
    return Strategy(State(wanted, from), options, power).first(quality);
  });
}

Solution solve_from(const Task& task, const PredictOptions& options, const KnownMotion& motion) {
  return Strategy(known_of(task, motion), options, own_power(task)).first(Guess::near);
}

}  // namespace verne
