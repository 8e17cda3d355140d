#include "motion/refine/between_planes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "motion/curve/phases.h"
#include "motion/guess/first_guess.h"
#include "motion/refine/by_rule.h"
#include "motion/refine/corridor_along.h"
#include "motion/refine/ended_early.h"
#include "motion/refine/finer_curves.h"
#include "motion/refine/one_start.h"
#include "motion/refine/quick_motion.h"
#include "motion/task/time_allowed.h"
#include "motion/verify/clearance_proof.h"

namespace verne {

namespace {

constexpr int kMostCorridors = 8;           // one after the other
constexpr int kMostRepairs = 20;            // of one that shapes leave between its places
constexpr int kMostInVain = 3;              // of these, one after the other, that lead to the same motion
constexpr int kMostSolves = 60;             // of one corridor: most of them because of a few more corners
constexpr int kMostBetween = 200;           // iterations of a solve from a motion that is not safe
constexpr double kToleranceBetween = 1e-5;  // of solves that others follow
constexpr double kSameCost = 1e-6;          // of the cost: motions that differ by less are the same
constexpr double kWorthAnother = 3e-3;      // of the cost: less is not worth another corridor
constexpr double kLeaning = 1e-5;           // m: who stays away from all planes by more does not need them
constexpr double kIsNear = 0.03;            // m: corners count that are so near to planes from the beginning,
constexpr double kMayComeNear = 0.02;       // m, where a solve changes little,
constexpr double kBeyondPlanes = 1e-5;      // m, and where they are beyond them
constexpr double kShallow = 0.03;           // m, beyond planes: a solve may begin there
constexpr double kNearSafe = 0.03;          // m: pairs that get planes where touches alone did not help
constexpr double kOnTheWay[] = {0.7, 0.4, 0.15, 0.05};  // from a motion that is safe to one that is not
constexpr double kMostForWay = 3, kMoreForWay = 1.4;    // times the control points that a task has
constexpr int kNodesForWay = 3;                         // for each of them

SafeMotion motion_of(const Solution& solution) {
  return {solution.trajectory, phase_of_spans(solution)};
}

/// With as many control points as it takes for the curve to touch nothing where it follows a motion, within reason; the
/// motion becomes that curve.
Task on_curve_near(const Task& task, Collisions& collisions, SafeMotion& motion) {
  if (!task.phases.empty() || !refines_curve(task)) return task;
  Task wanted = task;
  for (int points = task.curve.control_points; points <= kMostForWay * task.curve.control_points;
       points = static_cast<int>(points * kMoreForWay)) {
    wanted.curve.control_points = points;
    wanted.curve.nodes = std::max(task.curve.nodes, kNodesForWay * points);
    Trajectory fitted = refitted(wanted, {motion.trajectory, {}});
    if (!prove_clearance(collisions, fitted).shown) continue;
    motion = {fitted, std::vector<int>(static_cast<std::size_t>(fitted.basis().spans()), 0)};
    return wanted;
  }
  return task;
}

/// Of a corridor that shapes leave between its places, and whether they lead anywhere.
class Repairs {
 public:
  bool may_help() const { return count_ <= kMostRepairs && in_vain_ < kMostInVain; }
  void add(double cost, bool new_pairs) {
    const bool same = std::abs(cost - latest_) <= kSameCost * std::abs(cost);
    in_vain_ = same && !new_pairs ? in_vain_ + 1 : 0;
    latest_ = cost;
    ++count_;
  }

 private:
  int count_ = 0, in_vain_ = 0;
  double latest_ = kInfinity;
};

class Descent {
 public:
  Descent(const Task& task, const PredictOptions& options, Collisions& collisions, SafeMotion from)
      : options_(options),
        collisions_(collisions),
        safe_(std::move(from)),
        task_(on_curve_near(task, collisions, safe_)),
        time_(task.solver.max_seconds) {}

