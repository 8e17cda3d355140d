#include "verne/motion/write_simulation.h"

#include <fmt/ranges.h>

#include <cmath>

#include "motion/output/solution_json.h"
#include "motion/values/undetermined.h"
#include "verne/dynamics/batch.h"
#include "verne/io/model_json.h"

namespace verne {

namespace {

void append_simulation(JsonWriter& json, const SimulatedMotion& simulated, const SimulationNotes& notes) {
  json.key("simulation").begin_object();
  json.key("torques").value(notes.torques);
  const auto names = [&](const char* key, const std::vector<std::string>& of) {
    json.key(key).begin_array();
    for (const std::string& name : of) json.value(name);
    json.end_array();
  };
  names("contacts", notes.contacts);
  names("prescribed", notes.prescribed);
  json.key("tolerance").value(notes.tolerance);
  json.key("asked_duration").value(notes.asked_duration);
  if (notes.friction_width > 0) json.key("friction_width").value(notes.friction_width);
  json.key("explicit_steps").value(static_cast<double>(simulated.explicit_steps));
  json.key("implicit_steps").value(static_cast<double>(simulated.implicit_steps));
  json.key("energy_drift").value(simulated.energy_drift);
  json.key("energy_scale").value(simulated.energy_scale);
  json.key("loop_drift").value(simulated.loop_drift);
  json.key("passages").begin_array();
  for (const double t : simulated.passages) json.value(t);
  json.end_array();
  json.end_object();
}

/// What rounding does to joints that friction should hold: c tanh(v / width) bears a load at some speed only.
std::string creep_text(double width) {
  const auto creep = [&](double part) { return width * std::atanh(part); };
  return fmt::format(
      "friction          rounded over {:.4g} rad/s or m/s: what it should hold creeps, by {:.3g} at half of the\n"
      "                  Coulomb friction, by {:.3g} at 99 %\n",
      width, creep(0.5), creep(0.99));
}

std::string steps_text(const SimulatedMotion& simulated) {
  const auto [of_explicit, of_implicit] = std::pair(simulated.explicit_steps, simulated.implicit_steps);
  if (of_implicit == 0) return fmt::format("{} explicit (Runge-Kutta)", of_explicit);
  if (of_explicit == 0) return fmt::format("{} implicit (backward differentiation)", of_implicit);
  return fmt::format("{} explicit (Runge-Kutta), {} implicit (backward differentiation: stiff)", of_explicit,
                     of_implicit);
}

std::vector<Mechanism> mechanisms_of(const std::vector<SimulationPhase>& phases) {
  std::vector<Mechanism> mechanisms;
  for (const SimulationPhase& phase : phases) mechanisms.push_back(phase.mechanism);
  return mechanisms;
}

}  // namespace

const char* to_string(SimulatedMotion::End end) {
  switch (end) {
    case SimulatedMotion::End::finished:
      return "simulated";
    case SimulatedMotion::End::limit:
      return "stopped";
    case SimulatedMotion::End::interrupted:
      return "interrupted";
    case SimulatedMotion::End::failed:
      break;
  }
  return "failed";
}

SampledMotion sample_simulation(const std::vector<SimulationPhase>& phases, const SimulatedMotion& simulated) {
  const auto count = static_cast<int>(simulated.time.size());
  SampledMotion motion;
  motion.time = simulated.time;
  motion.q = simulated.q, motion.v = simulated.v, motion.a = simulated.a, motion.tau = simulated.tau;
  motion.joint_wrenches = simulated.joint_wrenches;
  motion.loops = simulated.loops;
  motion.loop_wrenches = simulated.loop_wrenches;
  const auto links = static_cast<Eigen::Index>(phases.front().mechanism.model().links().size());
  Eigen::MatrixXd poses(12 * links, count), body(kWholeBodyRows, count);
  for (std::size_t p = 0, first = 0; p < phases.size(); ++p) {  // each with what it carries
    std::size_t end = first;
    while (end < static_cast<std::size_t>(count) && (p + 1 == phases.size() || simulated.time[end] < phases[p].end)) {
      ++end;
    }
    if (end == first) continue;
    const Model& model = phases[p].mechanism.model();
    const auto from = static_cast<Eigen::Index>(first), columns = static_cast<Eigen::Index>(end - first);
    Batch batch(model, static_cast<int>(columns));
    for (int k = 0; k < columns; ++k) {
      batch.q.set(k, simulated.q.eigen().col(from + k));
      batch.v.set(k, simulated.v.eigen().col(from + k));
      batch.a.set(k, simulated.a.eigen().col(from + k));
    }
    forward_kinematics(model, batch);
    whole_body_state(model, batch);
    poses.middleCols(from, columns) = batch.poses.matrix().topRows(12 * links);
    body.middleCols(from, columns) = batch.whole_body.matrix();
    first = end;
  }
  motion.link_poses = poses;
  motion.kinetic = body.row(kKineticEnergy), motion.potential = body.row(kPotentialEnergy);
  motion.com = body.middleRows(kCom, 3);
  motion.power = (simulated.tau.eigen().array() * simulated.v.eigen().array()).colwise().sum();
  return motion;
}

std::string simulation_json(const Model& model, const std::vector<SimulationPhase>& phases,
                            const SimulatedMotion& simulated, const SampledMotion& motion, const SimulationNotes& notes,
                            const std::string& generator, const std::string& command) {
  JsonWriter json;
  json.begin_object();
  json.key("format").value("verne-solution/1");
  json.key("generator").value(generator);
  json.key("command").value(command);
  json.key("task").begin_object().key("name").value(notes.name);
  json.key("description").value("Simulation; torques: " + notes.torques).key("parameters").begin_object().end_object();
  json.end_object();
  json.key("model");
  append_model(json, model);
  json.key("status").value(to_string(simulated.end)).key("message").value(simulated.message);
  json.key("duration").value(motion.time[motion.time.size() - 1]);
  append_simulation(json, simulated, notes);
  append_motion(json, model, motion, mechanisms_of(phases));
  json.end_object();
  return json.text() + "\n";
}

std::string simulation_summary(const std::vector<SimulationPhase>& phases, const SimulatedMotion& simulated,
                               const SimulationNotes& notes) {
  const double reached = simulated.time[simulated.time.size() - 1];
  std::string out = fmt::format("{}: {}", notes.name, to_string(simulated.end));
  if (!simulated.message.empty()) out += ": " + simulated.message;
  out += fmt::format("\nduration          {:.9g} s", reached);
  if (simulated.end != SimulatedMotion::End::finished) out += fmt::format(" of {:.9g} s", notes.asked_duration);
  out += fmt::format("\ntorques           {}\n", notes.torques);
  if (!notes.contacts.empty()) out += fmt::format("contacts held     {}\n", fmt::join(notes.contacts, ", "));
  if (!notes.prescribed.empty()) out += fmt::format("prescribed        {}\n", fmt::join(notes.prescribed, ", "));
  if (notes.friction_width > 0) out += creep_text(notes.friction_width);
  out += "steps             " + steps_text(simulated) + "\n";
  out += fmt::format("energy drift      {:.2g} J; at most {:.4g} J were exchanged\n", simulated.energy_drift,
                     simulated.energy_scale);
  if (simulated.loop_wrenches.rows() > 0) {
    out += fmt::format("loops open by     {:.2g} m or rad at most\n", simulated.loop_drift);
  }
  if (const Values& passages = simulated.passages; passages.size() > 0) {
    out += fmt::format(
        "nearly singular   {} time{}, first at {:.6g} s, last at {:.6g} s: where the loops lead on in several ways, "
        "the\n"
        "                  motion takes that of its momentum\n",
        passages.size(), passages.size() == 1 ? "" : "s", passages[0], passages[passages.size() - 1]);
  }
  return out + undetermined_text(mechanisms_of(phases));
}

}  // namespace verne
