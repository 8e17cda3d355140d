/// The list of rows, in the order of the documents. Each function is in a file of its own name.
#pragma once

#include <vector>

#include "reproduce/row.h"

namespace verne::reproduce {

std::vector<Row> thesis_arm_rows();
std::vector<Row> thesis_walk_rows();
std::vector<Row> thesis_sensitivity_rows();
std::vector<Row> khalil_rows();
std::vector<Row> flexible_link_rows();
std::vector<Row> nasser_rows();
std::vector<Row> lie_rows();
std::vector<Row> errata_rows();

/// All of them, document by document.
std::vector<Row> all_rows();

}  // namespace verne::reproduce
