#include "motion/refine/quick_motion.h"

#include <algorithm>
#include <cmath>

#include "motion/guess/guess_estimate.h"
#include "motion/guess/planned_motions.h"
#include "motion/refine/ended_early.h"
#include "motion/verify/clearance_proof.h"
#include "motion/verify/limit_check.h"
#include "motion/verify/load_proof.h"
#include "structures/collision_shapes.h"

namespace verne {

namespace {

constexpr int kLeastTimes = 100, kTimesOfSpan = 4;         // at which limits are looked at, to find the duration
constexpr int kMostAttempts = 10;                          // each slower than the one before
constexpr double kSlower = 0.01;                           // by so much more than that
constexpr int kPathSamples = 64;                           // of a curve that touches something
constexpr int kFurtherBack = 3;                            // of these: where a way around begins and ends
constexpr double kRoomAround = 4e-3;                       // m, of its ends, which the planner takes a part of
constexpr int kNodesAround = 2000, kShortcutsAround = 40;  // of one way around
constexpr double kRangeWithin = 1e-9;                      // rad or m: positions of a curve are found to that
constexpr double kBeyond = 3;                              // rad or m, where positions have no limits

/// Where the planner may go between postures.
struct Box {
  Eigen::VectorXd lower, upper;
};

Box box_around(const Task& task, const std::vector<Eigen::VectorXd>& postures) {
  Box box{postures.front(), postures.front()};
  for (const Eigen::VectorXd& q : postures) box.lower = box.lower.cwiseMin(q), box.upper = box.upper.cwiseMax(q);
  for (Eigen::Index i = 0; i < box.lower.size(); ++i) {
    if (!task.held.empty() && task.held[static_cast<std::size_t>(i)]) continue;
    const Interval& limits = task.limits.position[static_cast<std::size_t>(i)];
    box.lower[i] = std::isfinite(limits.lower) ? limits.lower : box.lower[i] - kBeyond;
    box.upper[i] = std::isfinite(limits.upper) ? limits.upper : box.upper[i] + kBeyond;
  }
  return box;
}

/// The curve's postures where nothing touches, and ways around between these; empty: none was found.
PlannedPath around_what_touches(const Task& task, Collisions& collisions, const Trajectory& curve) {
  std::vector<Eigen::VectorXd> postures;
  std::vector<char> free;
  for (int n = 0; n < kPathSamples; ++n) {
    postures.push_back(curve.at(curve.duration() * n / (kPathSamples - 1)));
    const std::vector<NearPair> near = collisions.near(postures.back(), collisions.margin() + kRoomAround);
    free.push_back(std::ranges::none_of(
        near, [&](const NearPair& pair) { return pair.distance < collisions.margin(pair.pair) + kRoomAround; }));
  }
  free.front() = free.back() = true;
  const Box box = box_around(task, postures);
  PathPlanner planner(collisions, box.lower, box.upper);
  PlannedPath path{postures.front()};
  int at = 0;
  const int last = kPathSamples - 1;
  while (at < last) {
    int next = at + 1;
    if (free[static_cast<std::size_t>(next)] && planner.clear(path.back(), postures[static_cast<std::size_t>(next)])) {
      path.push_back(postures[static_cast<std::size_t>(next)]), at = next;
      continue;
    }
    while (next < last && !free[static_cast<std::size_t>(next)]) ++next;
    next = std::min(last, next + kFurtherBack);
    while (next < last && !free[static_cast<std::size_t>(next)]) ++next;
    for (int back = 0; back < kFurtherBack && path.size() > 1; ++back) path.pop_back();
    const PlannedPath around =
        planner.plan(path.back(), postures[static_cast<std::size_t>(next)], 1, {kNodesAround, kShortcutsAround, {}});
    if (around.empty()) return {};
    path.insert(path.end(), around.begin() + 1, around.end());
    at = next;
  }
  return path;
}

}  // namespace

bool limits_are_proven(const Task& task, const Trajectory& motion) {
  const SpanRange all{0, motion.basis().spans()};
  const double tolerance = task.refine.tolerance;
  const LimitsSpec& limits = task.limits;
  const std::vector<Interval>* const bounds[] = {&limits.position, &limits.velocity, &limits.acceleration,
                                                 &limits.jerk};
  for (int order = 0; order < std::min(4, motion.basis().degree() + 1); ++order) {
    if (!certify(motion, all, order, *bounds[order], tolerance).value_or(true)) return false;
  }
  const LoadProof loads = prove_loads(task, motion, all, tolerance);
  return loads.effort.value_or(true) && loads.joint_force.value_or(true) && loads.joint_moment.value_or(true);
}

// The shortest time that keeps to the limits where they are looked at, and slower until they hold everywhere.
std::optional<Solution> in_least_time(const Task& wanted, const Trajectory& shape) {
  Task task = wanted;
  task.curve.control_points = static_cast<int>(shape.control_points().rows());
  task.curve.degree = shape.basis().degree();
  const int times = std::max(kLeastTimes, kTimesOfSpan * shape.basis().spans());
  double duration = GuessEstimate(task, shape.basis(), shape.lengths(), times).of(shape.control_points()).duration;
  for (int k = 0; k < kMostAttempts; ++k, duration *= 1 + kSlower * (k + 1)) {
    const Trajectory motion(shape.basis(), shape.lengths() * (duration / shape.duration()), shape.control_points());
    if (!limits_are_proven(task, motion)) continue;
    Solution solution = measured_as_it_is(task, motion, [] { return false; });
    if (solution.success() && is_certified(solution.verification)) return solution;
  }
  return std::nullopt;
}

bool is_certified(const Verification& v) {
  return v.position_certified.value_or(true) && v.velocity_certified.value_or(true) &&
         v.acceleration_certified.value_or(true) && v.jerk_certified.value_or(true) &&
         v.effort_certified.value_or(true) && v.joint_force_certified.value_or(true) &&
         v.joint_moment_certified.value_or(true) && v.clearance_certified.value_or(true);
}

Trajectory within_position_limits(const Task& task, const Trajectory& motion) {
  Eigen::MatrixXd points = motion.control_points();
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    const Interval& limits = task.limits.position[static_cast<std::size_t>(i)];
    const auto [low, high] = motion.range(0, static_cast<int>(i), kRangeWithin);
    if (low >= limits.lower && high <= limits.upper) continue;  // its control points may be beyond
    points.col(i) = points.col(i).cwiseMax(limits.lower).cwiseMin(limits.upper);
  }
  return {motion.basis(), motion.lengths(), points};
}

