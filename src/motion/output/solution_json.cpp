#include "motion/output/solution_json.h"

#include <array>

#include "motion/output/json_entries.h"
#include "motion/output/sampled_limits.h"
#include "motion/output/work_scores.h"
#include "motion/terms/own_terms.h"
#include "motion/values/undetermined.h"
#include "verne/io/model_json.h"
#include "verne/motion/write_solution.h"

namespace verne {

namespace {

void append_task(JsonWriter& json, const Task& task) {
  json.key("task").begin_object();
  json.key("name").value(task.name);
  if (!task.description.empty()) json.key("description").value(task.description);
  json.key("parameters").begin_object();
  for (const auto& [name, value] : task.parameters) append(json, name.c_str(), value);
  json.end_object();
  json.key("text").value(text_with_own_terms(task));
  json.end_object();
}

void append_approaches(JsonWriter& json, const Verification& v) {
  if (!v.not_clear.empty()) json.key("not_clear").value(v.not_clear);
  json.key("approaches").begin_array();
  for (const Approach& near : v.approaches) {
    json.begin_object();
    json.key("a").value(near.a);
    json.key("b").value(near.b);
    append(json, "distance", near.distance);
    append(json, "time", near.time);
    json.end_object();
  }
  json.end_array();
}

void append_verification(JsonWriter& json, const Solution& solution) {
  const Verification& v = solution.verification;
  json.key("verification").begin_object();
  append(json, "limit_excess", v.limit_excess);
  append(json, "limit_tolerance", v.limit_tolerance);
  if (!v.worst_limit.empty()) {
    json.key("worst_limit").begin_object();
    json.key("limit").value(v.worst_limit);
    append(json, "time", v.worst_time);
    append(json, "value", v.worst_value);
    append(json, "bound", v.worst_bound);
    json.end_object();
  }
  json.key("certified").begin_object();
  append_flag(json, "position", v.position_certified);
  append_flag(json, "velocity", v.velocity_certified);
  append_flag(json, "acceleration", v.acceleration_certified);
  if (v.jerk_certified) append_flag(json, "jerk", v.jerk_certified);
  for (const std::string& kind : proven_loads(v)) json.key(kind).value(true);
  if (v.clearance_certified) append_flag(json, "clearance", v.clearance_certified);
  json.end_object();
  json.key("sampled").begin_array();
  for (const std::string& kind : sampled_limits(solution)) json.value(kind);
  json.end_array();
  if (v.clearance_certified) append_approaches(json, v);
  append(json, "equation_residual", v.equation_residual);
  json.key("frames").begin_array();
  for (const FrameError& frame : v.frames) {
    json.begin_object();
    json.key("frame").value(frame.frame);
    append(json, "time", frame.time);
    if (frame.position) append(json, "position", *frame.position);
    if (frame.angle) append(json, "angle", *frame.angle);
    if (frame.velocity) append(json, "velocity", *frame.velocity);
    json.end_object();
  }
  json.end_array();
  append(json, "simulation_drift", v.simulation_drift);
  append(json, "whole_horizon_drift", v.whole_horizon_drift);
  if (v.diverges_at) append(json, "diverges_at", *v.diverges_at);
  append(json, "kkt_residual", v.kkt_residual);
  append(json, "constraint_violation", v.constraint_violation);
  json.end_object();
}

/// What a phase holds: a link that has its mass then.
void append_held(JsonWriter& json, const PhaseSpec& phase) {
  json.key("attach").begin_array();
  for (const AttachSpec& held : phase.attach) {
    const LinkSpec& link = phase.model.spec().links[static_cast<std::size_t>(phase.model.link(held.object))];
    json.begin_object().key("object").value(held.object).key("to").value(held.to);
    append(json, "mass", link.mass);
    append(json, "com", link.com);
    const Sym3<double>& I = link.inertia;
    json.key("inertia").values(std::array{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
    const auto grip = std::ranges::find(phase.grips, held.object, &GripSpec::object);
    if (grip != phase.grips.end()) json.key("grip").value(grip->loop.name);
    json.end_object();
  }
  json.end_array();
}

void append_phases(JsonWriter& json, const Task& task, const Solution& solution) {
  if (solution.phases.empty()) return;
  json.key("phases").begin_array();
  for (std::size_t k = 0; k < solution.phases.size(); ++k) {
    const PhaseResult& phase = solution.phases[k];
    json.begin_object();
    json.key("name").value(phase.name);
    append(json, "start", phase.start);
    append(json, "end", phase.end);
    if (k < task.phases.size() && !task.phases[k].attach.empty()) append_held(json, task.phases[k]);
    json.end_object();
  }
  json.end_array();
}

void append_limits(JsonWriter& json, const Solution& solution) {
  json.key("limits").begin_array();
  for (const LimitUse& limit : solution.limits) {
    json.begin_object();
    json.key("kind").value(limit.kind);
    json.key("of").value(limit.of);
    if (!limit.phase.empty()) json.key("phase").value(limit.phase);
    append(json, "lower", limit.bounds.lower);
    append(json, "upper", limit.bounds.upper);
    json.key("unit").value(limit.unit);
    append(json, "utilisation", limit.utilisation);
    append(json, "excess", limit.excess);
    json.key("active").begin_array();
    for (const auto& [from, to] : limit.active) json.begin_array().value(from).value(to).end_array();
    json.end_array();
    append(json, "multiplier", limit.multiplier);
    json.end_object();
  }
  json.end_array();
}

const char* to_string(ParameterSlope::Side side) {
  return side == ParameterSlope::Side::both ? "both" : side == ParameterSlope::Side::above ? "above" : "below";
}

void append_design(JsonWriter& json, const Solution& solution) {
  if (solution.design.empty()) return;
  json.key("design").begin_array();
  for (const DesignResult& design : solution.design) {
    json.begin_object().key("parameter").value(design.parameter);
    append(json, "value", design.value);
    append(json, "lower", design.bounds.lower);
    append(json, "upper", design.bounds.upper);
    json.end_object();
  }
  json.end_array();
}

void append_slopes(JsonWriter& json, const Solution& solution) {
  if (solution.slopes.empty()) return;
  json.key("slopes").begin_array();
  for (const ParameterSlope& slope : solution.slopes) {
    json.begin_object().key("parameter").value(slope.parameter);
    append(json, "value", slope.value);
    append(json, "slope", slope.slope);
    json.key("side").value(to_string(slope.side)).end_object();
  }
  json.end_array().key("weak_limits").value(solution.weak_limits);
}

void append_state(JsonWriter& json, const SolverState& state) {
  json.key("solver_state").begin_object();
  json.key("nodes").begin_array();
  for (const Place& node : state.nodes) json.values(std::array<double, 2>{double(node.span), node.fraction});
  json.end_array();
  append(json, "tightening", Values(state.tightening));
  append(json, "constraints", state.constraints);
  append(json, "lower", state.lower);
  append(json, "upper", state.upper);
  json.end_object();
}

void append_course(JsonWriter& json, const Solution& solution) {
  json.key("convergence").begin_array();
  for (const nlp::Iteration& iteration : solution.history) {
    json.begin_object();
    json.key("iteration").value(iteration.iteration);
    append(json, "cost", iteration.cost);
    append(json, "infeasibility", iteration.infeasibility);
    append(json, "optimality", iteration.optimality);
    json.end_object();
  }
  json.end_array();
  if (solution.refinement_gap) append(json, "refinement_gap", *solution.refinement_gap);
  json.key("refinement").begin_array();
  for (const RefinementRound& round : solution.rounds) {
    json.begin_object();
    json.key("round").value(round.round);
    json.key("what").value(round.what);
    json.key("control_points").value(round.control_points);
    json.key("nodes").value(round.nodes);
    append(json, "duration", round.duration);
    append(json, "cost", round.cost);
    append(json, "limit_excess", round.limit_excess);
    json.key("iterations").value(round.iterations);
    json.end_object();
  }
  json.end_array();
  if (solution.starts.empty()) return;
  json.key("starts").begin_array();
  for (const StartResult& start : solution.starts) {
    json.begin_object();
    json.key("start").value(start.start);
    json.key("status").value(to_string(start.status));
    append(json, "cost", start.cost);
    append(json, "duration", start.duration);
    json.end_object();
  }
  json.end_array();
}

void append_trajectory(JsonWriter& json, const Trajectory& trajectory) {
  json.key("trajectory").begin_object();
  json.key("degree").value(trajectory.basis().degree());
  json.key("knots").values(trajectory.basis().knots(trajectory.lengths()));
  append(json, "control_points", Table(trajectory.control_points().transpose()));
  json.end_object();
}

void append_violations(JsonWriter& json, const Solution& solution) {
  json.key("violations").begin_array();
  for (const nlp::Violation& violation : solution.violations) {
    json.begin_object();
    json.key("constraint").value(violation.name);
    append(json, "value", violation.value);
    append(json, "bound", violation.bound);
    if (!violation.unit.empty()) json.key("unit").value(violation.unit);
    json.end_object();
  }
  json.end_array();
}

void append_conflict(JsonWriter& json, const Conflict& conflict) {
  json.key("conflict").begin_object().key("parts").begin_array();
  for (const std::string& part : conflict.parts) json.value(part);
  json.end_array().key("missed").value(conflict.missed);
  append(json, "amount", conflict.amount);
  json.key("unit").value(conflict.unit).key("irreducible").value(conflict.irreducible);
  json.key("certain").value(conflict.certain());
  if (!conflict.certain()) json.key("starts").value(conflict.starts);
  if (!conflict.reason.empty()) json.key("reason").value(conflict.reason);
  json.end_object();
}

}  // namespace

void append_costs(JsonWriter& json, const Solution& solution) {
  json.key("costs").begin_array();
  for (const CostValue& cost : solution.costs) {
    json.begin_object();
    json.key("term").value(cost.term);
    append(json, "weight", cost.weight);
    append(json, "value", cost.value);
    if (cost.smoothing > 0) append(json, "smoothing", cost.smoothing);
    json.end_object();
  }
  json.end_array();
}

std::string solution_json(const Task& task, const Solution& solution, const SampledMotion& motion,
                          const std::string& generator, const std::string& command) {
  const std::optional<Stride> stride = solution.success() ? unfold_stride(task, solution) : std::nullopt;
  return solution_json(task, solution, motion, stride, generator, command);
}

std::string solution_json(const Task& task, const Solution& solution, const SampledMotion& motion,
                          const std::optional<Stride>& stride, const std::string& generator,
                          const std::string& command) {
  JsonWriter json;
  json.begin_object();
  json.key("format").value("verne-solution/1");
  json.key("generator").value(generator);
  json.key("command").value(command);
  append_task(json, task);
  json.key("model");
  append_model(json, task.model);
  json.key("status").value(to_string(solution.status));
  json.key("message").value(solution.message);
  append(json, "duration", solution.trajectory.duration());
  append(json, "cost", solution.cost);
  append_costs(json, solution);
  json.key("iterations").value(solution.iterations);
  json.key("program").begin_object();
  json.key("variables").value(solution.program.variables);
  json.key("free_variables").value(solution.program.free_variables);
  json.key("constraints").value(solution.program.constraints);
  json.key("active").value(solution.program.active).end_object();
  append_verification(json, solution);
  if (!solution.success()) append_violations(json, solution);
  if (solution.conflict) append_conflict(json, *solution.conflict);
  append_phases(json, task, solution);
  append_motion(json, task.model, motion, mechanisms_of(task));
  append_foot_prints(json, task, solution);
  if (stride) append_stride(json, *stride);
  append_limits(json, solution);
  append_design(json, solution);
  append_slopes(json, solution);
  if (const auto work = work_scores(task, solution, motion)) append_work(json, task, solution, *work);
  append_trajectory(json, solution.trajectory);
  if (solution.state) append_state(json, *solution.state);
  append_surroundings(json, task, solution.trajectory.duration(), solution.phases);
  if (!task.phases.empty()) append_payloads(json, task, solution);
  append_course(json, solution);
  json.end_object();
  return json.text() + "\n";
}

std::string timing_json(const Solution& solution) {
  JsonWriter json;
  json.begin_object();
  append(json, "guess_seconds", solution.guess_seconds);
  append(json, "solve_seconds", solution.solve_seconds);
  append(json, "function_seconds", solution.function_seconds);
  append(json, "verify_seconds", solution.verify_seconds);
  append(json, "total_seconds", solution.total_seconds);
  json.key("iterations").value(solution.iterations);
  json.end_object();
  return json.text() + "\n";
}

}  // namespace verne
