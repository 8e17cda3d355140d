#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>

#include "verne/study/sample.h"

namespace verne {

namespace {

double below(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

/// Of a normal distribution that is cut off at the bounds.
double normal_at(const ParameterRange& range, double u) {
  const double from = below((range.lower - range.mean) / range.deviation);
  const double to = below((range.upper - range.mean) / range.deviation);
  const double share = std::clamp(from + u * (to - from), 1e-300, 1 - 1e-16);
  const double z = -std::sqrt(2.0) * boost::math::erfc_inv(2 * share);
  return std::clamp(range.mean + range.deviation * z, range.lower, range.upper);
}

}  // namespace

const double ParameterRange::kUnbounded = std::numeric_limits<double>::infinity();

double ParameterRange::at(double u) const {
  switch (kind) {
    case Kind::values: {
      const auto count = static_cast<double>(values.size());
      return values[static_cast<std::size_t>(std::clamp(std::floor(u * count), 0.0, count - 1))];
    }
    case Kind::uniform:
      return std::clamp((1 - u) * lower + u * upper, lower, upper);
    case Kind::log_uniform:
      return std::clamp(lower * std::pow(upper / lower, u), lower, upper);
    case Kind::normal:
      return normal_at(*this, u);
  }
  return 0;
}

}  // namespace verne
