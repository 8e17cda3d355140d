#include "motion/refine/result.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include "motion/refine/other_values.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/task_terms.h"
#include "motion/verify/energy.h"
#include "motion/verify/limit_slack.h"
#include "motion/verify/limit_uses.h"
#include "motion/verify/load_proof.h"
#include "motion/verify/simulation_check.h"

namespace verne {

namespace {

constexpr double kViolated = 1e-6;     // rows by more are named
constexpr double kActiveSlack = 1e-3;  // of a row's scale: as near to its bound it is active

/// The task's costs as they were minimized; not the tie-breaker.
void record_costs(const Task& task, const Program& program, std::span<const double> x, Solution& motion) {
  std::vector<double> integrals(task.costs.size(), 0.0);
  for (const StageFunctions& of : program.functions) {
    const std::vector<double> here = of.integrals ? of.integrals->integrals(x) : std::vector<double>{};
    for (std::size_t k = 0; k < here.size(); ++k) integrals[k] += here[k];
  }
  const double duration = motion.trajectory.duration(), per = task.mean_cost ? duration : 1;
  std::size_t k = 0, at_end = 0, fatigue = 0;
  int peak = 0;
  for (const CostSpec& cost : task.costs) {
    double value = duration;
    switch (type_of(cost).value) {
      case CostType::Value::integral:
        value = integrals[k++] / per;
        break;
      case CostType::Value::peak:
        value = x[program.curve.peak(peak++)];
        break;
      case CostType::Value::at_end:
        program.costs_at_ends[at_end++]->evaluate(x, {&value, 1});
        break;
      case CostType::Value::fatigue:
        program.costs_of_fatigue[fatigue++]->evaluate(x, {&value, 1});
        break;
      case CostType::Value::duration:
        break;
    }
    motion.costs.push_back({name_of(cost), cost.weight, value, cost.smoothing});
    motion.cost += cost.weight * value;
  }
}

/// Energy as it is in place of what was minimized.
void put_energies(const Task& task, const std::vector<PlacedStage>& stages, Solution& motion) {
  for (std::size_t k = 0; k < task.costs.size(); ++k) {
    if (!type_of(task.costs[k]).smoothed) continue;
    CostValue& cost = motion.costs[k];
    const double per = task.mean_cost ? motion.trajectory.duration() : 1;
    const double energy = energy_of(task.costs[k], stages, motion.trajectory) / per;
    motion.cost += cost.weight * (energy - std::exchange(cost.value, energy));
  }
}

void record_size(nlp::Problem& problem, std::span<const double> x, ProgramSize& size) {
  size.variables = problem.variables(), size.constraints = problem.constraints();
  for (const nlp::VariableBlock& block : problem.variable_blocks()) {
    size.free_variables += static_cast<int>((block.lower.eigen().array() < block.upper.eigen().array()).count());
  }
  std::vector<double> values(static_cast<std::size_t>(size.constraints));
  problem.constraints(x, values);
  for (const nlp::ConstraintBlock& block : problem.constraint_blocks()) {
    const Eigen::Map<const Eigen::ArrayXd> value(values.data() + block.first, block.lower.size());
    const Eigen::ArrayXd slack = (value - block.lower.eigen().array()).min(block.upper.eigen().array() - value);
    size.active += static_cast<int>((slack <= kActiveSlack * block.scale).count());
  }
}

void record_phases(const Task& task, const std::vector<PlacedStage>& stages, Solution& motion) {
  for (std::size_t k = 0; k < task.phases.size(); ++k) {
    const SpanRange& spans = stages[k].stage.spans;
    motion.phases.push_back({task.phases[k].name, motion.trajectory.time({spans.first, 0.0}),
                             motion.trajectory.time({spans.end - 1, 1.0}), spans.first, spans.end});
  }
}

void record_worst_limit(const std::vector<LimitReport>& limits, Verification& v) {
  for (const LimitReport& report : limits) {
    if (report.excess < v.limit_excess) continue;
    v.worst_limit = report.name.kind + " of " + report.name.of;
    v.worst_time = report.worst_time;
    v.worst_value = report.worst_value;
    v.worst_bound = nearer_bound(report.worst_value, report.bounds);
  }
}

}  // namespace

double Result::worst_excess() const {
  double worst = measured.limits.empty() ? 0 : -kInfinity;
  for (const LimitReport& report : measured.limits) worst = std::max(worst, report.excess);
  return worst;
}

bool Result::better_than(const Result& other) const {
  const double mine = measured.misfit(), others = other.measured.misfit();
  if (mine <= 1 && others <= 1 && measured.equations.empty()) return motion.cost < other.motion.cost;
  return mine < others;
}

Result result_of(const Task& task, Program& program, Grid grid, nlp::Summary summary) {
  const std::span<const double> x = std::as_const(summary.point.x);
  Result result{Solution(program.curve.trajectory(x)), std::move(grid), {}, {}, {}, {}, 0, false, 0, 0};
  Solution& motion = result.motion;
  // A least violation is one of those near a start: it says nothing of other starts.
  motion.status = summary.status == nlp::Status::infeasible ? nlp::Status::not_found : summary.status;
  motion.message = summary.message;
  motion.verification.kkt_residual = summary.kkt_residual;
  motion.verification.constraint_violation = summary.constraint_violation;
  motion.violations = nlp::violations(program.problem, summary.point.x, kViolated);
  record_size(program.problem, x, motion.program);
  record_phases(task, program.stages, motion);
  record_costs(task, program, x, motion);
  put_frames(program.stages, motion.trajectory.duration());
  put_peaks(program.stages, motion.costs);
  motion.contact_forces = result.grid.forces = program.contact_forces(x);
  put_contact_forces(program.stages, motion.contact_forces);
  result.minimized = motion.cost;
  put_energies(task, program.stages, motion);
  result.measured = measure(task, motion.trajectory, program.stages);
  result.limit_numbers = program.limit_numbers;
  add_prices(program, summary.point, motion.trajectory, result.measured.limits);
  motion.limits = limit_uses(task, result.measured.limits);
  if (has_cost(task, is_time)) result.cost_of_slack = cost_of_limit_slack(program, summary.point, motion.trajectory);
  for (const StageFunctions& of : program.functions) result.limit_rows.push_back(of.limits ? of.limits->rows() : 0);
  result.stages = std::move(program.stages);
  result.point = std::move(summary.point);
  result.guess = program.guess;
  result.design = design_of(task);
  return result;
}

nlp::Point with_more_nodes(const Result& found, const Grid& finer) {
  nlp::Point point = found.point;
  const std::span<const double> old = std::as_const(found.point.constraints);
  std::vector<double> rows(old.begin(), old.end());
  auto at = rows.end() - std::accumulate(found.limit_rows.begin(), found.limit_rows.end(), 0);
  for (std::size_t k = 0; k < found.stages.size(); ++k) {
    const PlacedStage& in = found.stages[k];
    const auto nodes = std::count_if(finer.nodes.begin(), finer.nodes.end(),
                                     [&](const Place& node) { return in.stage.spans.holds(node); });
    const auto before = static_cast<std::ptrdiff_t>(in.nodes.size());
    at += found.limit_rows[k];
    const auto more = static_cast<std::size_t>(found.limit_rows[k] / before * (nodes - before));
    at = rows.insert(at, more, 0.0) + static_cast<std::ptrdiff_t>(more);
  }
  point.constraints = std::move(rows);
  return point;
}

void verify(const Task& task, Result& result, const std::function<bool()>& go_on) {
  const auto start = std::chrono::steady_clock::now();
  Verification& v = result.motion.verification;
  const Trajectory& curve = result.motion.trajectory;
  const double tolerance = task.refine.tolerance;
  v.limit_tolerance = tolerance;
  v.limit_excess = result.worst_excess();
  record_worst_limit(result.measured.limits, v);
  const auto add = [](std::optional<bool>& all, const std::optional<bool>& more) {
    if (more) all = all.value_or(true) && *more;
  };
  std::vector<Stage> stages;
  for (const PlacedStage& in : result.stages) {
    const Stage& stage = stages.emplace_back(in.stage);
    const Task& here = stage.task;
    const SpanRange& spans = stage.spans;
    add(v.position_certified, certify(curve, spans, 0, here.limits.position, tolerance));
    add(v.velocity_certified, certify(curve, spans, 1, here.limits.velocity, tolerance));
    add(v.acceleration_certified, certify(curve, spans, 2, here.limits.acceleration, tolerance));
    if (curve.basis().degree() >= 3) add(v.jerk_certified, certify(curve, spans, 3, here.limits.jerk, tolerance));
    if (v.limit_excess > tolerance) continue;
    const LoadProof loads = prove_loads(here, curve, spans, tolerance);
    add(v.effort_certified, loads.effort);
    add(v.joint_force_certified, loads.joint_force), add(v.joint_moment_certified, loads.joint_moment);
  }
  for (const EquationReport& report : result.measured.equations) {
    v.equation_residual = std::max(v.equation_residual, std::abs(report.value - report.asked));
  }
  v.frames = result.measured.frames;
  const SimulationCheck simulation = check_by_simulation(stages, curve, go_on);
  v.simulation_drift = simulation.drift;
  v.whole_horizon_drift = simulation.whole_horizon;
  v.diverges_at = simulation.diverges_at;
  v.simulation_stopped = simulation.stopped;
  judge(result.measured, result.motion);
  result.motion.verify_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace verne
