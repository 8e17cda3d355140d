#include "motion/refine/clear_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "motion/curve/phases.h"
#include "motion/guess/first_guess.h"
#include "motion/guess/planned_motions.h"
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

constexpr int kCorridorPlaces = 50;         // of a corridor to begin with, evenly over time
constexpr int kMostCorridors = 8;           // one after the other
constexpr int kMostRepairs = 20;            // of one that shapes leave between its places
constexpr int kMostInVain = 3;              // of these, one after the other, that lead to the same motion
constexpr double kSameCost = 1e-6;          // of the cost: motions that differ by less are the same
constexpr double kWorthAnother = 3e-3;      // of the cost: less is not worth another corridor
constexpr double kLeaning = 1e-5;           // m: a motion that stays away from all planes by more does not need them
constexpr double kToleranceBetween = 1e-5;  // of solves that others follow
constexpr char kBetweenPlanes[] = "between planes";  // in the course
constexpr std::size_t kWaysTried = 3;                // that are tried where one leads nowhere

/// A motion on which nothing touches.
struct SafeMotion {
  Trajectory trajectory;
  std::vector<int> phase_of_span;
};

SafeMotion safe_motion(const Solution& solution) {
  return {solution.trajectory, phase_of_spans(solution)};
}

/// Descends from a motion on which nothing touches to better ones of the same kind.
class Descent {
 public:
  Descent(const Task& task, const PredictOptions& options, Collisions& collisions, SafeMotion from)
      : task_(task),
        options_(options),
        collisions_(collisions),
        safe_(std::move(from)),
        time_(task.solver.max_seconds) {
    for (int k = 0; k < kCorridorPlaces; ++k) plan_.at.push_back(k / (kCorridorPlaces - 1.0));
  }

  /// Nothing where no solve led to a motion that is shown to be clear.
  std::optional<Solution> run() {
    Task rough = task_;
    rough.solver.tolerance = std::max(task_.solver.tolerance, kToleranceBetween);
    for (int k = 0; k < kMostCorridors && !stopped(); ++k) {
      std::optional<Solution> found = within_corridor(rough, /*refine=*/false);
      if (!found) break;
      const double gain = best_ ? (best_->cost - found->cost) / std::max(std::abs(best_->cost), 1e-12) : kInfinity;
      const bool free = room_in(*corridor_, task_, found->trajectory, phase_of_spans(*found)) > kLeaning;
      if (gain > 0) best_ = std::move(found), safe_ = safe_motion(*best_);
      if (free || gain < kWorthAnother) {  // the corridor at hand will do: the best motion is in it
        settled_ = free && gain > 0;
        break;
      }
    }
    if (!best_) return std::nullopt;
    std::optional<Solution> finished = within_corridor(task_, /*refine=*/true);
    settled_ = false;
    if (!finished) finished = as_it_is(*best_);
    if (finished) add_course(course_, *finished, kBetweenPlanes);
    return finished;
  }

 private:
  bool stopped() const { return stopped_ || time_.is_up(); }

  /// Solves between planes along the motion that is safe, and mends the corridor where shapes left it.
  std::optional<Solution> within_corridor(const Task& task, bool refine) {
    CorridorPlan plan = plan_;
    double latest = kInfinity;
    for (int k = 0, in_vain = 0; k <= kMostRepairs && in_vain < kMostInVain && !stopped(); ++k) {
      Task walled = time_.rest_of(task);
      if (!settled_) corridor_ = corridor_along(task, collisions_, safe_.trajectory, safe_.phase_of_span, plan);
      walled.corridor = corridor_;
      Solution found = solved(walled, refine);
      stopped_ = found.status == nlp::Status::interrupted || found.status == nlp::Status::time_limit;
      settled_ = false;
      if (!refine) keep_course(found);
      if (!found.success() && !refine) return std::nullopt;
      const ClearanceProof proof = prove_clearance(collisions_, found.trajectory, phase_of_spans(found));
      if (proof.shown) {
        plan_ = std::move(plan);
        return found;
      }
      if (!found.success()) return std::nullopt;
      const bool same = std::abs(found.cost - latest) <= kSameCost * std::abs(found.cost);
      latest = found.cost;
      const std::size_t pairs = plan.pairs.size();
      mend(plan, found, proof);
      in_vain = same && plan.pairs.size() == pairs ? in_vain + 1 : 0;
      if (in_vain > 0) plan.count_more_corners();
    }
    return std::nullopt;
  }

  Solution solved(const Task& walled, bool refine) const {
    KnownMotion from{safe_.trajectory, ends_of(safe_)};
    if (settled_) from.state = best_->state;
    if (refine) return predict_from(walled, options_, from);
    return best_ ? solve_from(walled, options_, from) : solve_from(walled, options_, refitted(walled, from), {});
  }

