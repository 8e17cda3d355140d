/// Between lanes and states that stand one after the other, as in files and arrays of other programs.
#pragma once

#include <algorithm>

#include "verne/dynamics/batch.h"

namespace verne {

/// Rows `first_row` ... of so many states from `first` on, which is the first of a block or the only one.
inline void lanes_to_rows(const LaneArray& array, int first_row, int rows, int first, int count, double* out) {
  const int lanes = array.lanes();
  for (int done = 0; done < count;) {
    const int state = first + done, here = std::min(lanes - state % lanes, count - done);
    const double* const from = array.column(state).data() + static_cast<std::ptrdiff_t>(first_row) * lanes;
    for (int k = 0; k < here; ++k) {
      for (int row = 0; row < rows; ++row) out[k * rows + row] = from[row * lanes + k];
    }
    out += static_cast<std::ptrdiff_t>(here) * rows;
    done += here;
  }
}

/// All rows of so many states, into those from the array's first one on.
inline void rows_to_lanes(const double* from, int count, LaneArray& array) {
  const int lanes = array.lanes(), rows = array.rows();
  for (int first = 0; first < count; first += lanes) {
    double* const to = array.block(first / lanes);
    const int here = std::min(lanes, count - first);
    for (int k = 0; k < here; ++k, from += rows) {
      for (int row = 0; row < rows; ++row) to[row * lanes + k] = from[row];
    }
  }
}

}  // namespace verne
