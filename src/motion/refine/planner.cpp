#include "verne/motion/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "motion/refine/clear_motion.h"
#include "motion/refine/ended_early.h"
#include "motion/refine/quick_motion.h"
#include "motion/task/time_allowed.h"
#include "structures/collision_shapes.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr double kWorthSolving = 0.05;                  // s: with less time left, nothing is solved
constexpr int kStopPoints = 14;                         // control points of a stop
constexpr double kFirstStop = 0.05, kLongerStop = 1.3;  // s, and times

void check_length(const Model& model, const char* what, Eigen::Index size) {
  if (size == model.nv()) return;
  throw std::invalid_argument(fmt::format("Planner: {} has {} entries, expected {}", what, size, model.nv()));
}

/// A posture that motions may begin and end in.
void check_posture(const Task& task, const char* what, const Eigen::Ref<const Eigen::VectorXd>& q) {
  check_length(task.model, what, q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Interval& limits = task.limits.position[k];
    if (q[i] >= limits.lower && q[i] <= limits.upper) continue;
    throw InputError({{task.file, 0,
                       fmt::format("{}: {} is {:.6g}, beyond its limits {:.6g} to {:.6g}", what,
                                   task.model.dof_names()[k], q[i], limits.lower, limits.upper)}});
  }
  if (!task.shapes) return;
  Collisions collisions = task.shapes->collisions;
  const auto touch = collisions.deepest(q);
  if (!touch) return;
  throw InputError({{task.file, 0,
                     fmt::format("{}: '{}' and '{}' {} by {:.3g} m", what, touch->a, touch->b,
                                 touch->distance > 0 ? "are apart" : "overlap", std::abs(touch->distance))}});
}

void put_state(StateSpec& state, const Eigen::Ref<const Eigen::VectorXd>& q) {
  state = {};
  for (const double value : q) {
    state.position.push_back({value, value});
    state.velocity.push_back({0, 0});
    state.acceleration.push_back({0, 0});
  }
}

/// From the state of a motion at a time along its way to rest: the way's parameter s has s' = 1 − 3u² + 2u³ of the
/// stop's fraction u, so that it goes on half as far as the motion would.
Trajectory slowed(const Trajectory& motion, double time, double duration) {
  const int degree = std::max(3, motion.basis().degree());
  const SplineBasis basis(degree, kStopPoints - degree);
  const Eigen::VectorXd lengths = Eigen::VectorXd::Constant(basis.spans(), duration / basis.spans());
  std::vector<Place> places;
  const int count = 8 * kStopPoints;
  Eigen::MatrixXd values(motion.coordinates(), count);
  for (int k = 0; k < count; ++k) {
    const double u = k / (count - 1.0), s = time + duration * (u - u * u * u + u * u * u * u / 2);
    const int span = std::min(static_cast<int>(u * basis.spans()), basis.spans() - 1);
    places.push_back({span, u * basis.spans() - span});
    values.col(k) = motion.at(std::min(s, motion.duration()));
  }
  Eigen::MatrixXd points = fit_control_points(basis, lengths, places, values);
  // The state at its begin, and rest at its end, exactly: control points that these derivatives are made of.
  const double h = lengths[0];
  const Eigen::VectorXd v = motion.at(time, 1), a = motion.at(time, 2);
  const double p = degree;
  points.row(1) = points.row(0) + (v * (h / p)).transpose();
  points.row(2) = (a * (2 * h * h / (p * (p - 1)))).transpose() + 3 * points.row(1) - 2 * points.row(0);
  const Eigen::Index last = points.rows() - 1;
  points.row(last - 1) = points.row(last - 2) = points.row(last);
  return {basis, lengths, points};
}

/// The motion itself from a time on.
Trajectory rest_of(const Trajectory& motion, double time) {
  constexpr double kAtBreakpoint = 1e-9;  // of a span
  const int spans = motion.basis().spans();
  Place at = motion.place(time);
  if (at.fraction > 1 - kAtBreakpoint) at = {at.span + 1, 0};
  if (at.span >= spans) {
    const SplineBasis still(motion.basis().degree(), 1);
    const Eigen::RowVectorXd q = motion.at(motion.duration()).transpose();
    return {still, Eigen::VectorXd::Constant(1, kFirstStop), q.replicate(still.control_points(), 1)};
  }
  if (at.fraction < kAtBreakpoint) return motion.piece(at.span, spans);
  return motion.with_knot(at).piece(at.span + 1, spans + 1);
}

}  // namespace

