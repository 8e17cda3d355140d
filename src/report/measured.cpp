#include "verne/report/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "io/csv.h"
#include "io/number.h"
#include "report/check_solution.h"
#include "verne/base/error.h"
#include "verne/io/file.h"
#include "verne/io/json_writer.h"

namespace verne {

namespace {

constexpr std::array kPercentNames{"gait_cycle_percent", "percent"};
/// Endings of columns and of files, and what values are multiplied by; nothing: in no unit of a stride.
struct MeasuredUnit {
  const char *ending, *of_curve;
  double factor;
};
constexpr std::array kUnits{MeasuredUnit{"_deg", "_deg", 1}, MeasuredUnit{"_percentBW", "_BW", 0.01},
                            MeasuredUnit{"_BW", "_BW", 1}, MeasuredUnit{"_Nm_per_kg", "_Nm_per_kg", 1},
                            MeasuredUnit{"_Nm", "", 0}};
constexpr double kConstant = 1e-12;  // of the square of what a curve varies by

[[noreturn]] void refuse_measured(const std::string& file, int line, const std::string& why) {
  throw InputError({Diagnostic{file, line, why}});
}

bool strip(std::string& name, std::string_view ending) {
  if (!name.ends_with(ending)) return false;
  name.resize(name.size() - ending.size());
  return true;
}

/// Takes the unit off a name; nothing where it has none.
const MeasuredUnit* take_unit(std::string& name) {
  for (const MeasuredUnit& known : kUnits) {
    if (strip(name, known.ending)) return &known;
  }
  return nullptr;
}

/// The curve of a stride that a column measures, in this unit and on the right where it does not say its side. Where
/// the file's name says what is measured, those of its columns do not.
std::string curve_of(std::string column, const std::string& unit) {
  if (unit == "_Nm_per_kg" && !column.starts_with("moment_")) column = "moment_" + column;
  if (unit == "_BW" && !column.starts_with("grf_") && !column.starts_with("joint_force_")) column = "grf_" + column;
  const bool trunk = column.starts_with("pelvis_") || column.find("lumbar_") != std::string::npos ||
                     column.find("L5S1") != std::string::npos;
  if (!trunk && !column.ends_with("_r") && !column.ends_with("_l")) column += "_r";
  return column + unit;
}

/// Knees do not bend forward in walking: where they do on average, bent is negative in these data.
bool bends_backward(const MeasuredCurve& curve) {
  if (curve.of != "knee_angle_r_deg" && curve.of != "knee_angle_l_deg") return false;
  double sum = 0;
  for (const double value : curve.mean) sum += std::isnan(value) ? 0 : value;
  return sum < 0;
}

/// The one of these curves that a measured curve is compared with: of its side or, where a stride has none of the left,
/// as both are alike, of the right one. Empty: of neither.
template <class Curves>
std::string counterpart(const std::string& of, const Curves& curves) {
  if (curves.contains(of)) return of;
  const std::size_t left = of.rfind("_l_");
  if (left == std::string::npos) return "";
  const std::string right = of.substr(0, left) + "_r_" + of.substr(left + 3);
  return curves.contains(right) ? right : "";
}

[[noreturn]] void refuse_as_unknown(const MeasuredCurves& measured) {
  refuse_measured(measured.file, 1, "no column measures a curve of the stride: expected names as hip_flexion_r_deg");
}

bool is_percent(const std::string& name) {
  return std::find(kPercentNames.begin(), kPercentNames.end(), name) != kPercentNames.end();
}

/// Names of the columns, and one number per row and column; nothing where a cell is empty.
struct NumberTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
};

NumberTable read_numbers(const std::string& text, const std::string& file) {
  CsvReader reader(text, file);
  NumberTable table{csv_header(reader, file), {}};
  if (std::none_of(table.names.begin(), table.names.end(), is_percent)) {
    refuse_measured(file, 1,
                    "expected a column gait_cycle_percent, and others as hip_flexion_r_deg or knee_angle_r_mean");
  }
  table.columns.resize(table.names.size());
  for (std::vector<std::string> cells; reader.next(cells);) {
    if (cells.size() != table.names.size()) {
      refuse_measured(
          file, reader.line(),
          fmt::format("expected {} numbers, as in the first line, found {}", table.names.size(), cells.size()));
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::optional<double> value = cells[k].empty() ? std::nan("") : parse_number(cells[k]);
      if (!value) {
        refuse_measured(file, reader.line(),
                        fmt::format("{}: {} is not a number", in_quotes(table.names[k]), in_quotes(cells[k])));
      }
      table.columns[k].push_back(*value);
    }
  }
  return table;
}

void check_percents(const std::vector<double>& percent, const std::string& file) {
  if (percent.size() < 2) refuse_measured(file, 0, "expected two lines of numbers or more");
  for (std::size_t n = 0; n < percent.size(); ++n) {
    if (percent[n] >= 0 && percent[n] <= 100 && (n == 0 || percent[n] > percent[n - 1])) continue;
    refuse_measured(
        file, 0,
        fmt::format("percent: expected numbers from 0 to 100 that grow, found {} in row {}", percent[n], n + 1));
  }
}

struct PredictedCurve {
  std::string unit;
  std::vector<double> values;
};
struct PredictedStride {
  std::vector<double> percent;
  std::map<std::string, PredictedCurve> curves;
};

std::vector<double> numbers_of(const nlohmann::json& list) {
  std::vector<double> values;
  for (const nlohmann::json& value : list) values.push_back(value.is_number() ? value.get<double>() : std::nan(""));
  return values;
}

/// Nothing where the solution has none.
std::optional<PredictedStride> stride_of(const SolutionFile& file) {
  const nlohmann::json solution = parse_json(file.text, file.path);
  const auto stride = solution.find("stride");
  if (stride == solution.end()) return std::nullopt;
  PredictedStride out{numbers_of(stride->at("percent")), {}};
  for (const nlohmann::json& curve : stride->at("curves")) {
    out.curves[curve.at("name").get<std::string>()] = {curve.at("unit").get<std::string>(),
                                                       numbers_of(curve.at("values"))};
  }
  return out;
}

/// Linear between the rows of a table.
double at_percent(const std::vector<double>& percent, const std::vector<double>& values, double at) {
  const auto after = std::upper_bound(percent.begin(), percent.end(), at);
  if (after == percent.begin()) return values.front();
  if (after == percent.end()) return values.back();
  const auto k = static_cast<std::size_t>(after - percent.begin());
  const double part = (at - percent[k - 1]) / (percent[k] - percent[k - 1]);
  return (1 - part) * values[k - 1] + part * values[k];
}

Likeness compared(const MeasuredCurve& curve, const std::string& of, const std::vector<double>& percent,
                  const PredictedStride& stride) {
  const PredictedCurve& predicted = stride.curves.at(of);
  std::vector<double> x, y;
  for (std::size_t k = 0; k < percent.size(); ++k) {
    const double value = at_percent(stride.percent, predicted.values, percent[k]);
    if (std::isnan(value) || std::isnan(curve.mean[k])) continue;
    x.push_back(value), y.push_back(curve.mean[k]);
  }
  const auto count = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0, square = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mean_x += x[k] / count, mean_y += y[k] / count;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double dx = x[k] - mean_x, dy = y[k] - mean_y;
    xx += dx * dx, yy += dy * dy, xy += dx * dy;
    square += (x[k] - y[k]) * (x[k] - y[k]);
  }
  const bool varies = xx > kConstant * count && yy > kConstant * count;
  return {curve.name,
          of,
          predicted.unit,
          varies ? xy / std::sqrt(xx * yy) : std::nan(""),
          std::sqrt(square / count),
          std::sqrt(std::max(0.0, xx + yy - 2 * xy) / count)};
}

