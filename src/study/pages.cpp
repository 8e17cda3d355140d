#include "study/pages.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "study/tables.h"
#include "verne/base/error.h"
#include "verne/io/file.h"
#include "verne/io/json_writer.h"
#include "verne/report/report.h"

namespace verne {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPageRows = 20000;  // on a page, which has to open quickly
constexpr std::size_t kMostReports = 100;

/// Statuses in alphabetical order, with how often there was no success, and the first such point.
struct Failure {
  int count = 0;
  std::size_t point = 0;
};
using Failures = std::map<std::string, Failure>;

Failures failures_of(const StudyOutcome& outcome) {
  Failures failures;
  for (std::size_t k = 0; k < outcome.rows.size(); ++k) {
    const StudyRow& row = outcome.rows[k];
    if (!row.done) continue;
    Failure& of = failures[row.result.status];
    if (row.result.success) continue;
    if (of.count++ == 0) of.point = k;
  }
  return failures;
}

void append_names(JsonWriter& json, const char* key, const std::vector<std::string>& names) {
  json.key(key).begin_array();
  for (const std::string& name : names) json.value(name);
  json.end_array();
}

/// `most` of the points that are done, evenly.
std::vector<std::size_t> spread_points(const StudyOutcome& outcome, std::size_t most, bool with_curves) {
  std::vector<std::size_t> done, chosen;
  for (std::size_t k = 0; k < outcome.rows.size(); ++k) {
    if (outcome.rows[k].done && (!with_curves || !outcome.rows[k].result.curves.empty())) done.push_back(k);
  }
  const std::size_t count = std::min(done.size(), most);
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(done[i * done.size() / count]);
  return chosen;
}

/// Values to four digits: enough to draw.
double rounded(float value) {
  char digits[16];
  std::snprintf(digits, sizeof(digits), "%.4g", static_cast<double>(value));
  return std::strtod(digits, nullptr);
}

/// All curves, or as many as a page bears.
void append_curves(JsonWriter& json, const Study& study, const StudyOutcome& outcome) {
  constexpr std::size_t kMostNumbers = 400000;
  const std::vector<StudyCurve>& curves = study.work->curves();
  json.key("curves").begin_array();
  const std::size_t most = curves.empty() ? 0 : kMostNumbers / (kCurveValues * curves.size());
  const std::vector<std::size_t> points = spread_points(outcome, std::max<std::size_t>(most, 20), true);
  for (std::size_t c = 0; c < curves.size() && !points.empty(); ++c) {
    json.begin_object().key("name").value(curves[c].name).key("unit").value(curves[c].unit);
    json.key("lines").begin_array();
    for (const std::size_t point : points) {
      std::vector<double> line{static_cast<double>(point)};
      const float* const first = outcome.rows[point].result.curves.data() + c * kCurveValues;
      std::transform(first, first + kCurveValues, std::back_inserter(line), rounded);
      json.values(line);
    }
    json.end_array().end_object();
  }
  json.end_array();
}

/// Every point, or as many as a page bears, evenly.
void append_rows(JsonWriter& json, const Study& study, const StudyOutcome& outcome, const Failures& statuses) {
  json.key("rows").begin_array();
  for (const std::size_t k : spread_points(outcome, kMostPageRows, false)) {
    const StudyRow& row = outcome.rows[k];
    const auto status = std::distance(statuses.begin(), statuses.find(row.result.status));
    std::vector<double> entries{static_cast<double>(k), row.result.success ? 1.0 : 0.0, static_cast<double>(status)};
    const auto values = study.points.point(static_cast<int>(k));
    entries.insert(entries.end(), values.begin(), values.end());
    entries.insert(entries.end(), row.result.results.begin(), row.result.results.end());
    json.values(entries);
  }
  json.end_array();
}

void append_failures(JsonWriter& json, const StudyOutcome& outcome, const Failures& failures) {
  json.key("failures").begin_array();
  for (const auto& [status, of] : failures) {
    if (of.count == 0) continue;
    json.begin_object().key("status").value(status).key("count").value(of.count);
    json.key("point").value(static_cast<int>(of.point));
    json.key("reason").value(outcome.rows[of.point].result.reason).end_object();
  }
  json.end_array();
}

void append_sensitivity(JsonWriter& json, const Study& study, const StudyOutcome& outcome) {
  json.key("sensitivity");
  const std::vector<SensitivityRow> rows = sensitivity_rows(study, outcome);
  if (rows.empty()) {
    json.null();
    return;
  }
  json.begin_object();
  append_names(json, "columns", sensitivity_columns(study));
  json.key("rows").begin_array();
  for (const SensitivityRow& row : rows) {
    json.begin_object().key("result").value(row.result).key("parameter").value(row.parameter);
    json.key("values").values(row.values).end_object();
  }
  json.end_array().end_object();
}

}  // namespace

void write_study_page(const Study& study, const StudyOutcome& outcome, const KeptSolutions& kept,
                      const std::string& folder, const StudyOptions& options, bool running, double remaining) {
  if (!options.pages || !has_page()) return;
  const Failures failures = failures_of(outcome);
  int done = 0, solved = 0;
  for (const StudyRow& row : outcome.rows) done += row.done, solved += row.done && row.result.success;
  std::string sample = to_string(study.spec.sample.kind);
  if (outcome.best) sample += ", best: point " + std::to_string(*outcome.best);
  JsonWriter json;
  json.begin_object().key("kind").value("study").key("program").value(options.program);
  json.key("name").value(study.spec.name).key("sample").value(sample);
  json.key("points").value(study.points.count()).key("done").value(done).key("solved").value(solved);
  json.key("running").value(running).key("remaining");
  running&& remaining >= 0 ? json.value(remaining) : json.null();
  std::vector<std::string> names;
  for (const ParameterRange& range : study.spec.parameters) names.push_back(range.name);
  append_names(json, "parameters", names);
  append_names(json, "results", study.work->columns());
  names.clear();
  for (const auto& [status, of] : failures) names.push_back(status);
  append_names(json, "statuses", names);
  append_rows(json, study, outcome, failures);
  append_curves(json, study, outcome);
  json.key("motions").value(study.work->has_solutions());
  json.key("kept").begin_array();
  for (const int point : kept.points()) json.value(point);
  json.end_array();
  append_failures(json, outcome, failures);
  append_sensitivity(json, study, outcome);
  json.end_object();
  write_text_file((fs::path(folder) / "study.html").string(), study_page(json.text()));
}

void write_kept_reports(const KeptSolutions& kept, const std::string& folder, const StudyOptions& options) {
  if (!options.pages || !has_page() || kept.points().size() > kMostReports) return;
  for (const int point : kept.points()) {
    const fs::path place = fs::path(folder) / solution_folder(point);
    std::error_code error;
    if (fs::exists(place / "report.html", error) || !fs::exists(place / "solution.json", error)) continue;
    try {
      const ReportContents contents = read_report_folder(place.string());
      write_text_file((place / "report.html").string(), report_page(contents, options.program));
    } catch (const InputError&) {  // a work from code may keep files of any kind
    }
  }
}

}  // namespace verne