Planner::Planner(Task task, std::function<bool(const PredictProgress&)> watch)
    : task_(std::move(task)), asked_(task_), watch_(std::move(watch)) {
  if (!task_.phases.empty()) throw InputError({{task_.file, 0, "Planner: a task without phases is expected"}});
}

Solution Planner::plan(const Eigen::Ref<const Eigen::VectorXd>& start, const Eigen::Ref<const Eigen::VectorXd>& goal,
                       double deadline) {
  return solved(start, goal, deadline, false);
}

Solution Planner::replan(const Eigen::Ref<const Eigen::VectorXd>& start, const Eigen::Ref<const Eigen::VectorXd>& goal,
                         double deadline) {
  return solved(start, goal, deadline, true);
}

void Planner::change_scene(const Task& task) {
  if (task.model.nv() != task_.model.nv()) throw std::invalid_argument("Planner: the scene is of another model");
  task_.shapes = task.shapes;
}

void Planner::move_object(const std::string& object, const Vec3<double>& xyz, const Vec3<double>& rpy) {
  auto shapes = task_.shapes ? std::make_shared<CollisionShapes>(*task_.shapes) : nullptr;
  if (!shapes || !shapes->collisions.move_object(object, xyz, rotation_rpy(rpy))) {
    throw InputError({{task_.file, 0, fmt::format("move_object: there is no object '{}'", object)}});
  }
  task_.shapes = std::move(shapes);
}

Solution Planner::solved(const Eigen::Ref<const Eigen::VectorXd>& start, const Eigen::Ref<const Eigen::VectorXd>& goal,
                         double deadline, bool from_latest) {
  check_posture(task_, "start", start);
  check_posture(task_, "goal", goal);
  Task& task = asked_ = task_;
  put_state(task.start, start);
  put_state(task.end, goal);
  task.frames.clear(), task.via.clear();
  const TimeAllowed time(std::min(task.solver.max_seconds, deadline));
  std::optional<Solution> quick;
  if (from_latest && latest_) quick = quick_motion(task, moved_to(task, latest_->trajectory, start, goal));
  const double left = time.left();
  if (quick && left < kWorthSolving) {
    quick->message = "warning: the latest motion, moved to these ends; there was no time for a solve";
    quick->status = nlp::Status::acceptable;
    latest_ = quick;
    return *quick;
  }
  task.solver.max_seconds = left;
  PredictOptions options;
  options.progress = watch_;
  if (quick) options.warm_start = &*quick;
  Solution solution = predict(task, options);
  if (quick && !(solution.success() && solution.cost <= quick->cost)) solution = std::move(*quick);
  if (solution.success()) latest_ = solution;
  return solution;
}

std::optional<Solution> Planner::stop(const Solution& motion, double time) {
  check_length(task_.model, "motion", motion.trajectory.coordinates());
  if (!(time >= 0)) throw std::invalid_argument(fmt::format("Planner: stop at {}, expected 0 or more", time));
  const Trajectory& way = motion.trajectory;
  for (double duration = kFirstStop; time + duration / 2 < way.duration(); duration *= kLongerStop) {
    if (std::optional<Solution> halt = shown_to_hold(slowed(way, time, duration))) return halt;
  }
  return shown_to_hold(rest_of(way, time));
}

/// A motion to rest as it is, from the state that it begins with; nothing where it is not certified.
std::optional<Solution> Planner::shown_to_hold(const Trajectory& halt) {
  Task task = task_;
  put_state(task.start, halt.at(0.0));
  put_state(task.end, halt.at(halt.duration()));
  const Eigen::VectorXd v = halt.at(0.0, 1), a = halt.at(0.0, 2);
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    task.start.velocity[k] = {v[i], v[i]}, task.start.acceleration[k] = {a[i], a[i]};
  }
  task.frames.clear(), task.via.clear();
  task.curve.control_points = static_cast<int>(halt.control_points().rows());
  task.curve.degree = halt.basis().degree();
  Solution measured = measured_as_it_is(task, halt);
  if (task.shapes) verify_clearance(task, measured);
  const Verification& v_of = measured.verification;
  if (!measured.success() || !is_certified(v_of) || v_of.limit_excess > task.refine.tolerance) return std::nullopt;
  asked_ = std::move(task);
  return measured;
}

}  // namespace verne
