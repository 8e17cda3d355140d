#include "torque_laws.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "wants.h"

namespace verne::cli {

namespace {

Eigen::Map<const Eigen::VectorXd> as_vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

double value_at(const TimeTable& table, std::size_t column, double t) {
  const std::vector<double>& values = table.columns[column];
  const auto after = std::upper_bound(table.time.begin(), table.time.end(), t);
  if (after == table.time.begin()) return values.front();
  if (after == table.time.end()) return values.back();
  const auto k = static_cast<std::size_t>(after - table.time.begin());
  const double part = (t - table.time[k - 1]) / (table.time[k] - table.time[k - 1]);
  return values[k - 1] + part * (values[k] - values[k - 1]);
}

}  // namespace

Gains parse_gains(const std::string& text) {
  const std::vector<std::string> words = split_list(text);
  const auto kp = finite_number(words[0]), kd = words.size() == 2 ? finite_number(words[1]) : std::nullopt;
  if (!kp || !kd || *kp < 0 || *kd < 0) {
    throw InputError(
        fmt::format("--pd {}: expected KP,KD, two numbers that are not negative, as in --pd 100,10", text));
  }
  return {*kp, *kd};
}

TimeTable parse_torques(const std::string& text, const std::string& file, const Model& model,
                        std::span<const int> prescribed) {
  TimeTable table = parse_time_table(text, file, "tau", model);
  std::vector<bool> driven(static_cast<std::size_t>(model.nv()), false);
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.nv; ++k) driven[static_cast<std::size_t>(joint.v + k)] = joint.spec.actuated;
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto velocity = static_cast<std::size_t>(table.velocity[c]);
    const bool told = std::find(prescribed.begin(), prescribed.end(), table.velocity[c]) != prescribed.end();
    if (driven[velocity] && !told) continue;
    const std::vector<double>& torques = table.columns[c];
    const auto some = std::find_if(torques.begin(), torques.end(), [](double torque) { return torque != 0; });
    if (some == torques.end()) continue;
    const std::string& name = model.dof_names()[velocity];
    throw InputError(
        {{file, table.lines[static_cast<std::size_t>(some - torques.begin())],
          fmt::format("column {}: {}, whose torque is {}", table.places[c] + 1,
                      told ? "the motion is prescribed of '" + name + "'" : "nothing drives '" + name + "'", *some)}});
  }
  return table;
}

TorqueLaw torque_law(const Mechanism& mechanism, const TorqueSource& from, const ReplayedPhase* replayed) {
  const auto data = std::make_shared<Data<double>>(mechanism.model());
  const auto source = std::make_shared<TorqueSource>(from);
  const auto motion = replayed ? std::make_shared<ReplayedMotion>(*replayed) : nullptr;
  return [=](double t, std::span<const double> q, std::span<const double> v, std::span<double> out) {
    Eigen::Map<Eigen::VectorXd> tau(out.data(), static_cast<Eigen::Index>(out.size()));
    if (motion) {
      motion->go_to(t);
      tau = motion->tau;
    }
    if (const auto& table = source->table) {
      for (std::size_t k = 0; k < table->columns.size(); ++k) tau[table->velocity[k]] += value_at(*table, k, t);
    }
    if (const auto& gains = source->gains) {
      const Eigen::VectorXd wanted = motion ? motion->q : source->wanted.eigen();
      const Eigen::VectorXd speed = motion ? motion->v : Eigen::VectorXd::Zero(tau.size());
      tau += gains->kp * difference<double>(mechanism.model(), *data, as_vector(q), wanted) +
             gains->kd * (speed - as_vector(v));
    }
  };
}

std::vector<double> jumps_of(const TorqueSource& source, const Replay* replay) {
  std::vector<double> times;
  for (std::size_t k = 0; replay && k < replay->phases.size(); ++k) {
    const ReplayedPhase& phase = replay->phases[k];
    for (int span = 0; span < phase.motion.basis().spans(); ++span) {
      times.push_back(phase.start + phase.motion.time({span, 1.0}));
    }
  }
  // A table has kinks, and between two of its rows there may be all of a pulse that a step must not leap over.
  if (source.table) times.insert(times.end(), source.table->time.begin(), source.table->time.end());
  return times;
}

}  // namespace verne::cli
