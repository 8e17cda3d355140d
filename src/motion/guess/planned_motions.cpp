#include "motion/guess/planned_motions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motion/curve/phases.h"
#include "motion/guess/guess_estimate.h"
#include "motion/guess/ways.h"
#include "motion/verify/clearance_proof.h"

namespace verne {

namespace {

constexpr std::size_t kMostPlannedWays = 8;           // pairs of ends that are tried
constexpr unsigned kPlannerSeeds = 2;                 // plans of each line, of which the shortest counts
constexpr int kMostNodes = 40'000, kShortcuts = 200;  // of one plan
constexpr int kHard = 1000;                           // nodes of trees
constexpr int kLeastCurvePoints = 18, kMostCurvePoints = 70, kMoreForEachPhase = 30;
constexpr int kPointsForCorner = 3, kMostForCorners = 220;  // of ways with many corners
constexpr double kMoreCurvePoints = 1.5;                    // where a curve cuts corners of its way too much
constexpr int kPointsAtRest = 3;  // control points at either end that are one: no velocity, no acceleration
constexpr double kAroundEnds = std::numbers::pi;  // rad or m: how far a way goes aside where there are no limits

/// Whether postures may be looked for freely between those that the task gives.
bool is_free_between(const Task& task) {
  const auto held = [](const FrameGoalSpec& frame) { return frame.when.path && frame.of_posture(); };
  return !task.mechanism && !task.ground && task.model.nq() == task.model.nv() &&
         std::ranges::none_of(task.frames, held);
}

/// A stretch of a way, and whether it is at rest where it begins and ends.
struct LegTimes {
  double from, to;
  bool rests_before, rests_after;
};

/// Straight lines between postures, by the fraction of the motion's duration.
class Polyline {
 public:
  void add(const LegTimes& at, const PlannedPath& path) { legs_.push_back({at, length_of(path), path}); }
  /// Fractions between the ends at which it rests.
  std::vector<double> rests() const {
    std::vector<double> all;
    for (std::size_t k = 0; k + 1 < legs_.size(); ++k) {
      if (legs_[k].at.rests_after) all.push_back(legs_[k].at.to);
    }
    return all;
  }
  double length() const {
    double sum = 0;
    for (const Leg& leg : legs_) sum += leg.length;
    return sum;
  }
  /// All corners.
  PlannedPath postures() const {
    PlannedPath all = legs_.front().path;
    for (std::size_t k = 1; k < legs_.size(); ++k)
      all.insert(all.end(), legs_[k].path.begin() + 1, legs_[k].path.end());
    return all;
  }
  Eigen::VectorXd operator()(double fraction) const {
    std::size_t k = 0;
    while (k + 1 < legs_.size() && legs_[k].at.to < fraction) ++k;
    const Leg& leg = legs_[k];
    const double u = std::clamp((fraction - leg.at.from) / (leg.at.to - leg.at.from), 0.0, 1.0);
    double left = leg.length * eased(u, leg.at.rests_before, leg.at.rests_after);
    std::size_t n = 1;
    while (n + 1 < leg.path.size() && left > step(leg.path, n)) left -= step(leg.path, n++);
    const double length = step(leg.path, n);
    return leg.path[n - 1] + (leg.path[n] - leg.path[n - 1]) * (length > 0 ? std::min(1.0, left / length) : 0);
  }

 private:
  struct Leg {
    LegTimes at;
    double length;
    PlannedPath path;
  };
  static double step(const PlannedPath& path, std::size_t n) { return (path[n] - path[n - 1]).norm(); }
  /// From rest in the first leg, to rest in the last one.
  static double eased(double u, bool first, bool last) {
    if (first && last) return u * u * u * (10 + u * (6 * u - 15));
    if (first) return u * u * (2 - u);
    if (last) return 1 - (1 - u) * (1 - u) * (1 + u);
    return u;
  }

  std::vector<Leg> legs_;
};

/// Ways between given postures.
class WayPlanner {
 public:
  WayPlanner(const Task& task, Collisions& collisions, const std::function<bool()>& go_on)
      : task_(task), collisions_(collisions), go_on_(go_on) {}

  /// Nothing where none was found.
  std::optional<Polyline> around(const Way& way, unsigned plan) {
    Polyline line;
    const bool free = is_free_between(task_);
    for (std::size_t k = 1; k < way.at.size(); ++k) {
      const Eigen::VectorXd &from = way.postures[k - 1], &to = way.postures[k];
      collisions_.enter(phases_at(task_, (way.at[k - 1] + way.at[k]) / 2).front());
      const PlannedPath path = free ? shortest(way, from, to, plan) : PlannedPath{from, to};
      if (path.empty()) return std::nullopt;
      line.add({way.at[k - 1], way.at[k], rests(way.at[k - 1]), rests(way.at[k])}, path);
    }
    return line;
  }

