#include "verne/motion/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "motion/refine/clear_motion.h"
#include "motion/refine/ended_early.h"
#include "motion/refine/quick_motion.h"
#include "motion/refine/stops.h"
#include "motion/task/time_allowed.h"
#include "structures/collision_shapes.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr double kWorthSolving = 0.05;                   // s: with less time left, nothing is solved
constexpr double kFirstStop = 0.02, kLongerStop = 1.15;  // s, and times
constexpr double kRamps[] = {0.3, 0.15, 0.05};           // parts of a stop, smoother ones first

void check_length(const Model& model, const char* what, Eigen::Index size) {
  if (size == model.nv()) return;
  throw std::invalid_argument(fmt::format("Planner: {} has {} entries, expected {}", what, size, model.nv()));
}

constexpr char kAlongTheWay[] = "stops along the way of the motion", kOffTheWay[] = "leaves the way of the motion";

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

std::optional<Solution> Planner::stop(const Solution& motion, double time, StopWay way) {
  check_length(task_.model, "motion", motion.trajectory.coordinates());
  if (!(time >= 0)) throw std::invalid_argument(fmt::format("Planner: stop at {}, expected 0 or more", time));
  const Trajectory& planned = motion.trajectory;
  // Where joints cannot move one by one, the way is the only one that is known.
  const bool may_leave = way == StopWay::any && !task_.mechanism && !task_.ground;
  const double left = planned.duration() - time;
  for (double duration = kFirstStop; duration / 2 < left; duration *= kLongerStop) {
    if (auto halt = shown_to_hold(slowed(planned, time, duration), kAlongTheWay)) return halt;
    for (const double ramp : kRamps) {
      if (!may_leave || duration >= left) break;  // the rest of the motion is no longer
      if (auto halt = shown_to_hold(braked(planned, time, duration, ramp), kOffTheWay)) return halt;
    }
  }
  return shown_to_hold(rest_of(planned, time, kFirstStop), kAlongTheWay);
}

/// A motion to rest as it is, from the state that it begins with; nothing where it is not certified.
std::optional<Solution> Planner::shown_to_hold(const Trajectory& halt, const char* how) {
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
  if (!limits_are_proven(task, halt)) return std::nullopt;
  Solution measured = measured_as_it_is(task, halt);
  if (task.shapes) verify_clearance(task, measured);
  const Verification& v_of = measured.verification;
  if (!measured.success() || !is_certified(v_of) || v_of.limit_excess > task.refine.tolerance) return std::nullopt;
  measured.message = how;
  asked_ = std::move(task);
  return measured;
}

}  // namespace verne
