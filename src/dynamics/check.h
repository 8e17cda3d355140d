/// Checks of arguments at the public functions, before any loop: a caller's mistake is std::invalid_argument.
#pragma once

#include <stdexcept>
#include <string>

#include "verne/dynamics/parameter_columns.h"

namespace verne {

namespace refusals {

// What is said stands apart from the checks, so that these are inlined.
[[noreturn, gnu::noinline, gnu::cold]] inline void wrong_size(const char* function, const char* name, long expected,
                                                              long actual) {
  throw std::invalid_argument(std::string(function) + ": " + name + " has size " + std::to_string(actual) +
                              ", expected " + std::to_string(expected));
}

[[noreturn, gnu::noinline, gnu::cold]] inline void wrong_shape(const char* function, const char* name, long rows,
                                                               long columns, long actual_rows, long actual_columns) {
  throw std::invalid_argument(std::string(function) + ": " + name + " has size " + std::to_string(actual_rows) + " x " +
                              std::to_string(actual_columns) + ", expected " + std::to_string(rows) + " x " +
                              std::to_string(columns));
}

[[noreturn, gnu::noinline, gnu::cold]] inline void out_of_range(const char* function, const char* name, int index,
                                                                int count) {
  throw std::invalid_argument(std::string(function) + ": " + name + " " + std::to_string(index) +
                              " is out of range, expected 0 to " + std::to_string(count - 1));
}

}  // namespace refusals

inline void check_size(const char* function, const char* name, long expected, long actual) {
  if (expected != actual) refusals::wrong_size(function, name, expected, actual);
}

inline void check_shape(const char* function, const char* name, long rows, long columns, long actual_rows,
                        long actual_columns) {
  if (rows != actual_rows || columns != actual_columns) {
    refusals::wrong_shape(function, name, rows, columns, actual_rows, actual_columns);
  }
}

inline void check_index(const char* function, const char* name, int index, int count) {
  if (index < 0 || index >= count) refusals::out_of_range(function, name, index, count);
}

/// What the links of a body have in common says nothing of the wrenches between them.
inline void require_links(const char* function, bool want_wrenches, const ParameterColumns& columns) {
  if (want_wrenches && !columns.every_link) {
    throw std::invalid_argument(std::string(function) + ": wrenches need the columns of every link");
  }
}

/// For results that kernels write without gaps between columns.
template <class Out>
void require_dense(const char* function, const Out& out) {
  if (out.outerStride() != out.rows()) {
    throw std::invalid_argument(std::string(function) + ": the result must be a whole matrix, not a block of one");
  }
}

}  // namespace verne