 private:
  bool rests(double fraction) const {
    const auto still = [](const Interval& velocity) { return velocity.lower == 0 && velocity.upper == 0; };
    const auto is_rest = [&](const ViaSpec& via) {
      const std::vector<Interval>& velocity = via.state.velocity;
      if (via.at != fraction || velocity.empty()) return false;
      for (std::size_t i = 0; i < velocity.size(); ++i) {
        if (!still(velocity[i]) && (task_.held.empty() || !task_.held[i])) return false;
      }
      return true;
    };
    return fraction <= 0 || fraction >= 1 || std::ranges::any_of(task_.via, is_rest);
  }

  PlannedPath shortest(const Way& way, const Eigen::VectorXd& from, const Eigen::VectorXd& to, unsigned plan) {
    Eigen::VectorXd lower = from, upper = from;
    for (const Eigen::VectorXd& q : way.postures) lower = lower.cwiseMin(q), upper = upper.cwiseMax(q);
    for (Eigen::Index i = 0; i < lower.size(); ++i) {
      if (!task_.held.empty() && task_.held[static_cast<std::size_t>(i)]) continue;
      const Interval& limits = task_.limits.position[static_cast<std::size_t>(i)];
      lower[i] = std::isfinite(limits.lower) ? limits.lower : lower[i] - kAroundEnds;
      upper[i] = std::isfinite(limits.upper) ? limits.upper : upper[i] + kAroundEnds;
    }
    PathPlanner planner(collisions_, lower, upper);
    PlannedPath best;
    for (unsigned seed = 1; seed <= kPlannerSeeds; ++seed) {
      PlannedPath path = planner.plan(from, to, plan * kPlannerSeeds + seed, {kMostNodes, kShortcuts, go_on_});
      if (path.empty()) break;
      if (best.empty() || length_of(path) < length_of(best)) best = std::move(path);
      // Straight, not worth another search, or late.
      if (best.size() == 2 || planner.nodes() > kHard || (go_on_ && !go_on_())) break;
    }
    return best;
  }

