/// Quantities over time as tables of text.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "verne/motion/solution.h"

namespace verne {

struct Column {
  std::string name;
  Eigen::VectorXd values;
};
using Columns = std::vector<Column>;

/// Time, coordinates and joint wrenches, and what the ground does where there is one: forces in N and in weights of the
/// model, centres of pressure, moments about the vertical, and the zero-moment point.
Columns motion_columns(const Model& model, const SampledMotion& motion);

/// A line of names (in quotes where commas separate and a name holds one) and one for each row; nothing stands for what
/// is not a number.
void append_table(std::string& out, const Columns& columns, char separator);

/// OpenSim's storage format: a head, then the table.
std::string storage_text(const std::string& name, bool degrees, const Columns& columns);

/// The shortest text that reads back as the same number.
std::string exact(double value);

}  // namespace verne
