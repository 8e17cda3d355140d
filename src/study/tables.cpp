#include "study/tables.h"

#include <charconv>
#include <cmath>
#include <filesystem>

#include "io/csv.h"
#include "io/number.h"
#include "verne/io/file.h"
#include "verne/study/sensitivity.h"

namespace verne {

namespace {

void append_cell(std::string& text, double value) {
  text += ",";
  if (std::isfinite(value)) text += format_number(value);
}

/// The shortest decimal that reads back as the same float.
void append_short(std::string& text, float value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  text.append(",").append(digits, end);
}

std::string table_csv(const Study& study, const StudyOutcome& outcome) {
  std::string text = "point";
  for (const ParameterRange& range : study.spec.parameters) text += "," + csv_cell(range.name);
  text += ",status,success";
  for (const std::string& column : study.work->columns()) text += "," + csv_cell(column);
  text += ",binding,started_from,reason\n";
  for (std::size_t k = 0; k < outcome.rows.size(); ++k) {
    const StudyRow& row = outcome.rows[k];
    if (!row.done) continue;
    text += std::to_string(k);
    for (const double value : study.points.point(static_cast<int>(k))) append_cell(text, value);
    text += "," + csv_cell(row.result.status) + (row.result.success ? ",1" : ",0");
    for (const double value : row.result.results) append_cell(text, value);
    text += "," + csv_cell(row.result.binding) + ",";
    if (row.started_from >= 0) text += std::to_string(row.started_from);
    text += "," + csv_cell(row.result.reason) + "\n";
  }
  return text;
}

std::string times_csv(const StudyOutcome& outcome) {
  std::string text = "point,seconds,tries\n";
  for (std::size_t k = 0; k < outcome.rows.size(); ++k) {
    const StudyRow& row = outcome.rows[k];
    if (!row.done) continue;
    text += std::to_string(k);
    append_cell(text, row.seconds);
    text += "," + std::to_string(row.tries) + "\n";
  }
  return text;
}

/// A line for each curve of each point that has a solution: its values at 0, 1, … 100 % of the duration.
std::string curves_csv(const Study& study, const StudyOutcome& outcome) {
  std::string text = "curve,unit,point";
  for (int k = 0; k < kCurveValues; ++k) text += "," + std::to_string(k);
  text += "\n";
  const std::vector<StudyCurve>& curves = study.work->curves();
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const std::string head = csv_cell(curves[c].name) + "," + csv_cell(curves[c].unit) + ",";
    for (std::size_t k = 0; k < outcome.rows.size(); ++k) {
      const std::vector<float>& values = outcome.rows[k].result.curves;
      if (values.empty()) continue;
      text += head + std::to_string(k);
      for (int i = 0; i < kCurveValues; ++i) append_short(text, values[c * kCurveValues + static_cast<std::size_t>(i)]);
      text += "\n";
    }
  }
  return text;
}

std::string sensitivity_csv(const Study& study, const StudyOutcome& outcome) {
  std::string text = "result,parameter";
  for (const std::string& column : sensitivity_columns(study)) text += "," + column;
  text += "\n";
  for (const SensitivityRow& row : sensitivity_rows(study, outcome)) {
    text += csv_cell(row.result) + "," + csv_cell(row.parameter);
    for (const double value : row.values) append_cell(text, value);
    text += "\n";
  }
  return text;
}

}  // namespace

std::vector<std::string> sensitivity_columns(const Study& study) {
  using Kind = SampleSpec::Kind;
  if (study.spec.sample.kind == Kind::saltelli) return {"first", "total", "rows"};
  if (study.spec.sample.kind == Kind::morris) return {"mean", "mean_size", "deviation", "effects"};
  return {};
}

std::vector<SensitivityRow> sensitivity_rows(const Study& study, const StudyOutcome& outcome) {
  std::vector<SensitivityRow> rows;
  if (!outcome.complete || sensitivity_columns(study).empty()) return rows;
  const std::vector<std::string>& columns = study.work->columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<double> results;
    for (const StudyRow& row : outcome.rows) results.push_back(row.result.success ? row.result.results[c] : NAN);
    const auto add = [&](std::size_t parameter, std::vector<double> values) {
      rows.push_back({columns[c], study.spec.parameters[parameter].name, std::move(values)});
    };
    if (study.spec.sample.kind == SampleSpec::Kind::saltelli) {
      const auto indices = sobol_indices(study.points, results);
      for (std::size_t p = 0; p < indices.size(); ++p) {
        add(p, {indices[p].first, indices[p].total, static_cast<double>(indices[p].rows)});
      }
    } else {
      const auto measures = morris_measures(study.points, results);
      for (std::size_t p = 0; p < measures.size(); ++p) {
        const MorrisMeasures& of = measures[p];
        add(p, {of.mean, of.mean_size, of.deviation, static_cast<double>(of.effects)});
      }
    }
  }
  return rows;
}

void write_tables(const Study& study, const StudyOutcome& outcome, const std::string& folder) {
  const auto write = [&](const char* name, const std::string& text) {
    write_text_file((std::filesystem::path(folder) / name).string(), text);
  };
  write("table.csv", table_csv(study, outcome));
  write("times.csv", times_csv(outcome));
  if (!study.work->curves().empty()) write("curves.csv", curves_csv(study, outcome));
  if (outcome.complete && !sensitivity_columns(study).empty()) {
    write("sensitivity.csv", sensitivity_csv(study, outcome));
  }
  write_sqlite(study, outcome, folder);
}

}  // namespace verne
