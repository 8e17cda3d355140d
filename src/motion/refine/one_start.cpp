#include "motion/refine/one_start.h"

#include <algorithm>

#include "motion/guess/first_guess.h"
#include "motion/program/smoothing.h"
#include "motion/refine/strategy.h"

namespace verne {

namespace {

/// Whether what contacts bear is a variable somewhere.
bool has_contact_variables(const Task& task) {
  const auto has = [](const std::optional<GroundSpec>& ground) { return ground && ground->contact_variables; };
  return has(task.ground) ||
         std::any_of(task.phases.begin(), task.phases.end(), [&](const PhaseSpec& phase) { return has(phase.ground); });
}

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

}  // namespace

Solution predict_from(const Task& task, const PredictOptions& options, const Trajectory& guess,
                      std::optional<double> power) {
  return Strategy(State(task, guess), options, power).run(Guess::naive);
}

Solution predict_from(const Task& task, const PredictOptions& options, const KnownMotion& motion) {
  return Strategy(known_of(task, motion), options, own_power(task)).run(Guess::near);
}

Solution solve_from(const Task& task, const PredictOptions& options, const Trajectory& guess,
                    std::optional<double> power) {
  return Strategy(State(task, guess), options, power).first(Guess::naive);
}

Solution solve_from(const Task& task, const PredictOptions& options, const KnownMotion& motion) {
  return Strategy(known_of(task, motion), options, own_power(task)).first(Guess::near);
}

}  // namespace verne
