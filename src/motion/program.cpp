#include "motion/program.h"

#include <algorithm>
#include <cmath>

#include "motion/duration_function.h"
#include "motion/periodicity.h"
#include "motion/quadrature.h"
#include "motion/terms/weighted_square.h"

namespace verne {

namespace {

// Per span, beyond the degree: torques are no polynomials, and their squares vary twice as fast.
constexpr int kExtraGaussPoints = 1;
constexpr double kTieBreaker = 1e-6;  // of the guess's cost

NodeLimits* add_limits(nlp::Problem& problem, const std::string& name, const Task& task, const Channels& channels,
                       const CurveVariables& curve, std::vector<Place> places, LimitTerms terms) {
  if (terms.empty() || places.empty()) return nullptr;
  auto limits = std::make_unique<NodeLimits>(task.model, channels, curve, std::move(places), std::move(terms));
  NodeLimits* const kept = limits.get();
  NodeLimits::Bounds bounds = limits->bounds();
  problem.add_constraint({name, std::move(limits), std::move(bounds.lower), std::move(bounds.upper)});
  return kept;
}

void add_control_points(Program& program, const Task& task, const Eigen::VectorXd& x) {
  const CurveVariables& curve = program.curve;
  const int size = curve.timing(0), last = curve.basis.control_points() - 1;
  nlp::VariableBlock points{"control points", x.head(size), Eigen::VectorXd::Constant(size, -kInfinity),
                            Eigen::VectorXd::Constant(size, kInfinity)};
  for (int i = 0; i < curve.dofs; ++i) {  // the curve begins in its first and ends in its last control point
    for (const auto& [state, c] : {std::pair(&task.start, 0), std::pair(&task.end, last)}) {
      const int k = curve.control_point(c, i);
      points.lower[k] = state->position[i].lower;
      points.upper[k] = state->position[i].upper;
      points.initial[k] = std::clamp(points.initial[k], points.lower[k], points.upper[k]);
    }
  }
  program.problem.add_variables(std::move(points));
}

void add_timing(Program& program, const Task& task, const Eigen::VectorXd& x) {
  const CurveVariables& curve = program.curve;
  const Interval& duration = task.duration.bounds;
  nlp::VariableBlock timing{"span lengths", x.tail(curve.groups), {}, {}};
  if (curve.groups == 1) {
    timing.name = "duration";
    timing.lower = Eigen::VectorXd::Constant(1, duration.lower);
    timing.upper = Eigen::VectorXd::Constant(1, duration.upper);
    timing.initial[0] = std::clamp(timing.initial[0], duration.lower, duration.upper);
    program.problem.add_variables(std::move(timing));
    return;
  }
  // Spans of a group share its variable; none may shrink below a fraction of the even spacing.
  const double even = x.tail(curve.groups).dot(Eigen::VectorXd::Ones(curve.groups));
  Eigen::VectorXd whole = Eigen::VectorXd::Zero(curve.groups);
  for (int s = 0; s < curve.basis.spans(); ++s) whole[curve.group[s]] += curve.fraction[s];
  timing.lower.resize(curve.groups);
  timing.upper = Eigen::VectorXd::Constant(curve.groups, duration.upper);
  for (int s = 0; s < curve.basis.spans(); ++s) {
    const double shortest = task.curve.min_spacing * std::min(even, duration.upper) / curve.basis.spans();
    timing.lower[curve.group[s]] = shortest / curve.fraction[s];
  }
  timing.initial = timing.initial.eigen().cwiseMax(timing.lower.eigen()).cwiseMin(timing.upper.eigen());
  program.problem.add_variables(std::move(timing));
  program.problem.add_constraint({"duration", std::make_unique<DurationFunction>(curve),
                                  Eigen::VectorXd::Constant(1, duration.lower),
                                  Eigen::VectorXd::Constant(1, duration.upper)});
}

void add_costs(Program& program, const Task& task) {
  for (const CostTask& cost : task.costs) {
    if (cost.kind != CostKind::time) continue;
    program.problem.add_cost({"time", std::make_unique<DurationFunction>(program.curve), cost.weight});
  }
  Channels channels(task.model);
  CostTerms costs = integral_costs(task, channels);
  if (costs.terms.empty()) return;
  const int points = program.curve.basis.degree() + kExtraGaussPoints;
  auto integrals = std::make_unique<IntegralCost>(
      task.model, channels, program.curve, gauss_quadrature(program.curve.basis.spans(), points), std::move(costs));
  program.integrals = integrals.get();
  program.problem.add_cost({"integrals", std::move(integrals)});
}

/// Freedoms that may move in many ways at the same cost: no cost looks at them but time, which only those at their
/// limits make longer, and energy, which does not depend on when work is done. Passive ones follow from the others.
std::vector<int> undetermined(const Task& task) {
  std::vector<int> free;
  for (int i = 0; i < task.model.nv(); ++i) {
    bool determined = task.limits.effort[i].fixed();
    for (const CostTask& cost : task.costs) {
      if (cost.kind == CostKind::time || cost.kind == CostKind::energy || cost.weight == 0) continue;
      determined |= cost.kind == CostKind::joint_force || cost.scale[i] > 0;
    }
    if (!determined) free.push_back(i);
  }
  return free;
}

/// The smoothest motion among equals: docs/theory/motion.md, (17a).
void add_tie_breaker(Program& program, const Task& task, const Eigen::VectorXd& x) {
  const std::vector<int> free = undetermined(task);
  const double cost = program.problem.cost(nlp::view(x));
  if (free.empty() || cost == 0) return;
  Channels channels(task.model);
  CostTerms squares;
  for (const int dof : free) {
    squares.terms.push_back(std::make_unique<WeightedSquare>(channels.a(dof), 1.0));
    squares.weights.push_back(1);
    squares.integral.push_back(0);
  }
  squares.integrals = 1;
  const CurveVariables& curve = program.curve;
  auto roughness = std::make_unique<IntegralCost>(
      task.model, channels, curve, gauss_quadrature(curve.basis.spans(), curve.basis.degree()), std::move(squares));
  const double duration = curve.lengths(nlp::view(x)).sum();
  const double scale = roughness->integrals(nlp::view(x))[0] + static_cast<double>(free.size()) / std::pow(duration, 3);
  program.problem.add_cost({"tie-breaker", std::move(roughness), kTieBreaker * cost / scale});
}

/// Boundary states, states and frames at a time, periodicity, equations along the way.
void add_equations(Program& program, const Task& task, const Trajectory& curve) {
  const CurveVariables& variables = program.curve;
  const auto add = [&](const std::string& name, std::vector<Place> places, auto&& make_terms) {
    Channels channels(task.model);
    LimitTerms terms = make_terms(channels);
    add_limits(program.problem, name, task, channels, variables, std::move(places), std::move(terms));
  };
  const Place begin{0, 0.0}, end{variables.basis.spans() - 1, 1.0};
  const auto at = [&](double fraction) {
    return fraction <= 0 ? begin : fraction >= 1 ? end : curve.place(fraction * curve.duration());
  };
  add("start", {begin}, [&](Channels& c) { return state_limits(task, task.start, false, c); });
  add("end", {end}, [&](Channels& c) { return state_limits(task, task.end, false, c); });
  for (const ViaTask& via : task.via) {
    program.via.push_back(at(via.at));
    add("via", {program.via.back()}, [&](Channels& c) { return state_limits(task, via.state, true, c); });
  }
  for (const FrameTask& frame : task.frames) {
    program.frames.push_back(at(frame.when.at));
    if (frame.when.path) continue;
    add("frame", {program.frames.back()}, [&](Channels& c) { return frame_limits(task, frame, c); });
  }
  if (task.periodic) {
    auto periodicity = std::make_unique<Periodicity>(variables, task.periodic->dofs);
    Eigen::VectorXd difference = Eigen::VectorXd::Zero(periodicity->rows());
    for (std::size_t k = 0; k < task.periodic->dofs.size(); ++k) {
      difference[3 * static_cast<int>(k)] = task.periodic->difference[k];
    }
    program.problem.add_constraint({"periodicity", std::move(periodicity), difference, difference});
  }
  add("equations", equation_nodes(curve), [&](Channels& c) { return path_equations(task, c); });
}

}  // namespace

std::vector<Place> even_nodes(const Trajectory& curve, int count) {
  std::vector<Place> nodes;
  for (int k = 0; k < count; ++k) {
    nodes.push_back(k + 1 < count ? curve.place(curve.duration() * k / (count - 1))
                                  : Place{curve.basis().spans() - 1, 1.0});
  }
  return nodes;
}

std::vector<Place> equation_nodes(const Trajectory& curve) {
  const std::vector<double> knots = curve.basis().knots(curve.lengths());
  const int order = std::min(2, curve.basis().degree() - 1);  // a derivative lacks a knot at either end
  const int degree = curve.basis().degree() - order;
  std::vector<Place> nodes;
  for (int k = 0; k + order < curve.basis().control_points(); ++k) {
    double sum = 0;
    for (int i = 1; i <= degree; ++i) sum += knots[k + order + i];
    const double time = sum / degree;
    nodes.push_back(time >= curve.duration() ? Place{curve.basis().spans() - 1, 1.0} : curve.place(time));
  }
  return nodes;
}

Program make_program(const Task& task, const Grid& grid, const Trajectory& guess) {
  Program program{grid.curve, {}, nullptr, nullptr, 0, {}, {}};
  const Eigen::VectorXd x = grid.curve.variables(guess);
  add_control_points(program, task, x);
  add_timing(program, task, x);
  add_costs(program, task);
  add_tie_breaker(program, task, x);
  add_equations(program, task, guess);
  Channels channels(task.model);
  LimitTerms terms = path_limits(task, channels);
  for (std::size_t k = 0; k < grid.tightening.size(); ++k) terms[k]->tighten(grid.tightening[k]);
  program.limits_first_row = program.problem.constraints();
  program.limits = add_limits(program.problem, "limits", task, channels, grid.curve, grid.nodes, std::move(terms));
  return program;
}

}  // namespace verne