Trajectory moved_to(const Task& task, const Trajectory& motion, const Eigen::VectorXd& start,
                    const Eigen::VectorXd& goal) {
  constexpr int kAtRest = 2;  // control points after the first and before the last, which are theirs
  Eigen::MatrixXd points = motion.control_points();
  const Eigen::Index last = points.rows() - 1;
  const Eigen::VectorXd by_start = start - points.row(0).transpose(), by_goal = goal - points.row(last).transpose();
  const std::vector<double> knots = motion.basis().knots(motion.lengths());
  const int degree = motion.basis().degree();
  for (Eigen::Index k = 0; k <= last; ++k) {
    double s = 0;  // Greville's abscissa
    for (int i = 1; i <= degree; ++i) s += knots[static_cast<std::size_t>(k + i)] / (degree * motion.duration());
    const double u = k <= kAtRest ? 0 : k >= last - kAtRest ? 1 : s * s * s * (10 + s * (6 * s - 15));
    points.row(k) += ((1 - u) * by_start + u * by_goal).transpose();
  }
  return within_position_limits(task, {motion.basis(), motion.lengths(), points});
}

std::optional<Solution> quick_motion(const Task& task, const Trajectory& shape) {
  if (!task.shapes) return in_least_time(task, shape);
  Collisions collisions = task.shapes->collisions;
  std::optional<Solution> found;
  if (prove_clearance(collisions, shape).shown) {  // in any time
    found = in_least_time(task, shape);
  } else {
    const PlannedPath path = around_what_touches(task, collisions, shape);
    if (path.empty()) return std::nullopt;
    const PlannedMotion planned = motion_along(task, path, collisions);
    if (planned.clear) found = in_least_time(task, planned.motion);
  }
  if (found) found->verification.clearance_certified = true;
  return found;
}

}  // namespace verne
