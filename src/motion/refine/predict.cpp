#include "verne/motion/predict.h"

#include <algorithm>

#include "motion/guess/conflict.h"
#include "motion/guess/first_guess.h"
#include "motion/guess/given_states.h"
#include "motion/guess/out_of_reach.h"
#include "motion/guess/too_short.h"
#include "motion/refine/adapted.h"
#include "motion/refine/clear_motion.h"
#include "motion/refine/ended_early.h"
#include "motion/refine/one_start.h"
#include "motion/refine/starts.h"
#include "motion/refine/still_posture.h"
#include "motion/refine/swing_starts.h"
#include "motion/task/time_allowed.h"
#include "motion/terms/own_terms.h"
#include "motion/values/own_term_check.h"

namespace verne {

namespace {

constexpr int kMostForConflicts = 12;  // velocities
constexpr int kOtherBeginnings = 2;    // of a search for what is in the way

/// What no start can change, and its reason.
std::optional<Conflict> certain_conflict(const Task& task) {
  std::optional<Conflict> conflict = broken_by_given_state(task);
  if (!conflict) conflict = out_of_reach(task);
  if (!conflict) conflict = too_short(task);
  return conflict;
}

/// Whether it is worth to look for what is in the way. The search takes dozens of solves: not for large tasks that may
/// just need more iterations.
bool is_stuck(const Task& task, const Solution& solution) {
  return solution.status == nlp::Status::not_found ||
         (solution.status == nlp::Status::iteration_limit && !solution.violations.empty() &&
          task.model.nv() <= kMostForConflicts);
}

/// Where a search for what is in the way begins: with the motion that was found, and guesses that others began with.
std::vector<Trajectory> beginnings(const Task& task, const Solution& found, const std::vector<Trajectory>& swings) {
  std::vector<Trajectory> all{found.trajectory};
  all.insert(all.end(), swings.begin(), swings.end());
  const FirstGuesses guesses(task);
  for (int k = 1; k <= kOtherBeginnings; ++k) all.push_back(guesses(k));
  return all;
}

/// No claim about what can be found, where there was no time to look for it.
Solution out_of_time(Solution found) {
  found.status = nlp::Status::time_limit;
  found.message = "the time limit was reached; so far: " + found.message;
  return found;
}

/// What swings lead to; else, what comes of a motion that a search for what is in the way met; else what that found.
Solution tried_further(const Task& task, Solution found, const PredictOptions& options, const TimeAllowed& time) {
  Swinging swinging = predict_swinging(time.rest_of(task), options, std::max(1, static_cast<int>(found.starts.size())));
  if (found.starts.empty() && !swinging.starts.empty()) {
    found.starts = {{0, found.status, found.cost, found.trajectory.duration()}};
  }
  found.starts.insert(found.starts.end(), swinging.starts.begin(), swinging.starts.end());
  if (swinging.solution) {
    swinging.solution->starts = std::move(found.starts);
    return std::move(*swinging.solution);
  }
  if (swinging.interrupted) {
    call_interrupted(found, "");
    return found;
  }
  if (time.is_up()) return out_of_time(std::move(found));
  const Search search = find_conflict(time.rest_of(task), beginnings(task, found, swinging.tried), options);
  if (search.motion) {
    Solution solution = predict_from(time.rest_of(task), options, KnownMotion{*search.motion, {}});
    if (solution.success()) {
      solution.starts = std::move(found.starts);
      return solution;
    }
  }
  if (search.conflict) {
    found.status = nlp::Status::not_found;
    found.message = to_string(*search.conflict);
    found.conflict = search.conflict;
  }
  return found;
}

/// A task whose parameters are designed, where another solve of it ended.
Task begun_as(const Task& task, const Solution* known) {
  std::map<std::string, double> values;
  for (const DesignSpec& design : task.design) {
    if (!known) break;
    for (const DesignResult& found : known->design) {
      if (found.parameter != design.parameter) continue;
      values[design.parameter] = std::clamp(found.value, design.bounds.lower, design.bounds.upper);
    }
  }
  return values.empty() ? task : task.with_parameters(values);
}

Solution predict_in(const TimeAllowed& time, const Task& task, const PredictOptions& options) {
  if (has_own_terms(task)) check_own_terms(task, first_guess(task));
  if (std::optional<Conflict> conflict = task.design.empty() ? certain_conflict(task) : std::nullopt) {
    Solution solution = infeasible_guess(task, first_guess(task));
    solution.message = to_string(*conflict);
    solution.conflict = std::move(conflict);
    return solution;
  }
  if (!options.warm_start && task.design.empty()) {
    if (std::optional<Conflict> conflict = no_still_posture(time.rest_of(task), options)) {
      Solution solution = infeasible_guess(task, first_guess(task));
      solution.status = nlp::Status::not_found;
      solution.message = to_string(*conflict);
      solution.conflict = std::move(conflict);
      return solution;
    }
  }
  if (task.shapes && !task.ground) return predict_clear(time.rest_of(task), options, options.warm_start);
  Solution solution = task.shapes ? predict_clear(time.rest_of(task), options, options.warm_start)
                      : options.warm_start
                          ? predict_from(time.rest_of(task), options, known_motion(*options.warm_start))
                          : predict_from_starts(time.rest_of(task), options);
  if (!is_stuck(task, solution) || !task.design.empty()) return solution;
  return time.is_up() ? out_of_time(std::move(solution)) : tried_further(task, std::move(solution), options, time);
}

}  // namespace

Task as_designed(const Task& task, const Solution& solution) {
  std::map<std::string, double> values;
  for (const DesignResult& design : solution.design) values[design.parameter] = design.value;
  return values.empty() ? task : task.with_parameters(values);
}

Solution predict(const Task& task, const PredictOptions& options) {
  const TimeAllowed time(task.solver.max_seconds);
  Solution solution = predict_in(time, begun_as(task, options.warm_start), options);
  adapt(time.rest_of(as_designed(task, solution)), options, solution);
  solution.total_seconds = time.passed();
  return solution;
}

}  // namespace verne
