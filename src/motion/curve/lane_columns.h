/// Between batches, where states stand side by side in lanes, and matrices with one contiguous column per state.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "verne/dynamics/batch.h"

namespace verne {

/// A row of a batch's array, and the row of the matrix that it becomes.
struct LanePick {
  int from, to;
};

/// columns(pick.to, state) = array(pick.from, state), for every state. Quickest when picks are sorted by `from`.
void gather(const LaneArray& array, const std::vector<LanePick>& picks, Eigen::MatrixXd& columns);
/// array(row, state) = columns(first + row, state), for every row of the array and every state.
void scatter(const Eigen::MatrixXd& columns, int first, LaneArray& array);

}  // namespace verne