std::vector<Likeness> compared(const PredictedStride& stride, const MeasuredCurves& measured) {
  std::vector<Likeness> all;
  for (const MeasuredCurve& curve : measured.curves) {
    const std::string of = counterpart(curve.of, stride.curves);
    if (!of.empty()) all.push_back(compared(curve, of, measured.percent, stride));
  }
  return all;
}

}  // namespace

MeasuredCurves read_measured(const std::string& path) {
  const NumberTable table = read_numbers(read_text_file(path), path);
  const auto percent = std::find_if(table.names.begin(), table.names.end(), is_percent) - table.names.begin();
  check_percents(table.columns[percent], path);
  MeasuredCurves measured{std::filesystem::path(path).filename().string(), table.columns[percent], {}};
  std::string stem = std::filesystem::path(path).stem().string();
  const MeasuredUnit* const of_file = take_unit(stem);
  std::set<std::string> names;
  for (std::size_t k = 0; k < table.names.size(); ++k) {
    std::string name = table.names[k];
    if (name.ends_with("_sd") || is_percent(name)) continue;
    strip(name, "_mean");
    if (!names.insert(name).second) refuse_measured(path, 1, "there are two columns of " + in_quotes(name));
    const auto sd = std::find(table.names.begin(), table.names.end(), name + "_sd");
    std::string bare = name;
    const MeasuredUnit* unit = take_unit(bare);
    if (!unit) unit = of_file ? of_file : &kUnits.front();
    if (unit->factor == 0) {
      refuse_measured(path, 1,
                      fmt::format("{}: moments in N m depend on the person's mass: divide them by it, and write "
                                  "Nm_per_kg for Nm in the name of the {}",
                                  in_quotes(name), bare == name ? "file" : "column"));
    }
    MeasuredCurve curve{name, curve_of(bare, unit->of_curve), table.columns[k], {}};
    if (sd != table.names.end()) curve.sd = table.columns[sd - table.names.begin()];
    const bool turned = bends_backward(curve);
    if (turned) curve.name += ", turned";
    for (double& value : curve.mean) value *= turned ? -unit->factor : unit->factor;
    for (double& value : curve.sd) value *= unit->factor;
    measured.curves.push_back(std::move(curve));
  }
  return measured;
}

