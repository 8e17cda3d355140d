#include "report/sweep_chart.h"

#include <fmt/core.h>

#include <cmath>
#include <functional>
#include <map>

#include "report/check_solution.h"
#include "report/curve_chart.h"
#include "verne/base/error.h"

namespace verne {

namespace {

using Json = nlohmann::json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

SweepRow row_of(const Json& entry, std::vector<std::string>& terms) {
  SweepRow row;
  row.value = number_or_gap(entry.value("value", Json())), row.cost = number_or_gap(entry.value("cost", Json()));
  row.duration = number_or_gap(entry.value("duration", Json()));
  const Json status = entry.value("status", Json());
  row.solved = status == "solved" || status == "acceptable";
  for (const Json& cost : entry.value("costs", Json::array())) {
    const std::string term = cost.at("term");
    const auto place = static_cast<std::size_t>(std::ranges::find(terms, term) - terms.begin());
    if (place == terms.size()) terms.push_back(term);
    row.terms.resize(std::max(row.terms.size(), place + 1), kNone);
    row.terms[place] = number_or_gap(cost.value("value", Json()));
  }
  return row;
}

/// Whether weights of the cost differ between rows.
bool weights_change(const Json& rows) {
  const auto weights = [](const Json& row) {
    std::vector<Json> all;
    for (const Json& cost : row.value("costs", Json::array())) all.push_back(cost.value("weight", Json()));
    return all;
  };
  return std::ranges::any_of(rows, [&](const Json& row) { return weights(row) != weights(rows[0]); });
}

double term(const SweepRow& row, std::size_t k) {
  return k < row.terms.size() ? row.terms[k] : kNone;
}

/// Whether there are two rows of which one has less of a, and the other less of b.
bool trade(const Sweep& sweep, std::size_t a, std::size_t b) {
  for (const SweepRow& one : sweep.rows) {
    for (const SweepRow& other : sweep.rows) {
      if (term(one, a) < term(other, a) && term(one, b) > term(other, b)) return true;
    }
  }
  return false;
}

/// Of cost terms that have one whatever the joints are; others add up torques and forces, or their squares.
std::string unit_of(const std::string& cost) {
  static const std::map<std::string, std::string> units{{"time", "s"}, {"energy", "J"}, {"joint_force", "N²·s"}};
  const auto found = units.find(cost);
  return found == units.end() ? "SI units" : found->second;
}

/// The largest size in the columns that are wanted.
double peak(const Json& rows, const std::function<bool(std::size_t)>& wanted) {
  double most = kNone;
  for (const Json& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (wanted(i)) most = std::fmax(most, std::abs(number_or_gap(row[i])));
    }
  }
  return most;
}

double peak_effort(const Json& solution, const char* unit) {
  const Json coordinates = solution.value("coordinates", Json::array());
  return peak(solution.value("tau", Json::array()),
              [&](std::size_t i) { return i < coordinates.size() && coordinates[i].value("effort_unit", "") == unit; });
}

double peak_joint_force(const Json& solution) {
  double most = kNone;
  for (const char* const key : {"joint_wrenches", "loop_wrenches"}) {
    const Json all = solution.value(key, Json::object());
    for (const Json& rows : all) {
      for (const Json& row : rows) {
        most =
            std::fmax(most, std::hypot(number_or_gap(row.at(0)), number_or_gap(row.at(1)), number_or_gap(row.at(2))));
      }
    }
  }
  return most;
}

/// ∫ |P| dt of the actuators, by the rule of trapezoids.
double work(const Json& solution) {
  const std::vector<double> time = numbers(solution.at("time")),
                            power = numbers(solution.value("energy", Json::object()).value("power", Json::array()));
  if (power.size() != time.size()) return kNone;
  double sum = 0;
  for (std::size_t k = 1; k < time.size(); ++k) {
    sum += 0.5 * (std::abs(power[k]) + std::abs(power[k - 1])) * (time[k] - time[k - 1]);
  }
  return sum;
}

double largest_use(const Json& solution) {
  double most = kNone;
  for (const Json& limit : solution.value("limits", Json::array())) {
    most = std::fmax(most, 100 * number_or_gap(limit.value("utilisation", Json())));
  }
  return most;
}

/// What is drawn over the parameter.
struct Result {
  const char *name, *title;
  double (*of)(const SweepRow& row, const Json& solution);
};
constexpr Result kResults[] = {
    {"cost", "cost", [](const SweepRow& row, const Json&) { return row.cost; }},
    {"duration", "duration (s)", [](const SweepRow& row, const Json&) { return row.duration; }},
    {"largest_torque", "largest torque (N·m)",
     [](const SweepRow&, const Json& solution) { return peak_effort(solution, "N·m"); }},
    {"largest_force", "largest force (N)",
     [](const SweepRow&, const Json& solution) { return peak_effort(solution, "N"); }},
    {"largest_joint_force", "largest internal joint force (N)",
     [](const SweepRow&, const Json& solution) { return peak_joint_force(solution); }},
    {"work", "work of the actuators, ∫|P| (J)", [](const SweepRow&, const Json& solution) { return work(solution); }},
    {"largest_use", "most used limit (%)", [](const SweepRow&, const Json& solution) { return largest_use(solution); }},
};

/// Points with a line through those that were solved.
void add_points(ChartSpec& chart, const std::string& name, const Sweep& sweep,
                const std::function<double(std::size_t)>& x, const std::function<double(std::size_t)>& y) {
  ChartLine line, failed;
  for (std::size_t i = 0; i < sweep.rows.size(); ++i) {
    ChartLine& own = sweep.rows[i].solved ? line : failed;
    own.x.push_back(x(i)), own.y.push_back(y(i));
  }
  line.name = name, line.style = int(chart.lines.size()), line.dash = 0, line.joints = true;
  failed.name = "not solved", failed.colour = "#999", failed.joints = true, failed.lone = true;
  chart.lines.push_back(line);
  if (!failed.x.empty()) chart.lines.push_back(failed);
}

bool has_numbers(const ChartSpec& chart) {
  return std::ranges::any_of(chart.lines, [](const ChartLine& line) {
    for (std::size_t k = 0; k < line.x.size(); ++k) {
      if (std::isfinite(line.x[k]) && std::isfinite(line.y[k])) return true;
    }
    return false;
  });
}

}  // namespace

