/// Results of batches as JSON.
#pragma once

#include <vector>

#include "verne/dynamics/batch.h"
#include "verne/io/json_writer.h"

namespace verne::cli {

/// Adding zero turns −0 into 0: whether a zero has a sign may depend on loads of zero that other states bring along.
inline double entry(const LaneArray& array, int row, int k) {
  return array(row, k) + 0.0;
}

inline void append_vector(const LaneArray& array, int first, int count, int k, JsonWriter& json) {
  json.begin_array();
  for (int i = 0; i < count; ++i) json.value(entry(array, first + i, k));
  json.end_array();
}

/// A matrix by rows; value(i, j) are its entries.
template <class Value>
void append_entries(int rows, int columns, JsonWriter& json, const Value& value) {
  json.begin_array();
  for (int i = 0; i < rows; ++i) {
    json.begin_array();
    for (int j = 0; j < columns; ++j) json.value(value(i, j));
    json.end_array();
  }
  json.end_array();
}

/// A matrix that stands column-major in the rows of the array from `first` on.
inline void append_block(const LaneArray& array, int first, int rows, int columns, int k, JsonWriter& json) {
  append_entries(rows, columns, json, [&](int i, int j) { return entry(array, first + j * rows + i, k); });
}

/// Under `loads`, for each load of a state in its order: matrices of so many rows to force, moment and point. Column j
/// of load `slot` is column 9 slot + j of value(i, j).
template <class Value>
void append_by_loads(const std::vector<int>& slots, int rows, JsonWriter& json, const Value& value) {
  json.key("loads").begin_array();
  for (const int slot : slots) {
    json.begin_object();
    int column = 9 * slot;
    for (const char* part : {"force", "moment", "point"}) {
      append_entries(rows, 3, json.key(part), [&](int i, int j) { return value(i, column + j); });
      column += 3;
    }
    json.end_object();
  }
  json.end_array();
}

/// The whole array as one matrix.
inline void append_matrix(const LaneArray& array, int rows, int k, JsonWriter& json) {
  append_block(array, 0, rows, rows == 0 ? 0 : array.rows() / rows, k, json);
}

}  // namespace verne::cli
