/// Figures of solutions as vector graphics for papers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/report/measured.h"
#include "verne/report/report.h"

namespace verne {

/// What is plotted, and how large.
struct PlotOptions {
  std::string what;                        ///< a name of one of the lists below; "": torques, of sweeps the cost
  std::vector<std::string> joints;         ///< only these (of strides: curves); empty: all
  double width_mm = 0, height_mm = 0;      ///< of the whole drawing; 0: 120 x 75, of nine plots 180 x 160
  std::optional<MeasuredCurves> measured;  ///< in grey behind strides
};

/// What can be plotted over time, in the order of the documentation.
VERNE_API const std::vector<std::string>& plot_names();
/// What can be plotted of a sweep besides, over its parameter or, the Pareto front, over each other.
VERNE_API const std::vector<std::string>& sweep_plot_names();
/// What can be plotted over the gait cycle.
inline constexpr const char* kStridePlot = "stride";

/// An SVG drawing of one solution. Throws InputError when the solution has no such data, or no such joint.
VERNE_API std::string plot_svg(const SolutionFile& solution, const PlotOptions& options);
/// The same of one, of several in one plot, or of a sweep.
VERNE_API std::string plot_svg(const ReportContents& contents, const PlotOptions& options);

}  // namespace verne
