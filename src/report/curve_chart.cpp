#include "report/curve_chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "report/check_solution.h"
#include "report/snapshots.h"
#include "report/svg_chart.h"

namespace verne {

namespace {

using Json = nlohmann::json;

std::vector<double> column(const Json& rows, std::size_t i) {
  std::vector<double> out;
  for (const Json& row : rows) out.push_back(i < row.size() ? number_or_gap(row[i]) : number_or_gap(nullptr));
  return out;
}

/// Norms of entries first to first + 2.
std::vector<double> norms(const Json& rows, std::size_t first) {
  const std::vector<double> x = column(rows, first), y = column(rows, first + 1), z = column(rows, first + 2);
  std::vector<double> out;
  for (std::size_t k = 0; k < x.size(); ++k) out.push_back(std::hypot(x[k], y[k], z[k]));
  return out;
}

/// A quantity with one value per coordinate.
struct Quantity {
  const char *key, *title, *limit, *per;
};
const std::map<std::string, Quantity> kQuantities{
    {"positions", {"q", "position", "position", ""}},
    {"velocities", {"v", "velocity", "velocity", "/s"}},
    {"accelerations", {"a", "acceleration", "acceleration", "/s²"}},
    {"torques", {"tau", "effort", "effort", ""}},
};

/// Of a curve: positions may have names of their own.
std::string name_in(const Quantity& quantity, const Json& coordinate) {
  const std::string name = coordinate.value("name", "");
  return std::string(quantity.key) == "q" ? coordinate.value("position_name", name) : name;
}

class Plotter {
 public:
  Plotter(const Json& solution, const PlotOptions& options, const std::string& file)
      : solution_(solution), options_(options), file_(file), time_(numbers(solution.at("time"))) {
    spec_.x_label = "time (s)";
  }

  ChartSpec chart() {
    if (const auto quantity = kQuantities.find(options_.what); quantity != kQuantities.end()) {
      plot_coordinates(quantity->second);
    } else if (options_.what == "joint_forces" || options_.what == "joint_moments") {
      plot_wrenches(options_.what == "joint_forces");
    } else if (options_.what == "ground_reactions") {
      plot_ground();
    } else if (options_.what == "energy" || options_.what == "power") {
      plot_energy();
    } else {
      plot_snapshots();
    }
    check_joints();
    if (spec_.lines.empty()) refuse("the solution has no data for '" + options_.what + "'");
    if (options_.what != "snapshots") add_phases();
    return std::move(spec_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw InputError({Diagnostic{file_, 0, why}}); }

  bool wanted(const std::string& joint) {
    known_.insert(joint);
    return options_.joints.empty() ||
           std::find(options_.joints.begin(), options_.joints.end(), joint) != options_.joints.end();
  }

  /// A misspelt joint is reported, not left out.
  void check_joints() const {
    for (const std::string& joint : options_.joints) {
      if (known_.empty() || known_.contains(joint)) continue;  // without any, the plot has none to choose from
      refuse("there is no joint '" + joint + "' to plot" + suggestion(joint, {known_.begin(), known_.end()}));
    }
  }

  ChartLine& add(const std::string& name, std::vector<double> values) {
    ChartLine line;
    line.name = name, line.x = time_, line.y = std::move(values), line.style = int(spec_.lines.size());
    spec_.lines.push_back(std::move(line));
    return spec_.lines.back();
  }

  void add_limits(ChartLine& line, const char* kind, const std::string& name, const std::string& joint) const {
    for (const Json& limit : solution_.value("limits", Json::array())) {
      if (!limit.is_object() || limit.value("kind", Json()) != kind) continue;
      const Json of = limit.value("of", Json());
      if (of != name && of != joint) continue;
      const ChartBound holds = stretch_of(limit.value("phase", Json()));
      for (const char* side : {"lower", "upper"}) {
        if (limit.contains(side) && limit[side].is_number()) {
          line.bounds.push_back({limit[side], holds.from, holds.to});
        }
      }
      for (const Json& stretch : limit.value("active", Json::array())) {
        const std::vector<double> ends = stretch.is_array() ? numbers(stretch) : std::vector<double>{};
        if (ends.size() == 2) line.active.emplace_back(ends[0], ends[1]);
      }
    }
  }

  /// The times of a phase; all of them when there is no such phase.
  ChartBound stretch_of(const Json& name) const {
    for (const Json& phase : solution_.value("phases", Json::array())) {
      if (name.is_string() && phase.at("name") == name) return {0, phase.at("start"), phase.at("end")};
    }
    return {0};
  }

  void add_phases() {
    for (const Json& phase : solution_.value("phases", Json::array())) {
      spec_.stretches.push_back({phase.at("name"), phase.at("start")});
    }
  }

  /// Angles and lengths do not share an axis: the unit that most of the wanted coordinates have is plotted.
  void plot_coordinates(const Quantity& quantity) {
    const Json coordinates = solution_.value("coordinates", Json::array());
    const Json rows = solution_.value(quantity.key, Json::array());
    if (rows.empty() || rows[0].size() != coordinates.size()) return;
    const bool effort = options_.what == "torques";
    std::map<std::string, std::vector<std::size_t>> by_unit;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const Json& own = coordinates[i];
      const bool by_name = wanted(name_in(quantity, own)), by_joint = wanted(own.value("joint", ""));
      if (by_name || by_joint) by_unit[own.value(effort ? "effort_unit" : "unit", "") + quantity.per].push_back(i);
    }
    if (by_unit.empty()) return;
    const auto fewer = [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); };
    const auto& [unit, chosen] = *std::max_element(by_unit.begin(), by_unit.end(), fewer);
    for (const std::size_t i : chosen) {
      const std::string name = name_in(quantity, coordinates[i]);
      add_limits(add(name, column(rows, i)), quantity.limit, name, coordinates[i].value("joint", ""));
    }
    spec_.y_label = fmt::format("{} ({})", effort ? (unit == "N" ? "force" : "torque") : quantity.title, unit);
  }

