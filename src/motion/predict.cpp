#include "verne/motion/predict.h"

#include <algorithm>

#include "motion/conflict.h"
#include "motion/first_guess.h"
#include "motion/given_states.h"
#include "motion/out_of_reach.h"
#include "motion/sequence.h"
#include "motion/smoothing.h"
#include "motion/starts.h"

namespace verne {

namespace {

constexpr int kMostForConflicts = 12;  // velocities

/// Whether what contacts bear is a variable somewhere.
bool has_contact_variables(const Task& task) {
  const auto has = [](const std::optional<GroundTask>& ground) { return ground && ground->contact_variables; };
  return has(task.ground) ||
         std::any_of(task.phases.begin(), task.phases.end(), [&](const PhaseTask& phase) { return has(phase.ground); });
}

/// Energy is as smooth as if nothing were known: a task's cost must not depend on where a solve of it begins.
Task with_own_smoothing(Task task) {
  const auto is_open = [](const CostTask& cost) { return cost.kind == CostKind::energy && cost.smoothing <= 0; };
  if (std::none_of(task.costs.begin(), task.costs.end(), is_open)) return task;
  task.guess_motion.reset();
  task.costs = smoothing_steps(task, first_guess(task)).back();
  return task;
}

/// Begins with all that is known of a motion, as far as it fits the task.
Sequence sequence_from(const Task& task, const PredictOptions& options, const KnownMotion& motion) {
  const Trajectory guess = refitted(task, motion);
  Sequence sequence(with_own_smoothing(task), options, guess);
  sequence.begin_with(motion.contact_forces);
  const bool same_variables = has_contact_variables(task) == !motion.contact_forces.empty();
  if (motion.state && same_variables && same_basis(guess, motion.trajectory)) sequence.go_on_from(*motion.state);
  return sequence;
}

}  // namespace

Solution predict_from(const Task& task, const PredictOptions& options, const Trajectory& guess) {
  return Sequence(task, options, guess).run(Guess::naive);
}

Solution predict_from(const Task& task, const PredictOptions& options, const KnownMotion& motion) {
  return sequence_from(task, options, motion).run(Guess::near);
}

Solution solve_from(const Task& task, const PredictOptions& options, const Trajectory& guess) {
  return Sequence(task, options, guess).first(Guess::naive);
}

Solution solve_from(const Task& task, const PredictOptions& options, const KnownMotion& motion) {
  return sequence_from(task, options, motion).first(Guess::near);
}

Solution interrupted_with(const Task& task, const Solution& found) {
  return Sequence(task, {}, found.trajectory).stopped_with(found);
}

Solution predict(const Task& task, const PredictOptions& options) {
  std::optional<Conflict> conflict = broken_by_given_state(task);
  if (!conflict) conflict = out_of_reach(task);
  if (conflict) {
    Solution solution = Sequence(task, options, first_guess(task)).refused();
    solution.conflict = conflict;
    solution.message = to_string(*conflict);
    return solution;
  }
  Solution solution = options.warm_start ? predict_from(task, options, known_motion(*options.warm_start))
                                         : predict_from_starts(task, options);
  // The search takes dozens of solves: not for large tasks that may just need more iterations.
  const bool stuck = solution.status == nlp::Status::iteration_limit && !solution.violations.empty() &&
                     task.model.nv() <= kMostForConflicts;
  if (solution.status != nlp::Status::infeasible && !stuck) return solution;
  solution.conflict = find_conflict(task, solution.trajectory, options);
  if (!solution.conflict) return solution;
  solution.status = nlp::Status::infeasible;
  solution.message = to_string(*solution.conflict);
  return solution;
}

}  // namespace verne