  /// What was found before time was up, or before finer solves failed: a little slower where limits need it.
  std::optional<Solution> as_it_is(const Solution& found) const {
    Task task = task_;
    task.curve.control_points = static_cast<int>(found.trajectory.control_points().rows());
    Trajectory motion = within_position_limits(task, found.trajectory);
    if (!prove_clearance(collisions_, motion, phase_of_spans(found)).shown) motion = found.trajectory;
    if (const auto timed = task.phases.empty() ? in_least_time(task, motion) : std::nullopt) motion = timed->trajectory;
    Solution solution = measured_as_it_is(task, motion);
    if (!solution.success()) return std::nullopt;
    solution.status = nlp::Status::acceptable;
    solution.message = stopped_ || time_.is_up() ? "warning: the best motion so far, as the time was up"
                                                 : "warning: solved roughly; finer solves did not succeed";
    return solution;
  }

  static std::vector<double> ends_of(const SafeMotion& motion) {
    std::vector<double> ends;
    const std::vector<int>& phases = motion.phase_of_span;
    for (std::size_t s = 0; s < phases.size(); ++s) {
      if (s + 1 < phases.size() && phases[s + 1] == phases[s]) continue;
      ends.push_back(motion.trajectory.time({static_cast<int>(s), 1.0}));
    }
    return ends.size() > 1 ? ends : std::vector<double>{};
  }

  /// Planes for pairs that touch and have none; where all have, more places where they do, and a little more reserve.
  void mend(CorridorPlan& plan, const Solution& found, const ClearanceProof& proof) {
    const std::size_t before = plan.pairs.size();
    const TouchesAlong touches = touches_along(collisions_, found.trajectory, phase_of_spans(found));
    plan.pairs.insert(touches.pairs.begin(), touches.pairs.end());
    plan.pairs.insert(proof.which);
    if (plan.pairs.size() > before) return;
    std::vector<double> times = touches.times;
    times.push_back(proof.time);
    for (const double time : times) {
      const double at = time / found.trajectory.duration();
      const auto after = std::ranges::upper_bound(plan.at, at);
      const double low = after == plan.at.begin() ? 0 : *(after - 1), high = after == plan.at.end() ? 1 : *after;
      plan.at.insert(plan.at.end(), {at, (low + at) / 2, (at + high) / 2});
      std::ranges::sort(plan.at);
      plan.at.erase(std::unique(plan.at.begin(), plan.at.end(), [](double a, double b) { return b - a < 1e-4; }),
                    plan.at.end());
    }
    plan.widen();
  }

  void keep_course(const Solution& found) {
    Solution both = found;
    add_course(course_, both, kBetweenPlanes);
    course_ = std::move(both);
  }

  const Task& task_;
  const PredictOptions& options_;
  Collisions& collisions_;
  SafeMotion safe_;
  TimeAllowed time_;
  CorridorPlan plan_;
  std::shared_ptr<const Corridor> corridor_;  // the latest
  bool settled_ = false;                      // it is that of the best motion, which does not lean on it
  std::optional<Solution> best_;
  Solution course_{Trajectory(SplineBasis(1, 1), Eigen::VectorXd::Ones(1), Eigen::MatrixXd::Zero(2, 1))};
  bool stopped_ = false;
};

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
Solution as_planned(const PlannedMotion& planned) {
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
      solution.message = "warning: the planner's way in a time that keeps to the limits; no solve led to a better one";
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
  PlannedMotions planned;
  if (known && prove_clearance(collisions, known->trajectory, phase_of_spans(*known)).shown) {
    planned.all.push_back({task, known->trajectory, phase_of_spans(*known), true});
  } else {
    const bool several = task.starts.count > 1;
    planned = plan_motions(task, collisions, several ? static_cast<std::size_t>(task.starts.count) : kWaysTried,
                           several ? static_cast<unsigned>(task.starts.count) : 1, [&] { return !time.is_up(); });
  }
  if (planned.all.empty()) return without_way(task, planned);
  if (!planned.all.front().clear) {  // nor can another way be planned
    Solution solution = predict_from_starts(task, options);
    verify_clearance(task, solution);
    return solution;
  }
  std::optional<Solution> best;
  for (const PlannedMotion& from : planned.all) {
    if (!from.clear || (best && task.starts.count <= 1)) break;
    std::optional<Solution> found = Descent(task, options, collisions, {from.motion, from.phase_of_span}).run();
    if (found && (!best || (found->success() && found->cost < best->cost))) best = std::move(found);
  }
  if (!best || !best->success()) {
    Solution simple = as_planned(planned.all.front());
    if (!best || simple.success()) best = std::move(simple);
  }
  Solution solution = std::move(*best);
  verify_clearance(task, solution);
  return solution;
}

}  // namespace verne
