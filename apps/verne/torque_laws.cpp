#include "torque_laws.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "wants.h"

namespace verne::cli {

namespace {

Eigen::Map<const Eigen::VectorXd> as_vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

std::optional<double> finite_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool whole = !text.empty() &&
                     text.find_first_not_of(" \t\r", static_cast<std::size_t>(end - text.c_str())) == std::string::npos;
  if (!whole || end == text.c_str() || !std::isfinite(value)) return std::nullopt;
  return value;
}

double value_at(const TorqueTable& table, std::size_t column, double t) {
  const std::vector<double>& values = table.columns[column];
  const auto after = std::upper_bound(table.time.begin(), table.time.end(), t);
  if (after == table.time.begin()) return values.front();
  if (after == table.time.end()) return values.back();
  const auto k = static_cast<std::size_t>(after - table.time.begin());
  const double part = (t - table.time[k - 1]) / (table.time[k] - table.time[k - 1]);
  return values[k - 1] + part * (values[k] - values[k - 1]);
}

/// The columns of torques in a header; where some are called `tau.NAME`, all others but the time are something else.
class Header {
 public:
  Header(const std::string& line, const std::string& file, const Model& model) : file_(file) {
    std::vector<std::string> words = split_list(line);
    for (std::string& word : words) word.erase(word.find_last_not_of(" \t\r") + 1);
    const auto marked = [](const std::string& word) { return word.starts_with("tau."); };
    const bool some_marked = std::any_of(words.begin(), words.end(), marked);
    if (words.front() != "time") fail("expected a header that begins with time, found '" + words.front() + "'");
    const std::vector<std::string> names(model.dof_names().begin(), model.dof_names().end());
    for (std::size_t k = 1; k < words.size(); ++k) {
      if (some_marked && !marked(words[k])) continue;
      const std::string name = some_marked ? words[k].substr(4) : words[k];
      const auto known = std::find(names.begin(), names.end(), name);
      if (known == names.end()) fail("there is no coordinate '" + name + "'" + suggestion(name, names));
      places.push_back(k);
      velocities.push_back(static_cast<int>(known - names.begin()));
    }
    count = words.size();
  }

  std::size_t count = 0;
  std::vector<std::size_t> places;
  std::vector<int> velocities;

 private:
  [[noreturn]] void fail(const std::string& text) const { throw InputError({{file_, 1, text}}); }
  const std::string& file_;
};

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

TorqueTable parse_torques(const std::string& text, const std::string& file, const Model& model) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const Header header(line, file, model);
  std::vector<bool> driven(static_cast<std::size_t>(model.nv()), false);
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.nv; ++k) driven[static_cast<std::size_t>(joint.v + k)] = joint.spec.actuated;
  }
  TorqueTable table{{}, header.velocities, std::vector<std::vector<double>>(header.places.size())};
  for (int number = 2; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto fail = [&](const std::string& what) { throw InputError({{file, number, what}}); };
    const std::vector<std::string> words = split_list(line);
    if (words.size() != header.count) fail(fmt::format("expected {} values, found {}", header.count, words.size()));
    const auto value = [&](std::size_t k) {
      const auto found = finite_number(words[k]);
      if (!found) fail(fmt::format("column {}: expected a finite number, found '{}'", k + 1, words[k]));
      return *found;
    };
    const double t = value(0);
    if (!table.time.empty() && t <= table.time.back()) fail("time: expected a number larger than the one before");
    table.time.push_back(t);
    for (std::size_t k = 0; k < header.places.size(); ++k) {
      const double torque = value(header.places[k]);
      const auto velocity = static_cast<std::size_t>(header.velocities[k]);
      if (torque != 0 && !driven[velocity]) {
        fail(fmt::format("column {}: nothing drives '{}', whose torque is {}", header.places[k] + 1,
                         model.dof_names()[velocity], torque));
      }
      table.columns[k].push_back(torque);
    }
  }
  if (table.time.empty()) throw InputError({{file, 0, "there are no rows of numbers"}});
  return table;
}

ReplayedMotion::ReplayedMotion(const Mechanism& mechanism, Trajectory motion)
    : tau(mechanism.model().nv()),
      mechanism_(mechanism),
      motion_(std::move(motion)),
      data_(mechanism.model()),
      closed_(mechanism) {
  const std::size_t actuators = mechanism.actuated().size();
  if (mechanism.model().loops().empty() || static_cast<int>(actuators) >= mechanism.mobility()) return;
  throw InputError(
      fmt::format("--replay: a mechanism with loops needs an actuator for each of its {} degrees of "
                  "freedom, and has {}",
                  mechanism.mobility(), actuators));
}

void ReplayedMotion::go_to(double t) {
  const Place place = motion_.place(t);
  q = motion_.at(place, 0), v = motion_.at(place, 1), a = motion_.at(place, 2);
  if (t >= motion_.duration()) v.setZero(), a.setZero();
  if (mechanism_.model().loops().empty()) return inverse_dynamics<double>(mechanism_.model(), data_, q, v, a, tau);
  close();
}

void ReplayedMotion::close() {
  const auto part = [](const Eigen::VectorXd& all, std::span<const int> places) {
    Eigen::VectorXd values(static_cast<Eigen::Index>(places.size()));
    for (Eigen::Index k = 0; k < values.size(); ++k) values[k] = all[places[static_cast<std::size_t>(k)]];
    return values;
  };
  assemble<double>(mechanism_, closed_, part(q, mechanism_.independent_positions()), Eigen::VectorXd(q), q);
  const Eigen::VectorXd speeds = part(v, mechanism_.independent()), rates = part(a, mechanism_.independent());
  closed_motion<double>(mechanism_, closed_, q, speeds, rates, v, a);
  Eigen::VectorXd motors(static_cast<Eigen::Index>(mechanism_.actuated().size()));
  inverse_dynamics<double>(mechanism_, closed_, q, v, a, motors);
  tau.setZero();
  for (Eigen::Index k = 0; k < motors.size(); ++k) tau[mechanism_.actuated()[static_cast<std::size_t>(k)]] = motors[k];
}

TorqueLaw torque_law(const Mechanism& mechanism, const TorqueSource& from) {
  const auto data = std::make_shared<Data<double>>(mechanism.model());
  const auto source = std::make_shared<TorqueSource>(from);
  const auto motion = from.motion ? std::make_shared<ReplayedMotion>(mechanism, *from.motion) : nullptr;
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

std::vector<double> jumps_of(const TorqueSource& source) {
  std::vector<double> times;
  const auto& motion = source.motion;
  for (int span = 0; motion && span < motion->basis().spans(); ++span) times.push_back(motion->time({span, 1.0}));
  // A table has kinks, and between two of its rows there may be all of a pulse that a step must not leap over.
  if (source.table) times.insert(times.end(), source.table->time.begin(), source.table->time.end());
  return times;
}

}  // namespace verne::cli
