/// Curves of one solution over its time.
#pragma once

#include <nlohmann/json.hpp>

#include "report/svg_chart.h"
#include "verne/report/plot.h"

namespace verne {

/// All curves of one of plot_names(), with limits and phases. Throws InputError, about `file`, when the solution has no
/// such data, or no such joint.
ChartSpec curve_chart(const nlohmann::json& solution, const PlotOptions& options, const std::string& file);

/// NaN for anything but a number.
double number_or_gap(const nlohmann::json& value);
std::vector<double> numbers(const nlohmann::json& values);

}  // namespace verne
