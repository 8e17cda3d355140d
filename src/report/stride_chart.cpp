#include <algorithm>
#include <array>
#include <cmath>

#include "report/check_solution.h"
#include "report/curve_chart.h"
#include "report/sweep_chart.h"
#include "verne/base/error.h"

namespace verne {

namespace {

using Json = nlohmann::json;

/// One plot: curves of the right, whose left ones have another letter.
struct StridePlot {
  std::string curve, title;
};
/// As the page has them (web/src/plots/stride.ts).
const std::array<StridePlot, 9> kNine{{
    {"hip_flexion_r_deg", "hip flexion (deg)"},
    {"knee_angle_r_deg", "knee flexion (deg)"},
    {"ankle_angle_r_deg", "ankle dorsiflexion (deg)"},
    {"moment_hip_flexion_r_Nm_per_kg", "hip moment (N·m/kg)"},
    {"moment_knee_angle_r_Nm_per_kg", "knee moment (N·m/kg)"},
    {"moment_ankle_angle_r_Nm_per_kg", "ankle moment (N·m/kg)"},
    {"grf_vertical_r_BW", "vertical force (BW)"},
    {"grf_fore_aft_r_BW", "force along the way (BW)"},
    {"grf_lateral_r_BW", "force outwards (BW)"},
}};
constexpr double kWide = 180, kHigh = 160;  // mm, of nine

std::string left_of(std::string name) {
  const std::size_t side = name.rfind("_r_");
  if (side != std::string::npos) name[side + 1] = 'l';
  return name;
}

const Json* curve_of(const Json& solution, const std::string& name) {
  const auto stride = solution.find("stride");
  if (stride == solution.end()) return nullptr;
  for (const Json& curve : stride->at("curves")) {
    if (curve.at("name") == name) return &curve;
  }
  return nullptr;
}

ChartBand band_of(const MeasuredCurves& measured, const MeasuredCurve& curve) {
  ChartBand band{measured.percent, curve.mean, curve.mean};
  for (std::size_t k = 0; k < curve.sd.size(); ++k) band.low[k] -= curve.sd[k], band.high[k] += curve.sd[k];
  return band;
}

/// One side of a plot, in all solutions.
void add_curves(ChartSpec& chart, const std::vector<Json>& solutions, const std::vector<std::string>& labels,
                const std::string& name, const std::string& word, int style) {
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    const Json* const curve = curve_of(solutions[i], name);
    if (!curve) continue;
    ChartLine line;
    line.name = solutions.size() > 1 ? labels[i] + (word.empty() ? "" : ", " + word)
                : word.empty()       ? "predicted"
                                     : word;
    line.x = numbers(solutions[i].at("stride").at("percent")), line.y = numbers(curve->at("values"));
    line.style = style, line.dash = int(i);
    chart.lines.push_back(std::move(line));
  }
}

ChartSpec chart_of(const StridePlot& plot, const std::vector<Json>& solutions, const std::vector<std::string>& labels,
                   const std::optional<MeasuredCurves>& measured, bool sides) {
  ChartSpec chart;
  chart.x_label = "gait cycle (%)", chart.y_label = plot.title;
  const std::string left = left_of(plot.curve);
  for (const MeasuredCurve& curve : measured ? measured->curves : std::vector<MeasuredCurve>{}) {
    if (curve.of != plot.curve) continue;
    if (!curve.sd.empty()) chart.bands.push_back(band_of(*measured, curve));
    ChartLine line;
    line.name = curve.sd.empty() ? "measured" : "measured, ± standard deviation";
    line.colour = "#777", line.x = measured->percent, line.y = curve.mean;
    chart.lines.push_back(std::move(line));
  }
  add_curves(chart, solutions, labels, plot.curve, sides ? "right" : "", 0);
  if (left != plot.curve) add_curves(chart, solutions, labels, left, "left", 1);
  return chart;
}

/// The curves that the user names, each a plot, or the nine.
std::vector<StridePlot> plots_of(const std::vector<Json>& solutions, const PlotOptions& options) {
  std::vector<std::string> known;
  std::vector<StridePlot> plots;
  for (const Json& curve : solutions[0].at("stride").at("curves")) known.push_back(curve.at("name"));
  const auto is_known = [&](const std::string& name) { return std::ranges::find(known, name) != known.end(); };
  for (const StridePlot& plot : kNine) {
    if (options.joints.empty() && is_known(plot.curve)) plots.push_back(plot);
  }
  for (const std::string& name : options.joints) {
    if (!is_known(name)) throw InputError("--joints: a stride has no curve '" + name + "'" + suggestion(name, known));
    const auto own = std::ranges::find(kNine, name, &StridePlot::curve);
    plots.push_back(own != kNine.end() ? *own : StridePlot{name, name});
  }
  if (plots.empty()) {  // of no human: what there is
    for (const std::string& name : known) plots.push_back({name, name});
  }
  return plots;
}

}  // namespace

std::string stride_svg(const ReportContents& contents, const std::vector<Json>& solutions,
                       const std::vector<std::string>& labels, const PlotOptions& options) {
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    if (solutions[i].contains("stride")) continue;
    throw InputError({Diagnostic{contents.solutions[i].path, 0, "has no stride: only solved steps have one"}});
  }
  const std::vector<StridePlot> plots = plots_of(solutions, options);
  const bool sides = std::ranges::any_of(plots, [&](const StridePlot& plot) {
    return plot.curve != left_of(plot.curve) && curve_of(solutions[0], left_of(plot.curve)) != nullptr;
  });
  std::vector<ChartSpec> charts;
  for (const StridePlot& plot : plots) charts.push_back(chart_of(plot, solutions, labels, options.measured, sides));
  const bool one = charts.size() == 1;
  if (one) {
    if (options.width_mm > 0) charts[0].width_mm = options.width_mm;
    if (options.height_mm > 0) charts[0].height_mm = options.height_mm;
    return svg_chart(charts[0]);
  }
  const int columns = std::min<int>(3, int(charts.size())), rows = (int(charts.size()) + columns - 1) / columns;
  return svg_charts(std::move(charts), columns, options.width_mm > 0 ? options.width_mm : kWide,
                    options.height_mm > 0 ? options.height_mm : kHigh * rows / 3);
}

}  // namespace verne
