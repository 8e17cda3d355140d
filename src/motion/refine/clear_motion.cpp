#include "motion/refine/clear_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "motion/curve/phases.h"
#include "motion/guess/first_guess.h"
#include "motion/guess/planned_motions.h"
#include "motion/refine/between_planes.h"
#include "motion/refine/by_rule.h"
#include "motion/refine/corridor_along.h"
#include "motion/refine/ended_early.h"
#include "motion/refine/one_start.h"
#include "motion/refine/quick_motion.h"
#include "motion/refine/starts.h"
#include "motion/task/time_allowed.h"
#include "motion/verify/clearance_proof.h"
#include "structures/collision_shapes.h"

namespace verne {

namespace {

constexpr std::size_t kWaysTried = 3;  // that are tried where one leads nowhere
constexpr int kMostPushes = 12;        // out of what a motion touches

/// The same for a task whose ways cannot be planned, since every posture has to hold equations: of a motion that was
/// found as if nothing stood around, pushed out of what it touches as often as it takes.
Solution pushed_clear(const Task& task, const PredictOptions& options, Collisions& collisions, const Solution* known) {
  const TimeAllowed time(task.solver.max_seconds);
  Solution found = known ? predict_from(time.rest_of(task), options, known_motion(*known))
                         : predict_from_starts(time.rest_of(task), options);
  CorridorPlan plan;
  for (int k = 0; k < kMostPushes && found.success() && !time.is_up(); ++k) {
    const std::vector<int> phases = phase_of_spans(found);
    const ClearanceProof proof = prove_clearance(collisions, found.trajectory, phases);
    if (proof.shown) break;
    plan.mend(collisions, found.trajectory, phases, proof);
    Task walled = time.rest_of(task);
    walled.corridor = corridor_along(task, collisions, found.trajectory, phases, plan);
    Solution pushed = predict_from(walled, options, known_motion(found));
    if (!pushed.success()) break;
    pushed.rounds.front().what = kBetweenPlanes;
    add_course(found, pushed, nullptr);
    found = std::move(pushed);
  }
  verify_clearance(task, found);
  return found;
}

/// No start leads anywhere.
Solution without_way(const Task& task, const PlannedMotions& planned) {
  Solution solution = infeasible_guess(task, first_guess(task));
  solution.status = planned.time_is_up ? nlp::Status::time_limit : nlp::Status::not_found;
  solution.message = planned.trouble + (planned.time_is_up ? " before the time was up" : "");
  solution.violations.clear();
  return solution;
}

/// The planner's own motion, where the optimizer found none: as slow as limits want it between the times that the
/// planner looked at.
Solution as_planned(const PlannedMotion& planned, bool all_tried) {
  constexpr double kSlower = 1.05;
  constexpr int kMostSlower = 40;
  Trajectory motion = planned.motion;
  if (planned.task.phases.empty()) {
    if (const auto timed = in_least_time(planned.task, motion)) motion = timed->trajectory;
  }
  for (int k = 0;; ++k) {
    Solution solution = measured_as_it_is(planned.task, motion);
    if (solution.success() || k == kMostSlower) {
      if (!solution.success()) return solution;
      solution.status = nlp::Status::acceptable;
      solution.message = std::string("warning: the planner's way in a time that keeps to the limits; ") +
                         (all_tried ? "no solve led to a better one" : "ended before a solve led to a better one");
      return solution;
    }
    motion = Trajectory(motion.basis(), motion.lengths() * kSlower, motion.control_points());
  }
}

}  // namespace

void verify_clearance(const Task& task, Solution& solution) {
  Collisions collisions = task.shapes->collisions;
  Verification& v = solution.verification;
  const ClearanceProof proof = prove_clearance(collisions, solution.trajectory, phase_of_spans(solution));
  v.clearance_certified = proof.shown;
  v.approaches = approaches(collisions, solution.trajectory, phase_of_spans(solution));
  if (proof.shown) return;
  v.not_clear = fmt::format("'{}' and '{}' at {:.4g} s", proof.touch.a, proof.touch.b, proof.time);
  if (!solution.success()) return;
  solution.status = proof.touches ? nlp::Status::not_verified : nlp::Status::acceptable;
  solution.message = proof.touches ? fmt::format("{} are {:.3g} m apart, asked for {:.3g}", v.not_clear,
                                                 proof.touch.distance, collisions.margin(proof.which.pair))
                                   : "warning: not shown to be clear: " + v.not_clear;
}

Solution predict_clear(const Task& task, const PredictOptions& options, const Solution* known) {
  const TimeAllowed time(task.solver.max_seconds);
  Collisions collisions = task.shapes->collisions;
  if (task.ground) return pushed_clear(task, options, collisions, known);
  PlannedMotions planned;
  if (known && prove_clearance(collisions, known->trajectory, phase_of_spans(*known)).shown) {
    planned.all.push_back({task, known->trajectory, phase_of_spans(*known), true});
  } else {
    const bool several = task.starts.count > 1;
    planned = plan_motions(task, collisions, several ? static_cast<std::size_t>(task.starts.count) : kWaysTried,
                           several ? static_cast<unsigned>(task.starts.count) : 1, [&] { return !time.is_up(); });
  }
  if (planned.all.empty()) return without_way(task, planned);
  if (!planned.all.front().clear) return pushed_clear(task, options, collisions, nullptr);  // nor is there another way
  bool stopped = false;                                                                     // by who watches
  PredictOptions watched = options;
  if (options.progress) {
    watched.progress = [&](const PredictProgress& progress) { return !(stopped |= !options.progress(progress)); };
  }
  const auto go_on = [&] { return !stopped && !time.is_up(); };
  std::optional<Solution> best;
  const auto descend = [&](const PlannedMotion& from) {
    if (!from.clear || !go_on() || (best && task.starts.count <= 1)) return;
    std::optional<Solution> found =
        improved_between_planes(task, watched, collisions, {from.motion, from.phase_of_span});
    if (found && (!best || (found->success() && found->cost < best->cost))) best = std::move(found);
  };
  std::ranges::for_each(planned.all, descend);
  if (!best && !known && task.starts.count <= 1 && go_on()) {  // other ways
    const PlannedMotions others =
        plan_motions(task, collisions, planned.all.size() + kWaysTried, 1 + kWaysTried, go_on);
    for (std::size_t k = planned.all.size(); k < others.all.size(); ++k) descend(others.all[k]);
  }
  if (!best || !best->success()) {
    Solution simple = as_planned(planned.all.front(), go_on());
    if (!best || simple.success()) best = std::move(simple);
  }
  Solution solution = std::move(*best);
  verify_clearance(task, solution);
  return solution;
}

}  // namespace verne
