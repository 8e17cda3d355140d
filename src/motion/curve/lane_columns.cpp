#include "motion/curve/lane_columns.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace verne {

namespace {

/// The first value of a block; reading it leaves what the array knows of its zeros.
const double* block_of(const LaneArray& array, int b) {
  return array.column(b * array.lanes()).data();
}

/// Calls f with the number of lanes as a constant, so that loops over them are unrolled.
template <class F>
void with_lanes(int lanes, F&& f) {
  switch (lanes) {
    case 2:
      return f(std::integral_constant<int, 2>());
    case 4:
      return f(std::integral_constant<int, 4>());
    case 8:
      return f(std::integral_constant<int, 8>());
    default:
      return f(lanes);
  }
}

}  // namespace

void gather(const LaneArray& array, const std::vector<LanePick>& picks, Eigen::MatrixXd& columns) {
  const int lanes = array.lanes();
  const Eigen::Index stride = columns.rows();
  for (int state = 0; state < array.count(); state += lanes) {
    const double* const block = block_of(array, state / lanes);
    double* const to = columns.data() + state * stride;
    const auto copy = [&](auto width) {
      for (const LanePick& pick : picks) {
        const double* const row = block + static_cast<std::ptrdiff_t>(pick.from) * lanes;
        for (int lane = 0; lane < width; ++lane) to[lane * stride + pick.to] = row[lane];
      }
    };
    const int filled = std::min(lanes, array.count() - state);
    if (filled == lanes) {
      with_lanes(lanes, copy);
    } else {
      copy(filled);
    }
  }
}

void scatter(const Eigen::MatrixXd& columns, int first, LaneArray& array) {
  const int lanes = array.lanes();
  for (int state = 0; state < array.count(); ++state) {
    double* const to = array.block(state / lanes) + state % lanes;
    const double* const from = columns.data() + state * columns.rows() + first;
    for (int row = 0; row < array.rows(); ++row) to[static_cast<std::ptrdiff_t>(row) * lanes] = from[row];
  }
}

}  // namespace verne
