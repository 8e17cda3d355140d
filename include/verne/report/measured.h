/// Curves that were measured over the gait cycle, beside those of predicted strides. docs/gait.md has the file format.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/report/report.h"

namespace verne {

/// One quantity of a file: its mean over people or strides and, where the file has it, the standard deviation.
struct MeasuredCurve {
  std::string name;              ///< of its column
  std::string of;                ///< the curve of a stride that it measures, as `hip_flexion_r_deg`
  std::vector<double> mean, sd;  ///< one for each percent of the file
};
/// All curves of a file.
struct MeasuredCurves {
  std::string file;                   ///< its name, for people
  std::vector<double> percent;        ///< grows
  std::vector<MeasuredCurve> curves;  ///< one for each column that measures a curve
};

/// Reads a CSV file; columns that are no curves of strides are passed over. Throws InputError.
VERNE_API MeasuredCurves read_measured(const std::string& path);

/// How like a predicted curve is to a measured one.
struct Likeness {
  std::string name, of, unit;  ///< of the column; the curve that it measures; of both
  double r = 0;                ///< coefficient of correlation; NaN where one of both is constant
  double rmse = 0;             ///< root of the mean square of the difference
  double rmse_offset = 0;      ///< the same after the means are taken off
};
/// One for each measured curve that the solution's stride has; where that has no left side, both being alike, what was
/// measured on the left is compared with the right. Throws InputError when it has no stride, or none of these curves.
VERNE_API std::vector<Likeness> likeness(const SolutionFile& solution, const MeasuredCurves& measured);

/// Throws InputError when none of these curves of a stride was measured.
VERNE_API void require_some_of(const std::vector<std::string>& curves, const MeasuredCurves& measured);

/// For people: a line for each.
VERNE_API std::string likeness_text(const std::vector<Likeness>& all, const MeasuredCurves& measured);
/// For the page: the curves, and the likeness of each solution that has a stride (an empty list for others).
VERNE_API std::string measured_json(const ReportContents& contents, const MeasuredCurves& measured);

}  // namespace verne