  std::optional<Solution> run() {
    descend();
    if (!best_ && plan_.pairs.empty() && !stopped()) {  // once more, with more pairs from the beginning
      plan_.pairs = touches_along(collisions_, safe_.trajectory, safe_.phase_of_span, kNearSafe).pairs;
      if (!plan_.pairs.empty()) descend();
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

  /// Solves roughly in one corridor after the other.
  void descend() {
    Task rough = task_;
    rough.solver.tolerance = std::max(task_.solver.tolerance, kToleranceBetween);
    for (int k = 0; k < kMostCorridors && !stopped(); ++k) {
      std::optional<Solution> found = within_corridor(rough, /*refine=*/false);
      if (!found) return;
      const double gain = best_ ? (best_->cost - found->cost) / std::max(std::abs(best_->cost), 1e-12) : kInfinity;
      const bool free = room_of(motion_of(*found)) > kLeaning;
      if (gain > 0) best_ = std::move(found), safe_ = motion_of(*best_);
      settled_ = free && gain > 0;
      if (free || gain < kWorthAnother) return;  // the corridor at hand will do: the best motion is in it
    }
  }

  /// Solves between planes along the motion that is safe, with the corners that come near them. More corners count
  /// where others went beyond; where shapes left the corridor between its places, it is mended.
  std::optional<Solution> within_corridor(const Task& task, bool refine) {
    const double near = refine ? kMayComeNear : kIsNear;
    CorridorPlan plan = plan_;
    if (!settled_) look_along_safe(plan, near);
    SafeMotion from = safe_;
    bool from_safe = true;
    Repairs repairs;
    for (int solves = 0; solves < kMostSolves && repairs.may_help() && !stopped(); ++solves) {
      Solution found = solved(task, from, from_safe, refine);
      if (!found.success() && !refine) {
        if (from_safe || stopped()) return std::nullopt;
        from = safe_, from_safe = true;
        continue;
      }
      const SafeMotion motion = motion_of(found);
      const ClearanceProof proof = prove_clearance(collisions_, motion.trajectory, motion.phase_of_span);
      if (proof.shown) {
        plan_ = std::move(plan);
        return found;
      }
      if (!found.success()) return std::nullopt;
      if (!count(motion, kBeyondPlanes)) {
        repairs.add(found.cost, plan.mend(collisions_, motion.trajectory, motion.phase_of_span, proof));
        if (!refine) go_towards(motion);
        look_along_safe(plan, near);
        count(motion, near);
      }
      from_safe = refine || room_of(motion) < -kShallow;
      from = from_safe ? safe_ : motion;
    }
    return std::nullopt;
  }

  void look_along_safe(const CorridorPlan& plan, double near) {
    counted_ = CountedCorners(corridor_along(task_, collisions_, safe_.trajectory, safe_.phase_of_span, plan));
    count(safe_, near);
  }
  bool count(const SafeMotion& motion, double near) {
    return counted_.add(task_, motion.trajectory, motion.phase_of_span, near);
  }
  double room_of(const SafeMotion& motion) const {
    return room_in(counted_.all(), task_, motion.trajectory, motion.phase_of_span);
  }

  /// Part of the way to a motion that is not safe, as far as that is.
  void go_towards(const SafeMotion& motion) {
    const Trajectory &from = safe_.trajectory, &to = motion.trajectory;
    if (!same_basis(from, to)) return;
    for (const double part : kOnTheWay) {
      Trajectory between(to.basis(), (1 - part) * from.lengths() + part * to.lengths(),
                         (1 - part) * from.control_points() + part * to.control_points());
      if (!prove_clearance(collisions_, between, safe_.phase_of_span).shown) continue;
      safe_.trajectory = std::move(between);
      return;
    }
  }

  Solution solved(const Task& task, const SafeMotion& motion, bool from_safe, bool refine) {
    Task walled = time_.rest_of(task);
    walled.corridor = counted_.corridor();
    if (!from_safe) walled.solver.max_iterations = std::min(task.solver.max_iterations, kMostBetween);
    KnownMotion from{motion.trajectory, ends_of(motion)};
    if (settled_) from.state = best_->state;
    settled_ = false;
    const bool first = !std::exchange(begun_, true);
    Solution found = refine  ? predict_from(walled, options_, from)
                     : first ? solve_from(walled, options_, refitted(walled, from), {})
                             : solve_from(walled, options_, from);
    stopped_ = found.status == nlp::Status::interrupted || found.status == nlp::Status::time_limit;
    if (!refine) keep_course(found);
    return found;
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

  void keep_course(const Solution& found) {
    Solution both = found;
    add_course(course_, both, kBetweenPlanes);
    course_ = std::move(both);
  }

  const PredictOptions& options_;
  Collisions& collisions_;
  SafeMotion safe_;
  const Task task_;  // on a curve that can follow the first one
  TimeAllowed time_;
  CorridorPlan plan_;
  CountedCorners counted_;  // of the latest corridor
  bool begun_ = false;
  bool settled_ = false;  // it is that of the best motion, which does not lean on it
  std::optional<Solution> best_;
  Solution course_{Trajectory(SplineBasis(1, 1), Eigen::VectorXd::Ones(1), Eigen::MatrixXd::Zero(2, 1))};
  bool stopped_ = false;
};

}  // namespace

std::optional<Solution> improved_between_planes(const Task& task, const PredictOptions& options, Collisions& collisions,
                                                SafeMotion from) {
  return Descent(task, options, collisions, std::move(from)).run();
}

}  // namespace verne
