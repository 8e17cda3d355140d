#include "verne/report/plot.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "report/check_solution.h"
#include "report/curve_chart.h"
#include "report/sweep_chart.h"
#include "verne/base/error.h"

namespace verne {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostLines = 8;
/// Of several solutions: more lines than these are a tangle.
constexpr std::size_t kMostOfSeveral = 16;

/// Of what stands for a solution in legends.
constexpr const char* kNoJoint = "#000";

double reach_of(const ChartLine& line) {
  double most = 0;
  for (const double y : line.y) most = std::fmax(most, std::abs(y));
  return most;
}

/// More curves than there are styles cannot be told apart: those that reach farthest from zero are kept, by their
/// names in all charts.
void keep_largest(std::vector<ChartSpec>& charts, std::size_t most) {
  std::map<std::string, double> reach;
  for (const ChartSpec& chart : charts) {
    for (const ChartLine& line : chart.lines) {
      double& own = reach[line.name];
      own = std::max(own, reach_of(line));
    }
  }
  if (reach.size() <= most) return;
  std::vector<double> reaches;
  for (const auto& [name, own] : reach) reaches.push_back(own);
  std::ranges::nth_element(reaches, reaches.begin() + std::ptrdiff_t(most) - 1, std::greater<>());
  const double least = reaches[most - 1];
  for (ChartSpec& chart : charts) {
    std::erase_if(chart.lines, [&](const ChartLine& line) { return reach.at(line.name) < least; });
    if (chart.lines.size() > most) chart.lines.resize(most);  // where several reach as far
  }
}

/// Lines of one name have one colour in all charts.
void number_styles(std::vector<ChartSpec>& charts) {
  std::map<std::string, int> place;
  for (ChartSpec& chart : charts) {
    for (ChartLine& line : chart.lines) line.style = place.emplace(line.name, int(place.size())).first->second;
  }
}

ChartLine key_line(const std::string& name, int style, int dash) {
  ChartLine line;
  line.name = name, line.style = style, line.dash = dash;
  return line;
}

/// One chart of those of several solutions: colours tell joints, dashes solutions.
ChartSpec joined(std::vector<ChartSpec> charts, const std::vector<std::string>& labels) {
  ChartSpec all = charts.front();
  all.lines.clear();
  for (const ChartSpec& chart : charts) {
    if (!(chart.stretches == all.stretches)) all.stretches.clear();  // phases of other lengths
  }
  for (std::size_t i = 0; i < charts.size(); ++i) {
    for (ChartLine& line : charts[i].lines) {
      if (std::ranges::find(all.key, line.style, &ChartLine::style) == all.key.end()) {
        all.key.push_back(key_line(line.name, line.style, 0));
      }
      line.name += " · " + labels[i];
      line.dash = int(i);
      all.lines.push_back(std::move(line));
    }
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    all.key.push_back(key_line(labels[i], 0, int(i)));
    all.key.back().colour = kNoJoint;
  }
  return all;
}

/// A line for each row of a sweep, from light to dark; dashes tell joints, where there are several.
ChartSpec fan(std::vector<ChartSpec> charts, const std::vector<std::string>& labels) {
  ChartSpec all = joined(charts, labels);
  all.key.clear();
  std::size_t next = 0;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const double part = charts.size() > 1 ? double(i) / double(charts.size() - 1) : 1;
    for (std::size_t k = 0; k < charts[i].lines.size(); ++k, ++next) {
      ChartLine& line = all.lines[next];
      line.colour = shade_of(part), line.dash = line.style;
      line.bounds.clear(), line.active.clear();
      if (charts[0].lines.size() == 1) line.name = labels[i];
    }
  }
  if (charts[0].lines.size() == 1) all.y_label = charts[0].lines[0].name + ": " + all.y_label;
  return all;
}

[[noreturn]] void refuse_name(const std::string& what) {
  std::vector<std::string> names = plot_names();
  names.push_back(kStridePlot);
  names.insert(names.end(), sweep_plot_names().begin(), sweep_plot_names().end());
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  throw InputError("--what " + what + ": expected one of " + list + suggestion(what, names));
}

bool is_among(const std::string& name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

/// Curves over time: of one solution, or of several in one chart.
ChartSpec time_chart(const ReportContents& contents, const std::vector<Json>& solutions,
                     const std::vector<std::string>& labels, const PlotOptions& options) {
  const bool sweep = !contents.front.empty(), several = solutions.size() > 1, sticks = options.what == "snapshots";
  if (several && sticks) throw InputError("--what snapshots: is of one solution: name one folder");
  std::vector<ChartSpec> charts;
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    charts.push_back(curve_chart(solutions[i], options, contents.solutions[i].path));
    if (charts[i].y_label == charts[0].y_label) continue;
    throw InputError({Diagnostic{contents.solutions[i].path, 0,
                                 "has another unit than " + contents.solutions[0].path + ": " + charts[i].y_label +
                                     " in place of " + charts[0].y_label}});
  }
  const std::size_t each = std::max<std::size_t>(1, kMostOfSeveral / solutions.size());
  if (options.joints.empty() && !sticks) keep_largest(charts, sweep ? 1 : std::min(each, kMostLines));
  if (!sticks) number_styles(charts);
  return sweep ? fan(charts, labels) : several ? joined(charts, labels) : std::move(charts[0]);
}

}  // namespace

const std::vector<std::string>& plot_names() {
  static const std::vector<std::string> names{"positions",    "velocities",    "accelerations",    "torques",
                                              "joint_forces", "joint_moments", "ground_reactions", "energy",
                                              "power",        "snapshots"};
  return names;
}

std::string plot_svg(const SolutionFile& solution, const PlotOptions& options) {
  return plot_svg(ReportContents{{solution}, "", ""}, options);
}

std::string plot_svg(const ReportContents& contents, const PlotOptions& asked) {
  const bool is_sweep = !contents.front.empty();
  PlotOptions options = asked;
  std::vector<Json> solutions;
  std::vector<std::string> labels;
  for (const SolutionFile& file : contents.solutions) {
    solutions.push_back(parse_json(file.text, file.path));
    labels.push_back(file.label);
  }
  std::optional<Sweep> sweep;
  if (is_sweep) sweep = read_sweep(contents, solutions), labels = sweep->labels;
  if (options.what.empty()) options.what = !sweep ? "torques" : sweep->competing ? "front" : "cost";
  const bool of_sweep = is_among(options.what, sweep_plot_names()), stride = options.what == kStridePlot;
  if (!of_sweep && !stride && !is_among(options.what, plot_names())) refuse_name(options.what);
  if (of_sweep && !sweep) throw InputError("--what " + options.what + ": is of a sweep, a folder with front.json");
  if (options.measured && !stride) throw InputError("--compare: is for --what stride");
  if (stride) return stride_svg(contents, solutions, labels, options);
  ChartSpec chart = of_sweep ? sweep_chart(*sweep, options.what) : time_chart(contents, solutions, labels, options);
  if (options.width_mm > 0) chart.width_mm = options.width_mm;
  if (options.height_mm > 0) chart.height_mm = options.height_mm;
  return svg_chart(chart);
}

}  // namespace verne
