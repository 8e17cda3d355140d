#include "motion/program/program_costs.h"

#include <algorithm>
#include <cmath>

#include "motion/program/duration_function.h"
#include "motion/program/fatigue_rows.h"
#include "motion/program/mean_over_time.h"
#include "motion/program/peak_function.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/own_terms.h"
#include "motion/terms/weighted_square.h"

namespace verne {

namespace {

// Per span, beyond the degree: torques are no polynomials, and their squares vary twice as fast.
constexpr int kExtraGaussPoints = 1;
constexpr double kTieBreaker = 2e-5, kTieBreakerOfIdle = 2e-4;  // of the guess's cost

void add_integrals(Program& program, const Task& task, const char* name, std::unique_ptr<Integrals> integrals,
                   double weight = 1) {
  std::unique_ptr<nlp::Function> cost = std::move(integrals);
  const Interval& duration = task.duration.bounds;
  if (task.mean_cost && duration.fixed()) {
    weight /= duration.lower;  // the same optimum, without the rows of timing that a quotient fills
  } else if (task.mean_cost) {
    cost = std::make_unique<MeanOverTime>(program.curve, std::move(cost));
  }
  program.problem.add_cost({name, std::move(cost), weight});
}

/// Freedoms that may move in many ways at the same cost: no cost looks at them but such as time, which only those at
/// their limits make longer, the peak of effort, which only those that have it make larger, and energy, which does not
/// depend on when work is done. Passive ones follow from the others.
std::vector<int> undetermined(const Task& task) {
  std::vector<int> free;
  std::vector<char> closed(task.model.nv(), 0);  // follows from loops
  if (task.mechanism) {
    for (const int dof : task.mechanism->dependent()) closed[dof] = 1;
  }
  for (int i = 0; i < task.model.nv(); ++i) {
    bool determined = task.limits.effort[i].fixed() || closed[i];
    for (const CostSpec& cost : task.costs) {
      determined |= cost.weight != 0 && type_of(cost).determines(cost, i);
    }
    if (!determined) free.push_back(i);
  }
  return free;
}

/// For squares of accelerations, polynomials of two degrees less than the curve: exact.
Quadrature roughness_quadrature(const CurveVariables& curve) {
  return gauss_quadrature({0, curve.basis.spans()}, std::max(1, curve.basis.degree() - 1));
}

/// Short spans are for pulses, in which those that wait may have to follow: they count as much less as they are shorter
/// than others.
Quadrature sparing_pulses(Quadrature quadrature, const CurveVariables& curve) {
  std::vector<double> longest(curve.groups);
  for (int s = 0; s < curve.basis.spans(); ++s) {
    longest[curve.group[s]] = std::max(longest[curve.group[s]], curve.fraction[s]);
  }
  for (std::size_t k = 0; k < quadrature.places.size(); ++k) {
    const int span = quadrature.places[k].span;
    quadrature.weights[k] *= curve.fraction[span] / longest[curve.group[span]];
  }
  return quadrature;
}

/// The smoothest motion among equals, of some freedoms: docs/theory/motion.md, (17a).
void add_tie_breaker(Program& program, const Task& task, const Eigen::VectorXd& x, const std::vector<int>& freedoms,
                     double share, Quadrature quadrature) {
  if (freedoms.empty()) return;
  ChannelLayout channels(task.model);
  IntegralTerms squares;
  for (const int dof : freedoms) {
    squares.terms.push_back(std::make_unique<WeightedSquare>(channels.a(dof), 1.0));
    squares.weights.push_back(1);
    squares.integral.push_back(0);
  }
  squares.integrals = 1;
  const CurveVariables& curve = program.curve;
  auto roughness = std::make_unique<Integrals>(task.model, channels, curve, std::move(quadrature), std::move(squares));
  const double duration = curve.duration(nlp::view(x));
  double scale = roughness->integrals(nlp::view(x))[0] + static_cast<double>(freedoms.size()) / std::pow(duration, 3);
  if (task.mean_cost) scale /= duration;
  add_integrals(program, task, "tie-breaker", std::move(roughness), share / scale);
}

/// A term from code at the start or the end: a row of a limit without bounds.
void add_cost_at_end(Program& program, const CostSpec& cost, const Trajectory& curve) {
  const Stage& stage = (cost.at_start ? program.stages.front() : program.stages.back()).stage;
  ChannelLayout channels = channels_on(stage, program.curve);
  LimitTerms terms;
  terms.push_back(OwnTerm::cost(cost, stage.task, channels));
  auto value = std::make_unique<NodeLimits>(stage.task.model, channels, program.curve,
                                            std::vector{stage.spans.place(curve, cost.at_start ? 0 : 1)},
                                            std::move(terms), stage.spans);
  program.costs_at_ends.push_back(value.get());
  program.problem.add_cost({cost.name, std::move(value), cost.weight});
}

}  // namespace

ChannelLayout channels_on(const Stage& stage, const CurveVariables& curve) {
  // In proportion within a phase
  return channels_of(stage.task, stage.spans,
                     Eigen::Map<const Eigen::VectorXd>(curve.fraction.data(), curve.basis.spans()),
                     stage.first_contact);
}

Quadrature torque_quadrature(const CurveVariables& curve, const SpanRange& spans) {
  return gauss_quadrature(spans, curve.basis.degree() + kExtraGaussPoints);
}

void add_costs(Program& program, const Task& task, const Trajectory& curve) {
  int peak = 0;
  for (const CostSpec& cost : task.costs) {
    switch (type_of(cost).value) {
      case CostType::Value::duration:
        program.problem.add_cost({"time", std::make_unique<DurationFunction>(program.curve), cost.weight});
        break;
      case CostType::Value::peak:
        program.problem.add_cost({"peak", std::make_unique<PeakFunction>(program.curve, peak++), cost.weight});
        break;
      case CostType::Value::at_end:
        add_cost_at_end(program, cost, curve);
        break;
      case CostType::Value::fatigue: {
        std::unique_ptr<nlp::Function> tired = fatigue_cost(program, task, cost);
        program.costs_of_fatigue.push_back(tired.get());
        program.problem.add_cost({"fatigue", std::move(tired), cost.weight});
        break;
      }
      case CostType::Value::integral:  // below, all at once
        break;
    }
  }
  for (std::size_t k = 0; k < program.stages.size(); ++k) {
    const Stage& stage = program.stages[k].stage;
    ChannelLayout channels = channels_on(stage, program.curve);
    IntegralTerms costs = integral_costs(task, channels);
    if (costs.terms.empty()) return;
    auto integrals = std::make_unique<Integrals>(stage.task.model, channels, program.curve,
                                                 torque_quadrature(program.curve, stage.spans), std::move(costs));
    program.functions[k].integrals = integrals.get();
    add_integrals(program, task, "integrals", std::move(integrals));
  }
}

void add_tie_breakers(Program& program, const Task& task, const Eigen::VectorXd& x, const std::vector<int>& idle) {
  const double cost = program.problem.cost(program.problem.initial());
  if (cost == 0) return;
  const auto is_idle = [&](int dof) { return std::find(idle.begin(), idle.end(), dof) != idle.end(); };
  std::vector<int> free = undetermined(task);
  const auto rest = std::stable_partition(free.begin(), free.end(), is_idle);
  const Quadrature all = roughness_quadrature(program.curve);
  add_tie_breaker(program, task, x, {free.begin(), rest}, kTieBreakerOfIdle * cost, sparing_pulses(all, program.curve));
  add_tie_breaker(program, task, x, {rest, free.end()}, kTieBreaker * cost, all);
}

void add_even_forces(Program& program, const Task& task, const Eigen::VectorXd& x) {
  const double cost = program.problem.cost(nlp::view(x));
  for (const PlacedStage& in : program.stages) {
    const ChannelLayout channels = channels_on(in.stage, program.curve);
    const int components = channels.ground().contacts().components();
    if (components == 0) continue;
    IntegralTerms squares;
    for (int k = 0; k < components; ++k) {
      squares.terms.push_back(std::make_unique<WeightedSquare>(channels.contact(k), 1.0));
      squares.weights.push_back(1);
      squares.integral.push_back(0);
    }
    squares.integrals = 1;
    auto even = std::make_unique<Integrals>(in.stage.task.model, channels, program.curve,
                                            torque_quadrature(program.curve, in.stage.spans), std::move(squares));
    const double duration = program.curve.duration(nlp::view(x));
    add_integrals(program, task, "even forces", std::move(even),
                  kTieBreaker * cost / (task.mean_cost ? 1.0 : duration));
  }
}

}  // namespace verne
