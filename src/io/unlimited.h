/// What readers and writers of formats without infinity must agree on.
#pragma once

#include <algorithm>
#include <cmath>

#include "verne/model/spec.h"

namespace verne {

/// Where a format wants a number for every limit, this size and more stands for "none".
inline constexpr double kUnlimited = 1e9;

inline double limit_as_written(double limit) {
  return std::clamp(limit, -kUnlimited, kUnlimited);
}
inline double limit_as_read(double number) {
  return std::abs(number) < kUnlimited ? number : std::copysign(kInfinity, number);
}

}  // namespace verne