  /// Whether the motion tells all components of a joint's force or moment; where not, the least are given.
  bool is_told(const std::string& joint, bool forces) const {
    const Json all = solution_.value("undetermined", Json::object());
    for (const char* const key : {"joint_wrenches", "loop_wrenches"}) {
      const Json components = all.value(key, Json::object()).value(joint, Json::array());
      for (const Json& component : components) {
        if (component.is_string() && component.get<std::string>().starts_with(forces ? 'f' : 'm')) return false;
      }
    }
    return true;
  }

  void plot_wrenches(bool forces) {
    spec_.y_label = forces ? "internal joint force (N)" : "internal joint moment (N·m)";
    const auto plot = [&](const std::string& name, const Json& wrench) {
      if (!wanted(name)) return;
      ChartLine& line = add(name + (is_told(name, forces) ? "" : " (least)"), norms(wrench, forces ? 0 : 3));
      if (forces) add_limits(line, "joint_force", name, name);
    };
    const Json wrenches = solution_.value("joint_wrenches", Json::object());
    for (const Json& joint : solution_.value("joints", Json::array())) {
      const std::string name = joint.is_string() ? joint.get<std::string>() : "";
      if (wrenches.contains(name)) plot(name, wrenches[name]);
    }
    const Json loops = solution_.value("loop_wrenches", Json::object());
    for (const auto& [name, wrench] : loops.items()) plot(name, wrench);
  }

  void plot_ground() {
    spec_.y_label = "ground reaction (N)";
    const Json feet = solution_.value("ground_reaction", Json::object());
    for (const auto& [foot, reaction] : feet.items()) {
      for (std::size_t i = 0; i < 3; ++i) add(fmt::format("{} {}", foot, "xyz"[i]), column(reaction["force"], i));
    }
  }

  void plot_energy() {
    const bool power = options_.what == "power";
    spec_.y_label = power ? "power (W)" : "energy (J)";
    const Json energy = solution_.value("energy", Json::object());
    for (const char* key : {"kinetic", "potential", "power"}) {
      const bool is_power = std::string(key) == "power";
      if (is_power != power || !energy.contains(key) || energy[key].size() != time_.size()) continue;
      add(key, numbers(energy[key]));
    }
  }

  void plot_snapshots() { spec_ = snapshot_chart(solution_); }

  const Json& solution_;
  const PlotOptions& options_;
  const std::string& file_;
  const std::vector<double> time_;
  std::set<std::string> known_;
  ChartSpec spec_;
};

}  // namespace

double number_or_gap(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> numbers(const Json& values) {
  std::vector<double> out;
  for (const Json& value : values) out.push_back(number_or_gap(value));
  return out;
}

ChartSpec curve_chart(const Json& solution, const PlotOptions& options, const std::string& file) {
  try {
    return Plotter(solution, options, file).chart();
  } catch (const Json::exception&) {  // a part that check_solution() does not insist on
    throw InputError({Diagnostic{file, 0, "the data for '" + options.what + "' is not of the expected form"}});
  }
}

}  // namespace verne
