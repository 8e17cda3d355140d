/// Entries of JSON objects as the files of motions have them: numbers, vectors and tables under a key.
#pragma once

#include <cmath>
#include <optional>

#include "verne/base/small_matrix.h"
#include "verne/base/values.h"
#include "verne/io/json_writer.h"

namespace verne {

inline void append(JsonWriter& json, const char* key, double value) {
  json.key(key).value(value);
}
inline void append(JsonWriter& json, const char* key, const Values& values) {
  json.key(key).values(values);
}
/// One row of JSON per column.
inline void append(JsonWriter& json, const char* key, const Table& columns) {
  json.key(key).rows({columns.data(), static_cast<std::size_t>(columns.rows() * columns.cols())},
                     static_cast<int>(columns.rows()));
}
inline void append(JsonWriter& json, const char* key, const Vec3<double>& v) {
  const double entries[3] = {v.x, v.y, v.z};
  json.key(key).values(entries);
}
inline void append_flag(JsonWriter& json, const char* key, const std::optional<bool>& flag) {
  if (flag) {
    json.key(key).value(*flag);
  } else {
    json.key(key).value(std::nan(""));  // null
  }
}

}  // namespace verne