  const Task& task_;
  Collisions& collisions_;
  const std::function<bool()>& go_on_;
};

/// A fraction of a motion whose phases end at `ends` as one of a motion whose phases end at `others`.
double other_fraction(double fraction, const std::vector<double>& ends, const std::vector<double>& others) {
  double begins = 0, begins_there = 0;
  for (std::size_t k = 0; k < ends.size(); ++k) {
    if (fraction <= ends[k] || k + 1 == ends.size()) {
      return begins_there + (others[k] - begins_there) * (fraction - begins) / (ends[k] - begins);
    }
    begins = ends[k], begins_there = others[k];
  }
  return fraction;
}

/// Control points on a way: the curve stays in the hulls of neighbouring ones, near the way where these are close. It
/// passes the places where the way rests, without velocity or acceleration. `ends`: fractions of the curve at which
/// phases end; `of_way`: those of the way.
Trajectory curve_along(const Polyline& line, int degree, int points, const std::vector<double>& ends,
                       const std::vector<double>& of_way) {
  const SplineBasis basis(degree, points - degree);
  const Eigen::VectorXd lengths = Eigen::VectorXd::Constant(basis.spans(), 1.0 / basis.spans());
  const std::vector<double> knots = basis.knots(lengths);
  Eigen::MatrixXd control(points, line(0).size());
  std::vector<double> rests = line.rests();
  for (double& at : rests) at = other_fraction(at, of_way, ends);
  for (int c = 0; c < points; ++c) {
    double greville = 0;
    for (int i = 1; i <= degree; ++i) greville += knots[static_cast<std::size_t>(c + i)] / degree;
    const int rest = std::min(kPointsAtRest, degree);
    if (c < rest) greville = 0;
    if (c >= points - rest) greville = 1;
    for (const double at : rests) {
      if (std::abs(greville - at) < (degree + 0.01) / 2 / basis.spans()) greville = at;
    }
    control.row(c) = line(other_fraction(greville, ends, of_way)).transpose();
  }
  return {basis, lengths, control};
}

/// Where a posture is a control point as many times as the degree says, the curve passes it, at rest, and between two
/// such ones it is straight: it does not leave the way at all.
Trajectory curve_on(const PlannedPath& path, int degree) {
  constexpr int kBetween = 2;  // control points on each line
  std::vector<Eigen::VectorXd> control(static_cast<std::size_t>(degree), path.front());
  for (std::size_t n = 1; n < path.size(); ++n) {
    for (int k = 1; k <= kBetween; ++k) {
      control.push_back(path[n - 1] + (path[n] - path[n - 1]) * (k / (kBetween + 1.0)));
    }
    control.insert(control.end(), static_cast<std::size_t>(degree), path[n]);
  }
  Eigen::MatrixXd points(static_cast<Eigen::Index>(control.size()), path.front().size());
  for (std::size_t c = 0; c < control.size(); ++c) points.row(static_cast<Eigen::Index>(c)) = control[c].transpose();
  const SplineBasis basis(degree, static_cast<int>(control.size()) - degree);
  return {basis, Eigen::VectorXd::Constant(basis.spans(), 1.0 / basis.spans()), points};
}

/// In the shortest time in which it keeps to the limits, at the times that are looked at.
PlannedMotion timed(const Task& task, const Trajectory& shape, Collisions& collisions) {
  PlannedMotion planned{task, shape, {}, false};
  if (task.phases.empty() && !prove_clearance(collisions, shape).shown) return planned;  // in no time
  const int points = static_cast<int>(shape.control_points().rows());
  planned.task.curve.control_points = points;
  planned.task.curve.nodes = std::max(task.curve.nodes, points);
  const Task flat = without_phases(planned.task);
  const double duration = GuessEstimate(flat, shape.basis()).of(shape.control_points()).duration;
  const Trajectory in_time(shape.basis(), shape.lengths() * duration, shape.control_points());
  planned.motion = with_phases(planned.task, in_time, {});
  planned.phase_of_span = phase_of_spans(planned.task);
  planned.clear = task.phases.empty() || prove_clearance(collisions, planned.motion, planned.phase_of_span).shown;
  return planned;
}

PlannedMotion motion_along(const Task& task, const Polyline& line, Collisions& collisions) {
  const int degree = task.curve.degree;
  const std::vector<double> of_way = without_phases(task).flattened;
  const int corners = static_cast<int>(line.postures().size());
  const int most = std::clamp(kPointsForCorner * corners, kMostCurvePoints, kMostForCorners) +
                   kMoreForEachPhase * static_cast<int>(task.phases.size());
  const bool counted = std::ranges::any_of(task.phases, [](const PhaseSpec& phase) { return phase.spans > 0; });
  for (int points = std::max(task.curve.control_points, kLeastCurvePoints); points < most;
       points = static_cast<int>(points * kMoreCurvePoints)) {
    Task finer = task;
    finer.curve.control_points = points;
    const std::vector<double> ends = without_phases(finer).flattened;
    PlannedMotion planned = timed(task, curve_along(line, degree, points, ends, of_way), collisions);
    if (planned.clear || counted) return planned;
    if (!task.phases.empty() && points * kMoreCurvePoints >= most) return planned;
  }
  return timed(task, curve_on(line.postures(), degree), collisions);
}

/// Why a way is none from the beginning.
std::string trouble_of(const Task& task, const Way& way, Collisions& collisions) {
  for (std::size_t k = 0; k < way.at.size(); ++k) {
    collisions.enter(phases_at(task, way.at[k]).front());
    const auto touch = collisions.deepest(way.postures[k]);
    if (!touch) continue;
    const char* const what = k == 0 ? "the start" : k + 1 == way.at.size() ? "the end" : "a posture on the way";
    return fmt::format("at {} '{}' and '{}' {}", what, touch->a, touch->b,
                       touch->distance > 0 ? fmt::format("are {:.3g} m apart, less than the margin", touch->distance)
                                           : fmt::format("overlap by {:.3g} m", -touch->distance));
  }
  return "";
}

}  // namespace

PlannedMotion motion_along(const Task& task, const PlannedPath& path, Collisions& collisions) {
  Polyline line;
  line.add({0, 1, true, true}, path);
  return motion_along(task, line, collisions);
}

PlannedMotions plan_motions(const Task& task, Collisions& collisions, std::size_t count, unsigned plans,
                            const std::function<bool()>& go_on) {
  const Task flat = without_phases(task);
  PlannedMotions found;
  WayPlanner planner(flat, collisions, go_on);
  std::vector<Way> ways = ways_of(flat);
  if (ways.size() > kMostPlannedWays) ways.resize(kMostPlannedWays);
  for (unsigned plan = 0; plan < plans && found.all.size() < count && found.all.size() >= plan; ++plan) {
    for (const Way& way : ways) {
      const bool late = go_on && !go_on(), tried = !found.all.empty() || !found.trouble.empty();
      if (found.all.size() >= count || (late && tried)) break;
      const std::string trouble = trouble_of(flat, way, collisions);
      const std::optional<Polyline> line = trouble.empty() ? planner.around(way, plan) : std::nullopt;
      if (line) {
        found.all.push_back(motion_along(task, *line, collisions));
      } else if (found.trouble.empty()) {
        found.trouble = trouble.empty() ? "no way was found on which nothing touches" : trouble;
        found.time_is_up = trouble.empty() && go_on && !go_on();
      }
    }
  }
  std::ranges::stable_sort(found.all, {}, [](const PlannedMotion& planned) { return !planned.clear; });
  return found;
}

}  // namespace verne
