/// What follows from the parameter of a sweep; steps over the gait cycle.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/svg_chart.h"
#include "verne/report/plot.h"

namespace verne {

struct SweepRow {
  double value = 0, duration = 0, cost = 0;  ///< NaN where there is none
  bool solved = false;
  std::vector<double> terms;  ///< of the cost
};

struct Sweep {
  std::string file, parameter;
  std::vector<SweepRow> rows;
  std::vector<std::string> terms;                                ///< of the cost
  std::optional<std::pair<std::size_t, std::size_t>> competing;  ///< of which one is had for the other
  std::vector<std::string> labels;                               ///< one for each row
  const std::vector<nlohmann::json>* solutions = nullptr;
};

/// The rows of front.json; refers to `solutions`. Throws InputError.
Sweep read_sweep(const ReportContents& contents, const std::vector<nlohmann::json>& solutions);

/// One of sweep_plot_names(). Throws InputError where no row has it.
ChartSpec sweep_chart(const Sweep& sweep, const std::string& what);

/// Curves over the gait cycle: those that are chosen, else hip, knee and ankle by angles and moments, and the ground.
std::string stride_svg(const ReportContents& contents, const std::vector<nlohmann::json>& solutions,
                       const std::vector<std::string>& labels, const PlotOptions& options);

}  // namespace verne
