/// The agreement of formulations as a table and as JSON.
#pragma once

#include "reproduce/comparison.h"

namespace verne::cli {

using reproduce::CheckedFormulation;
using reproduce::CheckedQuantity;
using reproduce::CheckState;
using reproduce::kQuantities;

/// Largest relative disagreement over all states, or the reason why there is none. Neither: not given by the document.
struct CheckCell {
  std::optional<double> disagreement;
  std::string reason;
};

struct CheckRow {
  std::string name, description, lacks;
  std::array<CheckCell, kQuantities> cells;
  std::optional<formulations::OperationCount> count;
  std::optional<double> microseconds;  ///< of one evaluation
};

struct CheckReport {
  std::string model;
  int states = 0;
  double tolerance = 0;
  std::vector<CheckRow> rows;  ///< the library's own come first

  /// Formulations of which some quantity was compared, and those of them that are within the tolerance.
  int compared() const;
  int agreeing() const;
};

std::string check_text(const CheckReport& report);
std::string check_json(const CheckReport& report);

}  // namespace verne::cli
