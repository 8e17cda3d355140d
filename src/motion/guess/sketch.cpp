#include "motion/guess/sketch.h"

#include <algorithm>

#include "motion/program/program.h"
#include "motion/program/smoothing.h"

namespace verne {

namespace {

constexpr int kPointsPerVia = 2, kNodesPerPoint = 2;
constexpr double kTolerance = 1e-3;
constexpr int kIterations = 40;
constexpr double kMet = 1e-3;  // rows that are met well enough

}  // namespace

bool Sketch::keeps_limits() const {
  return violation <= kMet;
}

bool Sketch::better_than(const Sketch& other) const {
  if (keeps_limits() && other.keeps_limits()) return cost < other.cost;
  return violation < other.violation;
}

Task sketched(const Task& task, const Trajectory& guess, int points) {
  Task coarse = task;
  const int enough = std::max(points, task.curve.degree + 1) + kPointsPerVia * static_cast<int>(task.via.size());
  coarse.curve.control_points = std::min(enough, task.curve.control_points);
  coarse.curve.nodes = kNodesPerPoint * coarse.curve.control_points;
  coarse.curve.free_knots = false;
  const double power = power_scale(task, guess);
  coarse.costs = smoothing_steps(task, power, power).front();
  return coarse;
}

Sketch sketch(const Task& coarse, const Trajectory& guess, const GoOn& go_on) {
  const Grid grid{CurveVariables::with_duration(guess.basis(), coarse.model.nv(), guess.lengths()),
                  even_nodes(guess, std::vector<int>(guess.basis().spans(), 0), coarse.curve.nodes),
                  {}};
  Program program = make_program(coarse, grid, guess);
  nlp::Options options;
  options.method = coarse.solver.method;
  options.solver = coarse.solver.own;
  options.exact_hessian = coarse.solver.exact_hessian;
  options.fall_back = false;
  options.tolerance = kTolerance;
  options.max_iterations = kIterations;
  options.max_seconds = coarse.solver.max_seconds;
  if (go_on) options.progress = [&](const nlp::Iteration& at, std::span<const double>) { return go_on(at); };
  const nlp::Summary summary = nlp::solve(program.problem, options);
  return {program.curve.trajectory(summary.point.x), summary.cost, summary.constraint_violation,
          summary.status == nlp::Status::interrupted};
}

}  // namespace verne
