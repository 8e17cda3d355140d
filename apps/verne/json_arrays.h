/// Results of batches as JSON.
#pragma once

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

/// A matrix that stands column-major in the rows of the array from `first` on; written by rows.
inline void append_block(const LaneArray& array, int first, int rows, int columns, int k, JsonWriter& json) {
  json.begin_array();
  for (int i = 0; i < rows; ++i) {
    json.begin_array();
    for (int j = 0; j < columns; ++j) json.value(entry(array, first + j * rows + i, k));
    json.end_array();
  }
  json.end_array();
}

/// The whole array as one matrix.
inline void append_matrix(const LaneArray& array, int rows, int k, JsonWriter& json) {
  append_block(array, 0, rows, rows == 0 ? 0 : array.rows() / rows, k, json);
}

}  // namespace verne::cli
