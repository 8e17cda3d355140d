/// Figures of a solution as vector graphics for papers.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/report/report.h"

namespace verne {

/// What is plotted, and how large.
struct PlotOptions {
  std::string what = "torques";           ///< one of plot_names()
  std::vector<std::string> joints;        ///< only these; empty: all
  double width_mm = 120, height_mm = 75;  ///< of the whole drawing
};

/// What can be plotted, in the order of the documentation.
VERNE_API const std::vector<std::string>& plot_names();

/// An SVG drawing. Throws InputError when the solution has no such data, or no such joint.
VERNE_API std::string plot_svg(const SolutionFile& solution, const PlotOptions& options);

}  // namespace verne
