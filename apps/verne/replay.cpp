#include "replay.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/decompositions.h"
#include "motion/curve/phases.h"
#include "motion/task/solution_reader.h"
#include "motion/terms/task_loads.h"
#include "output.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/file.h"

namespace verne::cli {

namespace {

/// Of the largest torque: what predicted torques may differ by from those of the motion, as equations hold only nearly;
/// with loops, whose accelerations are those of splines that close them at some places.
constexpr double kSameTorque = 1e-3, kSameTorqueOfLoops = 1e-2;

/// The task that a motion was found for, if it says all that acts.
std::optional<Task> task_of(const std::string& text, const std::string& file, const Model& model) {
  try {
    std::optional<Task> task = read_known_task(text, file, model);
    const auto stands = [](const PhaseSpec& phase) { return phase.ground.has_value(); };
    if (!task || task->ground || std::any_of(task->phases.begin(), task->phases.end(), stands)) return std::nullopt;
    return task;
  } catch (const InputError& error) {
    complain(fmt::format("{}: warning: its task does not fit this model ({}): the model alone is simulated", file,
                         error.problems().front().text));
    return std::nullopt;
  }
}

/// Which phase each span of a motion belongs to.
std::vector<int> phases_of_spans(const KnownMotion& motion) {
  std::vector<int> phases;
  const std::vector<double>& ends = motion.phase_ends;
  for (int span = 0; span < motion.trajectory.basis().spans(); ++span) {
    const double middle = motion.trajectory.time({span, 0.5});
    const auto phase = std::lower_bound(ends.begin(), ends.end(), middle) - ends.begin();
    phases.push_back(ends.empty() ? 0 : static_cast<int>(std::min<std::ptrdiff_t>(phase, std::ssize(ends) - 1)));
  }
  return phases;
}

std::optional<Values> weights_of(const Task& task, const Mechanism& mechanism) {
  if (task.effort_weights.empty() || task.model.loops().empty()) return std::nullopt;
  std::vector<double> weights;
  for (const int velocity : mechanism.actuated()) {
    weights.push_back(task.effort_weights[static_cast<std::size_t>(velocity)]);
  }
  return Values(weights);
}

}  // namespace

Replay read_replay(const std::string& file, const Model& model, const Model& splined) {
  const std::string text = read_text_file(file);
  const std::optional<Task> task = task_of(text, file, model);
  const KnownMotion known = read_known_motion(text, file, task ? task->model : splined);
  if (!task || (!task->phases.empty() && task->phases.size() != known.phase_ends.size())) {
    return {splined, {{Mechanism(splined), known.trajectory}}};
  }
  Replay replay{task->model, {}};
  for (const Stage& stage : stages(*task, phases_of_spans(known))) {
    if (stage.spans.first == stage.spans.end) continue;
    const Mechanism mechanism = stage.task.mechanism ? *stage.task.mechanism : Mechanism(stage.task.model);
    if (!replay.phases.empty()) replay.phases.back().last = false;
    replay.phases.push_back({mechanism, known.trajectory.piece(stage.spans.first, stage.spans.end),
                             known.trajectory.time({stage.spans.first, 0.0}), loads_of(stage.task),
                             weights_of(stage.task, mechanism)});
  }
  return replay;
}

ReplayedMotion::ReplayedMotion(ReplayedPhase phase)
    : tau(phase.mechanism.model().nv()),
      phase_(std::move(phase)),
      data_(phase_.mechanism.model()),
      closed_(phase_.mechanism) {
  const std::size_t actuators = phase_.mechanism.actuated().size();
  if (phase_.mechanism.model().loops().empty() || static_cast<int>(actuators) >= phase_.mechanism.mobility()) return;
  throw InputError(
      fmt::format("--replay: a mechanism with loops needs an actuator for each of its {} degrees of "
                  "freedom, and has {}",
                  phase_.mechanism.mobility(), actuators));
}

void ReplayedMotion::go_to(double t) {
  const Trajectory& motion = phase_.motion;
  const double since = t - phase_.start;
  // At its end the phase's own last span counts, not that of the next phase, in which accelerations may be others.
  const Place place = since < motion.duration() ? motion.place(since) : Place{motion.basis().spans() - 1, 1.0};
  q = motion.at(place, 0), v = motion.at(place, 1), a = motion.at(place, 2);
  if (phase_.last && since >= motion.duration()) v.setZero(), a.setZero();
  if (!phase_.mechanism.model().loops().empty()) return close();
  inverse_dynamics<double>(phase_.mechanism.model(), data_, q, v, a, tau, &phase_.loads);
}

/// The nearest motion that keeps the loops closed: of positions, then of v = G vᵢ, then of a = G aᵢ + a₀.
void ReplayedMotion::close() {
  const Mechanism& mechanism = phase_.mechanism;
  Eigen::VectorXd unused = v, closed_v(v.size()), closed_a(v.size());
  if (!project_state(mechanism, closed_, q, unused)) throw InputError("--replay: the motion leaves loops open");
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(mechanism.mobility());
  Eigen::MatrixXd G(v.size(), mechanism.mobility());
  closed_jacobian<double>(mechanism, closed_, q, G);
  const Eigen::VectorXd speeds = least_squares(G, v);
  closed_motion<double>(mechanism, closed_, q, speeds, none, closed_v, closed_a);
  const Eigen::VectorXd rates = least_squares(G, a - closed_a);
  closed_motion<double>(mechanism, closed_, q, speeds, rates, v, a);
  Eigen::VectorXd motors(static_cast<Eigen::Index>(mechanism.actuated().size()));
  inverse_dynamics<double>(mechanism, closed_, q, v, a, motors, &phase_.loads, nullptr, nullptr,
                           phase_.weights ? &*phase_.weights : nullptr);
  tau.setZero();
  for (Eigen::Index k = 0; k < motors.size(); ++k) tau[mechanism.actuated()[static_cast<std::size_t>(k)]] = motors[k];
}

std::string other_torques(const std::string& file, const Replay& replay) {
  const KnownTorques known = read_known_torques(read_text_file(file), file, replay.model);
  const double largest = known.tau.size() == 0 ? 0 : known.tau.cwiseAbs().maxCoeff();
  std::size_t others = 0;
  double most = 0;
  auto phase = replay.phases.begin();
  ReplayedMotion motion(*phase);
  for (std::size_t k = 0; k < known.time.size(); ++k) {
    while (!phase->last && known.time[k] >= phase->end()) motion = ReplayedMotion(*++phase);
    motion.go_to(known.time[k]);
    double off = 0;
    for (const int v : phase->mechanism.actuated()) {
      off = std::max(off, std::abs(motion.tau[v] - known.tau(v, static_cast<Eigen::Index>(k))));
    }
    if (phase->last && known.time[k] >= phase->end()) break;  // there it stands still
    const bool closed = !phase->mechanism.model().loops().empty();
    others += off > (closed ? kSameTorqueOfLoops : kSameTorque) * largest ? 1 : 0;  // at breakpoints torques may jump
    most = std::max(most, off);
  }
  if (10 * others <= known.time.size()) return "";
  return fmt::format(
      "{}: warning: its torques are not those of this model and motion, by up to {:.3g}: what the ground does is not "
      "simulated, nor what another model had",
      file, most);
}

}  // namespace verne::cli
