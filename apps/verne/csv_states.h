/// States as rows of a table, as motion.csv has them.
#pragma once

#include <string>
#include <vector>

#include "verne/io/state_io.h"
#include "verne/structures/system.h"

namespace verne::cli {

/// Columns q.NAME, v.NAME, a.NAME and tau.NAME, in any order; those that are missing are as in lines without them, and
/// all others are passed over. With loops independent coordinates and motors count; where there is a column for every
/// position of the tree, these are where the state is looked for.
class CsvStates {
 public:
  /// Throws InputError with file and line for a column of no such name, and where there are no columns of states.
  CsvStates(const std::string& header, const System& system, StateShape shape, std::string file, int line);

  /// The state of a row. Throws InputError with file, line and column.
  StateLine state(const std::string& row, int line) const;

 private:
  struct Column {
    std::size_t place;                     ///< in the row
    std::vector<double> StateLine::*part;  ///< where it goes
    std::size_t entry;
  };

  void add(const std::string& word, std::size_t place, const System& system, std::vector<Diagnostic>& problems);

  StateShape shape_;
  std::vector<StateShape::Quaternion> of_tree_;  ///< of guesses
  std::vector<std::string> names_;
  std::vector<Column> columns_;
  bool has_guess_ = false;
  std::size_t tree_positions_ = 0;
  std::string file_;
  int line_;
};

}  // namespace verne::cli
