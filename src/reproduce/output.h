/// Results of `verne reproduce` as files. Times are in a file of their own and on the page; all else has the same bytes
/// whenever the rows are the same.
#pragma once

#include <string>
#include <vector>

#include "reproduce/row.h"

namespace verne::reproduce {

/// What is shown, and of what.
struct Reproduction {
  std::string program;          ///< name and version
  std::vector<Result> results;  ///< in the order of the documents
  std::size_t rows_left = 0;    ///< that were not run, since the user ended it
};

/// The file's name of a figure: its row's, and what tells it from others.
std::string file_of(const Row& row, const Figure& figure);
/// How many results have this verdict.
int count(const Reproduction& reproduction, Verdict verdict);
/// A number as people read it.
std::string number_text(double value);

std::string reproduction_json(const Reproduction& reproduction);
std::string reproduction_timing_json(const Reproduction& reproduction);
/// One page that holds all it needs and runs no script.
std::string reproduction_page(const Reproduction& reproduction);

}  // namespace verne::reproduce
