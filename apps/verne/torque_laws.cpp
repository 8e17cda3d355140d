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
    for (std::size_t k = 0; k < header.places.size(); ++k) table.columns[k].push_back(value(header.places[k]));
  }
  if (table.time.empty()) throw InputError({{file, 0, "there are no rows of numbers"}});
  return table;
}

TorqueLaw torque_law(const Model& model, const TorqueSource& from) {
  const auto data = std::make_shared<Data<double>>(model);
  const auto source = std::make_shared<TorqueSource>(from);
  return [model, data, source](double t, std::span<const double> q, std::span<const double> v, std::span<double> out) {
    Eigen::Map<Eigen::VectorXd> tau(out.data(), static_cast<Eigen::Index>(out.size()));
    Eigen::VectorXd wanted = source->wanted.eigen(), speed = Eigen::VectorXd::Zero(tau.size());
    if (const auto& motion = source->motion) {
      // At and behind its end the last state is held.
      const Place place = motion->place(t);
      const bool over = t >= motion->duration();
      wanted = motion->at(place, 0);
      if (!over) speed = motion->at(place, 1);
      const Eigen::VectorXd acceleration = over ? Eigen::VectorXd::Zero(tau.size()) : motion->at(place, 2);
      inverse_dynamics<double>(model, *data, wanted, speed, acceleration, tau);
    }
    if (const auto& table = source->table) {
      for (std::size_t k = 0; k < table->columns.size(); ++k) tau[table->velocity[k]] += value_at(*table, k, t);
    }
    if (const auto& gains = source->gains) {
      tau += gains->kp * difference<double>(model, *data, as_vector(q), wanted) + gains->kd * (speed - as_vector(v));
    }
  };
}

std::vector<double> jumps_of(const TorqueSource& source) {
  std::vector<double> times;
  const auto& motion = source.motion;
  for (int span = 0; motion && span < motion->basis().spans(); ++span) times.push_back(motion->time({span, 1.0}));
  return times;
}

}  // namespace verne::cli
