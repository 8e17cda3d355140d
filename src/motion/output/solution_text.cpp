#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "io/csv.h"
#include "model/position_names.h"
#include "motion/output/sampled_limits.h"
#include "motion/output/work_scores.h"
#include "motion/terms/task_terms.h"
#include "motion/values/motion_columns.h"
#include "motion/values/undetermined.h"
#include "structures/collision_shapes.h"
#include "verne/motion/write_solution.h"

namespace verne {

namespace {

constexpr double kBinding = 0.99;        // utilisation from which a limit is named in the summary
constexpr double kManyTimes = 10;        // used more than that, a limit is not kept, and a number says no more
constexpr std::size_t kViolations = 10;  // named in the summary
constexpr std::size_t kApproaches = 3;   // likewise

const char* proof_text(const std::optional<bool>& flag) {
  return !flag ? "no limit" : *flag ? "yes" : "not proven";
}

std::string interval_text(const LimitUse& limit) {
  if (limit.bounds.lower <= -kInfinity) return fmt::format("at most {:.6g} {}", limit.bounds.upper, limit.unit);
  if (limit.bounds.upper >= kInfinity) return fmt::format("at least {:.6g} {}", limit.bounds.lower, limit.unit);
  if (limit.bounds.lower == -limit.bounds.upper) return fmt::format("±{:.6g} {}", limit.bounds.upper, limit.unit);
  return fmt::format("{:.6g} to {:.6g} {}", limit.bounds.lower, limit.bounds.upper, limit.unit);
}

void add_limits(std::string& out, const Solution& solution) {
  std::string binding;
  for (const LimitUse& limit : solution.limits) {
    if (limit.utilisation < kBinding) continue;
    const std::string where = limit.phase.empty() ? "" : " in " + limit.phase;
    const std::string used = limit.utilisation < kManyTimes ? fmt::format("{:.2f} %", 100 * limit.utilisation)
                                                            : fmt::format("more than {:g} times", kManyTimes);
    binding += fmt::format("  {:<32} {:>22}   used {}   price {:.4g} per {}\n", limit.kind + " of " + limit.of + where,
                           interval_text(limit), used, limit.multiplier, limit.unit);
  }
  if (!binding.empty()) out += "limits that bind (price: what one more unit would take off the cost)\n" + binding;
}

void add_slopes(std::string& out, const Solution& solution) {
  if (solution.slopes.empty()) return;
  out += "slopes of the cost (what one more unit of a parameter would add to it)\n";
  for (const ParameterSlope& slope : solution.slopes) {
    const char* side = slope.side == ParameterSlope::Side::both    ? ""
                       : slope.side == ParameterSlope::Side::above ? "   upwards: less makes no sense"
                                                                   : "   downwards: more makes no sense";
    out += fmt::format("  {:<24} at {:<12.6g} {:>12.6g}{}\n", slope.parameter, slope.value, slope.slope, side);
  }
  if (solution.weak_limits > 0) {
    out += fmt::format("  on one side, slopes begin to change at once: {} nodes are at limits that cost nothing\n",
                       solution.weak_limits);
  }
}

std::string drift_text(const Verification& v) {
  const std::string head = "  simulation drift       ";
  if (v.simulation_stopped) return head + "stopped before the end, as the time was up\n";
  if (std::isnan(v.simulation_drift)) return head + "not simulated, as a joint carries no inertia\n";
  const std::string span =
      std::isinf(v.simulation_drift) ? "a span cannot be followed" : fmt::format("{:.2g} a span", v.simulation_drift);
  if (!v.diverges_at) return head + span + fmt::format(", {:.2g} over the whole motion\n", v.whole_horizon_drift);
  return head + span +
         fmt::format("; the whole motion diverges at {:.4g} s: it is unstable and needs feedback\n", *v.diverges_at);
}

void add_starts(std::string& out, const Solution& solution) {
  if (solution.starts.empty()) return;
  double best = kInfinity, worst = -kInfinity;
  int good = 0;
  for (const StartResult& start : solution.starts) {
    if (start.status != nlp::Status::solved && start.status != nlp::Status::acceptable) continue;
    best = std::min(best, start.cost), worst = std::max(worst, start.cost);
    ++good;
  }
  out += fmt::format("starts            {} of {} solved", good, solution.starts.size());
  if (good > 0) out += fmt::format(", first costs from {:.8g} to {:.8g}", best, worst);
  out += "\n";
}

/// What was kept apart, and the nearest of it.
void add_clearance(std::string& out, const Task& task, const Verification& v) {
  if (!v.clearance_certified) return;
  out += fmt::format("  clear at all times     {}{}\n", proof_text(v.clearance_certified),
                     v.not_clear.empty() ? "" : ": " + v.not_clear);
  for (std::size_t k = 0; k < std::min(kApproaches, v.approaches.size()); ++k) {
    const Approach& near = v.approaches[k];
    out += fmt::format("  nearest                {:.4g} m from {} to {} at {:.4g} s\n", near.distance, near.a, near.b,
                       near.time);
  }
  if (!task.shapes) return;
  for (const std::string& note : task.shapes->notes) out += "  note                   " + note + "\n";
}

void add_frame(std::string& out, const FrameError& frame) {
  out += fmt::format("  frame {} at {:.4g} s", frame.frame, frame.time);
  const char* before = "  off by ";
  const auto add = [&](const std::optional<double>& error, const char* unit) {
    if (!error) return;
    out += fmt::format("{}{:.2g} {}", before, *error, unit);
    before = ", ";
  };
  add(frame.position, "m");
  add(frame.angle, "rad");
  add(frame.velocity, "m/s");
  out += "\n";
}

}  // namespace

std::string summary_text(const Task& task, const Solution& solution, const SampledMotion* motion) {
  const Verification& v = solution.verification;
  std::string out = fmt::format("{}: {}", task.name, to_string(solution.status));
  if (!solution.message.empty() && solution.message != to_string(solution.status)) out += ": " + solution.message;
  out += "\n";
  out += fmt::format("duration          {:.9g} s\ncost              {:.9g}\n", solution.trajectory.duration(),
                     solution.cost);
  for (const PhaseResult& phase : solution.phases) {
    out += fmt::format("  {:<15} {:.6g} s to {:.6g} s\n", phase.name, phase.start, phase.end);
  }
  for (const CostValue& cost : solution.costs) {
    if (solution.costs.size() > 1) out += fmt::format("  {:<15} {:.6g} x {:.9g}\n", cost.term, cost.weight, cost.value);
    if (cost.smoothing > 0) out += fmt::format("  power is smoothed by {:.3g} W\n", cost.smoothing);
  }
  for (const DesignResult& design : solution.design) {
    out += fmt::format("design            {} = {:.9g}   between {:g} and {:g}\n", design.parameter, design.value,
                       design.bounds.lower, design.bounds.upper);
  }
  const ProgramSize& size = solution.program;
  out += fmt::format("program           {} variables ({} free), {} constraints, {} active\n", size.variables,
                     size.free_variables, size.constraints, size.active);
  if (!solution.success() && !solution.violations.empty()) {
    out += "what could not be met\n";
    for (std::size_t k = 0; k < std::min(kViolations, solution.violations.size()); ++k) {
      const nlp::Violation& violation = solution.violations[k];
      const std::string unit = (violation.unit.empty() ? "" : " ") + violation.unit;
      out += fmt::format("  {}: {:.6g}{}, allowed {:.6g}\n", violation.name, violation.value, unit, violation.bound);
    }
    if (solution.violations.size() > kViolations) {
      out += fmt::format("  and {} more\n", solution.violations.size() - kViolations);
    }
  }
  out += "verification\n";
  out += fmt::format("  limits exceeded by     {:.2g} of the limit (tolerance {:.2g})", std::max(0.0, v.limit_excess),
                     v.limit_tolerance);
  out += v.limit_excess > 0 ? fmt::format(": {} at {:.4g} s\n", v.worst_limit, v.worst_time) : "\n";
  out += fmt::format("  certified at all times position {}, velocity {}, acceleration {}{}",
                     proof_text(v.position_certified), proof_text(v.velocity_certified),
                     proof_text(v.acceleration_certified),
                     v.jerk_certified ? std::string(", jerk ") + proof_text(v.jerk_certified) : "");
  for (const std::string& kind : proven_loads(v)) out += fmt::format(", {} yes", kind);
  out += "\n";
  const std::vector<std::string> sampled = sampled_limits(solution);
  if (!sampled.empty()) out += fmt::format("  sampled between nodes  {}\n", fmt::join(sampled, ", "));
  add_clearance(out, task, v);
  out += drift_text(v);
  if (v.equation_residual > 0) out += fmt::format("  equations between nodes {:.2g}\n", v.equation_residual);
  for (const FrameError& frame : v.frames) add_frame(out, frame);
  out += fmt::format("  optimality (KKT)       {:.2g}\n", v.kkt_residual);
  if (solution.refinement_gap) {
    const double gap = *solution.refinement_gap;
    const bool missed = task.refine.gap && gap > *task.refine.gap;
    const std::string asked = missed ? fmt::format(", not {:.2g} % as asked for", 100 * *task.refine.gap) : "";
    out += fmt::format("  finer curves           may change the cost by {:.2g} % (estimate){}\n", 100 * gap, asked);
  }
  add_starts(out, solution);
  add_limits(out, solution);
  add_slopes(out, solution);
  out += undetermined_text(mechanisms_of(task));
  if (motion) {
    if (const auto work = work_scores(task, solution, *motion)) out += work_text(*work);
  }
  out += "course             points nodes  iter.      duration          cost  exceeded\n";
  for (const RefinementRound& round : solution.rounds) {
    out += fmt::format("  {:<18}{:>5}{:>6}{:>7}{:>14.8g}{:>14.8g}{:>10.2g}\n", round.what, round.control_points,
                       round.nodes, round.iterations, round.duration, round.cost, std::max(0.0, round.limit_excess));
  }
  return out;
}

std::string motion_csv(const Model& model, const SampledMotion& motion) {
  std::string out;
  append_table(out, motion_columns(model, motion), ',');
  return out;
}

std::string motion_sto(const Model& model, const SampledMotion& motion, const std::string& name) {
  Columns columns{{"time", motion.time.eigen()}};
  const std::vector<std::string> names = position_names(model);
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back({names[i], motion.q.eigen().row(static_cast<Eigen::Index>(i)).transpose()});
  }
  return storage_text(name, false, columns);
}

}  // namespace verne
