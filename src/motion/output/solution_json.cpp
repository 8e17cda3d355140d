#include "motion/output/solution_json.h"
#include "motion/terms/own_terms.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/position_names.h"
#include "motion/curve/positions.h"
#include "motion/terms/task_terms.h"
#include "motion/values/ground_forces.h"
#include "motion/values/undetermined.h"
#include "verne/io/model_json.h"
#include "verne/motion/write_solution.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

void append(JsonWriter& json, const char* key, double value) {
  json.key(key).value(value);
}
void append(JsonWriter& json, const char* key, const Values& values) {
  json.key(key).values(values);
}
/// One row of JSON per column.
void append(JsonWriter& json, const char* key, const Table& columns) {
  json.key(key).rows({columns.data(), static_cast<std::size_t>(columns.rows() * columns.cols())},
                     static_cast<int>(columns.rows()));
}
void append(JsonWriter& json, const char* key, const Vec3<double>& v) {
  const double entries[3] = {v.x, v.y, v.z};
  json.key(key).values(entries);
}
void append_flag(JsonWriter& json, const char* key, const std::optional<bool>& flag) {
  if (flag) {
    json.key(key).value(*flag);
  } else {
    json.key(key).value(std::nan(""));  // null
  }
}

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

void append_verification(JsonWriter& json, const Verification& v) {
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
  json.end_object();
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

void append_coordinates(JsonWriter& json, const Model& model) {
  json.key("joints").begin_array();
  for (const Joint& joint : model.joints()) {
    if (joint.nv > 0) json.value(joint.spec.name);
  }
  json.end_array();
  json.key("coordinates").begin_array();
  for (const Joint& joint : model.joints()) {
    for (int i = joint.v; i < joint.v + joint.nv; ++i) {
      json.begin_object();
      json.key("name").value(model.dof_names()[i]);
      const std::string position = charted_name(model, joint, i - joint.v);
      if (position != model.dof_names()[i]) json.key("position_name").value(position);
      json.key("joint").value(joint.spec.name);
      json.key("unit").value(position_unit(model, i));
      json.key("effort_unit").value(effort_unit(model, i));
      json.end_object();
    }
  }
  json.end_array();
}

/// Force, centre of pressure and moment about the vertical of each support; and of all together, the point where their
/// moment is vertical.
void append_ground(JsonWriter& json, const Model& model, const SampledMotion& motion) {
  if (motion.ground.empty()) return;
  json.key("ground_reaction").begin_object();
  for (const GroundReaction& reaction : motion.ground) {
    json.key(reaction.support.c_str()).begin_object();
    append(json, "force", reaction.force);
    append(json, "centre", reaction.centre);
    append(json, "moment", reaction.moment);
    json.end_object();
  }
  json.end_object();
  append(json, "zmp", Table(zero_moment_points(model, motion)));
}

void append_phases(JsonWriter& json, const Solution& solution) {
  if (solution.phases.empty()) return;
  json.key("phases").begin_array();
  for (const PhaseResult& phase : solution.phases) {
    json.begin_object();
    json.key("name").value(phase.name);
    append(json, "start", phase.start);
    append(json, "end", phase.end);
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

void append_obstacle(JsonWriter& json, const ObstacleSpec& o) {
  const bool sphere = o.from.x == o.to.x && o.from.y == o.to.y && o.from.z == o.to.z;
  json.begin_object();
  json.key("type").value(o.box ? "box" : sphere ? "sphere" : "capsule");
  append(json, "position", o.box ? o.box->pose.p : o.from);
  if (o.box) {
    append(json, "size", o.box->size);
    json.key("rotation").values(quaternion_of(o.box->pose.R));
  } else {
    if (!sphere) append(json, "end", o.to);
    append(json, "radius", o.radius);
  }
  json.end_object();
}

/// Links that others keep away from are no obstacles.
void append_obstacles(JsonWriter& json, const Task& task) {
  const auto fixed = [](const KeepOutSpec& zone) { return zone.against.empty(); };
  if (std::none_of(task.keep_out.begin(), task.keep_out.end(), fixed)) return;
  json.key("obstacles").begin_array();
  for (const KeepOutSpec& zone : task.keep_out) {
    if (fixed(zone)) append_obstacle(json, zone.obstacle);
  }
  json.end_array();
}

void append_surroundings(JsonWriter& json, Task task, double duration) {
  put_frames(task, duration);
  append_obstacles(json, task);
  if (!task.loads.empty()) {
    json.key("loads").begin_array();
    for (const LoadSpec& load : task.loads) {
      json.begin_object();
      json.key("frame").value(task.model.site_name(load.site));
      append(json, "force", load.force);
      append(json, "moment", load.moment);
      append(json, "point", load.point);
      json.end_object();
    }
    json.end_array();
  }
  json.key("targets").begin_array();
  for (const FrameGoalSpec& frame : task.frames) {
    if (frame.when.path || frame.position.empty()) continue;
    json.begin_object();
    json.key("position").begin_array();
    for (const Interval& axis : frame.position) json.value((axis.lower + axis.upper) / 2);
    json.end_array();
    json.key("label").value(label_of(task.model, frame));
    json.end_object();
  }
  json.end_array();
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

void append_motion(JsonWriter& json, const Model& model, const SampledMotion& motion,
                   const std::vector<Mechanism>& phases) {
  append(json, "time", motion.time);
  append_coordinates(json, model);
  append(json, "q", charted_positions(model, motion.q));
  if (model.nq() != model.nv()) append(json, "configuration", motion.q);
  append(json, "v", motion.v);
  append(json, "a", motion.a);
  append(json, "tau", motion.tau);
  json.key("joint_wrenches").begin_object();
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    append(json, model.joints()[j].spec.name.c_str(),
           Table(motion.joint_wrenches.eigen().middleRows(6 * static_cast<Eigen::Index>(j), 6)));
  }
  json.end_object();
  if (!motion.loops.empty()) {
    json.key("loop_wrenches").begin_object();
    for (std::size_t k = 0; k < motion.loops.size(); ++k) {
      append(json, motion.loops[k].c_str(),
             Table(motion.loop_wrenches.eigen().middleRows(6 * static_cast<Eigen::Index>(k), 6)));
    }
    json.end_object();
    append_undetermined(json, Determined(phases));
  }
  json.key("link_poses").begin_object();
  for (std::size_t l = 0; l < model.links().size(); ++l) {
    Eigen::MatrixXd poses(7, motion.time.size());
    for (Eigen::Index n = 0; n < poses.cols(); ++n) {
      const double* pose = motion.link_poses.eigen().col(n).data() + 12 * l;
      Mat3<double> R;
      for (int k = 0; k < 9; ++k) R.m[k] = pose[3 + k];
      const auto quaternion = quaternion_of(R);
      for (int k = 0; k < 3; ++k) poses(k, n) = pose[k];
      for (int k = 0; k < 4; ++k) poses(3 + k, n) = quaternion[k];
    }
    append(json, model.links()[l].name.c_str(), Table(poses));
  }
  json.end_object();
  append(json, "com", motion.com);
  append_ground(json, model, motion);
  json.key("energy").begin_object();
  append(json, "kinetic", motion.kinetic);
  append(json, "potential", motion.potential);
  append(json, "power", motion.power);
  json.end_object();
}

std::string solution_json(const Task& task, const Solution& solution, const SampledMotion& motion,
                          const std::string& generator, const std::string& command) {
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
  append_verification(json, solution.verification);
  if (!solution.success()) append_violations(json, solution);
  if (solution.conflict) append_conflict(json, *solution.conflict);
  append_phases(json, solution);
  append_motion(json, task.model, motion, mechanisms_of(task));
  append_foot_prints(json, task, solution);
  append_stride(json, task, solution);
  append_limits(json, solution);
  append_trajectory(json, solution.trajectory);
  if (solution.state) append_state(json, *solution.state);
  append_surroundings(json, task, solution.trajectory.duration());
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

std::string front_json(const std::string& parameter, const std::vector<FrontRow>& rows) {
  JsonWriter json;
  json.begin_object();
  json.key("format").value("verne-front/1");
  json.key("parameter").value(parameter);
  json.key("rows").begin_array();
  for (const FrontRow& row : rows) {
    json.begin_object();
    append(json, "value", row.value);
    append(json, "duration", row.solution.trajectory.duration());
    append(json, "cost", row.solution.cost);
    json.key("status").value(to_string(row.solution.status));
    json.key("folder").value(row.folder);
    append_costs(json, row.solution);
    json.end_object();
  }
  json.end_array().end_object();
  return json.text() + "\n";
}

}  // namespace verne