std::vector<Likeness> likeness(const SolutionFile& solution, const MeasuredCurves& measured) {
  const std::optional<PredictedStride> stride = stride_of(solution);
  if (!stride) {
    refuse_measured(solution.path, 0,
                    "has no stride to compare: only solved motions do that walk and end as they began, or mirrored");
  }
  std::vector<Likeness> all = compared(*stride, measured);
  if (all.empty()) refuse_as_unknown(measured);
  return all;
}

void require_some_of(const std::vector<std::string>& curves, const MeasuredCurves& measured) {
  const std::set<std::string> known(curves.begin(), curves.end());
  const auto is_known = [&](const MeasuredCurve& curve) { return !counterpart(curve.of, known).empty(); };
  if (std::none_of(measured.curves.begin(), measured.curves.end(), is_known)) refuse_as_unknown(measured);
}

std::string likeness_text(const std::vector<Likeness>& all, const MeasuredCurves& measured) {
  std::string out =
      fmt::format("compared with {:<26}{:>7}{:>10}{:>16}\n", measured.file, "r", "RMSE", "without offset");
  for (const Likeness& one : all) {
    out +=
        fmt::format("  {:<38}{:>7.3f}{:>10.3g}{:>16.3g}  {}\n", one.name, one.r, one.rmse, one.rmse_offset, one.unit);
  }
  return out;
}

std::string measured_json(const ReportContents& contents, const MeasuredCurves& measured) {
  std::vector<std::optional<PredictedStride>> strides;
  std::set<std::string> known;
  for (const SolutionFile& solution : contents.solutions) {
    strides.push_back(stride_of(solution));
    if (!strides.back()) continue;
    for (const auto& [name, curve] : strides.back()->curves) known.insert(name);
  }
  JsonWriter json;
  json.begin_object();
  json.key("file").value(measured.file);
  json.key("percent").values(measured.percent);
  json.key("curves").begin_array();
  for (const MeasuredCurve& curve : measured.curves) {
    json.begin_object();
    json.key("name").value(curve.name);
    json.key("of").value(counterpart(curve.of, known));
    json.key("mean").values(curve.mean);
    if (!curve.sd.empty()) json.key("sd").values(curve.sd);
    json.end_object();
  }
  json.end_array();
  json.key("likeness").begin_array();
  for (const std::optional<PredictedStride>& stride : strides) {
    json.begin_array();
    for (const Likeness& one : stride ? compared(*stride, measured) : std::vector<Likeness>{}) {
      json.begin_object();
      json.key("name").value(one.name);
      json.key("of").value(one.of);
      json.key("unit").value(one.unit);
      json.key("r").value(one.r);
      json.key("rmse").value(one.rmse);
      json.key("rmse_offset").value(one.rmse_offset);
      json.end_object();
    }
    json.end_array();
  }
  json.end_array().end_object();
  return json.text();
}

}  // namespace verne
