#include <algorithm>
#include <cmath>

#include "io/csv.h"
#include "io/number.h"
#include "verne/base/error.h"
#include "verne/study/sample.h"

namespace verne {

namespace {

/// Which column of the file each parameter is in.
std::vector<std::size_t> columns_of(const std::vector<std::string>& header, const std::string& file,
                                    const std::vector<ParameterRange>& parameters) {
  std::vector<Diagnostic> problems;
  std::vector<std::size_t> columns;
  std::vector<std::string> names;
  for (const ParameterRange& range : parameters) {
    names.push_back(range.name);
    const auto found = std::find(header.begin(), header.end(), range.name);
    columns.push_back(static_cast<std::size_t>(found - header.begin()));
    if (found == header.end()) problems.push_back({file, 1, "there is no column " + in_quotes(range.name)});
  }
  for (const std::string& name : header) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    problems.push_back(
        {file, 1, "column " + in_quotes(name) + " is no parameter of the study" + suggestion(name, names)});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return columns;
}

/// Places between the smallest and the largest value of each parameter.
void measure(SamplePoints& points) {
  points.unit.resize(points.values.size());
  const auto columns = static_cast<std::size_t>(points.parameters);
  for (std::size_t c = 0; c < columns; ++c) {
    double least = points.values[c], most = least;
    for (std::size_t k = c; k < points.values.size(); k += columns) {
      least = std::min(least, points.values[k]), most = std::max(most, points.values[k]);
    }
    for (std::size_t k = c; k < points.values.size(); k += columns) {
      points.unit[k] = most > least ? (points.values[k] - least) / (most - least) : 0.5;
    }
  }
}

}  // namespace

SamplePoints read_points(const std::string& text, const std::string& file,
                         const std::vector<ParameterRange>& parameters) {
  CsvReader reader(text, file);
  const std::vector<std::string> header = csv_header(reader, file);
  const std::vector<std::size_t> columns = columns_of(header, file, parameters);
  SamplePoints points{static_cast<int>(parameters.size()), {}, {}};
  std::vector<Diagnostic> problems;
  for (std::vector<std::string> cells; reader.next(cells) && problems.size() < 20;) {
    if (cells.size() != header.size()) {
      problems.push_back(
          {file, reader.line(),
           "expected " + std::to_string(header.size()) + " cells, found " + std::to_string(cells.size())});
      continue;
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string& cell = cells[columns[c]];
      const auto value = parse_number(cell);
      if (!value || !std::isfinite(*value)) {
        problems.push_back(
            {file, reader.line(),
             "column " + in_quotes(parameters[c].name) + ": expected a finite number, found " + in_quotes(cell)});
      }
      points.values.push_back(value.value_or(0));
    }
    if (points.count() > kMostPoints) problems.push_back({file, reader.line(), "more than 1e7 points"});
  }
  if (problems.empty() && points.values.empty()) problems.push_back({file, 1, "there are no points"});
  if (!problems.empty()) throw InputError(std::move(problems));
  measure(points);
  return points;
}

}  // namespace verne
