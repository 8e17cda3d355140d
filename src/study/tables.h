/// The results of a study as files: table.csv, times.csv, sensitivity.csv and study.sqlite.
#pragma once

#include <string>
#include <vector>

#include "verne/study/study.h"

namespace verne {

/// One line of what parameters matter for which results.
struct SensitivityRow {
  std::string result, parameter;
  std::vector<double> values;  ///< as sensitivity_columns() names them
};
/// None where the sample says nothing of that.
std::vector<std::string> sensitivity_columns(const Study& study);
std::vector<SensitivityRow> sensitivity_rows(const Study& study, const StudyOutcome& outcome);

/// All files. What is not done yet is left out. Throws EnvironmentError.
void write_tables(const Study& study, const StudyOutcome& outcome, const std::string& folder);

/// study.sqlite, by way of a file that takes its place when it is whole.
void write_sqlite(const Study& study, const StudyOutcome& outcome, const std::string& folder);

}  // namespace verne