const std::vector<std::string>& sweep_plot_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"front", "costs"};
    for (const Result& result : kResults) all.push_back(result.name);
    return all;
  }();
  return names;
}

Sweep read_sweep(const ReportContents& contents, const std::vector<Json>& solutions) {
  Sweep sweep;
  sweep.file = "front.json", sweep.solutions = &solutions;
  const Json front = parse_json(contents.front, sweep.file);
  try {
    sweep.parameter = front.value("parameter", "parameter");
    for (const Json& row : front.at("rows")) sweep.rows.push_back(row_of(row, sweep.terms));
    for (const SweepRow& row : sweep.rows)
      sweep.labels.push_back(fmt::format("{} = {:.4g}", sweep.parameter, row.value));
    if (!weights_change(front.at("rows"))) return sweep;
  } catch (const Json::exception&) {
    throw InputError({Diagnostic{sweep.file, 0, "rows are not of the expected form"}});
  }
  for (std::size_t a = 0; a < sweep.terms.size() && !sweep.competing; ++a) {
    for (std::size_t b = a + 1; b < sweep.terms.size() && !sweep.competing; ++b) {
      if (trade(sweep, a, b)) sweep.competing = {a, b};
    }
  }
  return sweep;
}

ChartSpec sweep_chart(const Sweep& sweep, const std::string& what) {
  ChartSpec chart;
  chart.x_label = sweep.parameter;
  const auto value = [&](std::size_t i) { return sweep.rows[i].value; };
  const auto of_term = [&](std::size_t k) { return [&sweep, k](std::size_t i) { return term(sweep.rows[i], k); }; };
  if (what == "front") {
    if (!sweep.competing) {
      throw InputError("--what front: no two terms of the cost are had for each other in this sweep; take cost");
    }
    const auto [a, b] = *sweep.competing;
    chart.x_label = fmt::format("{} ({})", sweep.terms[a], unit_of(sweep.terms[a]));
    chart.y_label = fmt::format("{} ({})", sweep.terms[b], unit_of(sweep.terms[b]));
    add_points(chart, "", sweep, of_term(a), of_term(b));
  } else if (what == "costs") {
    chart.y_label = "terms of the cost";
    for (std::size_t k = 0; k < sweep.terms.size(); ++k) {
      add_points(chart, fmt::format("{} ({})", sweep.terms[k], unit_of(sweep.terms[k])), sweep, value, of_term(k));
    }
  } else {
    const auto found = std::ranges::find(kResults, what, [](const Result& result) { return result.name; });
    chart.y_label = found->title;
    add_points(chart, "", sweep, value,
               [&](std::size_t i) { return found->of(sweep.rows[i], sweep.solutions->at(i)); });
  }
  if (!has_numbers(chart)) throw InputError({Diagnostic{sweep.file, 0, "the sweep has no data for '" + what + "'"}});
  return chart;
}

}  // namespace verne
