/// Values of coordinates over time, from CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verne/model/model.h"

namespace verne::cli {

/// From a table with a column `time` and columns PREFIX.NAME (as in motion.csv, whose others are passed over) or NAME
/// of coordinates.
struct TimeTable {
  std::vector<double> time;
  std::vector<int> velocity;                 ///< of each column
  std::vector<std::vector<double>> columns;  ///< one value per time
  std::vector<std::size_t> places;           ///< of each column in the file, from 0
  std::vector<int> lines;                    ///< of each time in the file
};

/// Throws InputError with file, line and column.
TimeTable parse_time_table(const std::string& text, const std::string& file, const std::string& prefix,
                           const Model& model);
/// The coordinates that such a table names, whatever model it is of.
std::vector<std::string> coordinates_of_table(const std::string& text, const std::string& file,
                                              const std::string& prefix);

/// A number that is all of a text.
std::optional<double> finite_number(const std::string& text);

}  // namespace verne::cli
