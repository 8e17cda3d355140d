#include "model/subject.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "verne/spatial/rotation.h"

namespace verne {

namespace {

// Poses come from angles or quaternions, so only a matrix typed in by hand can be off by more than rounding.
constexpr double kOrthonormalTolerance = 1e-9;
// Products of a few numbers of this size are still finite.
constexpr double kLargestNumber = 1e30;

}  // namespace

bool Subject::require_finite(const std::string& key, std::initializer_list<double> values) const {
  const auto bad = std::find_if_not(values.begin(), values.end(), is_usable);
  if (bad == values.end()) return true;
  error(key + (std::isfinite(*bad) ? ": expected a number below 1e30, found " : ": expected a finite number, found ") +
        number_text(*bad));
  return false;
}

bool Subject::require_finite(const std::string& key, const Vec3<double>& v) const {
  return require_finite(key, {v.x, v.y, v.z});
}

bool Subject::require_not_negative(const std::string& key, double value) const {
  if (value >= 0 && is_usable(value)) return true;
  if (value > kLargestNumber) return require_finite(key, {value});
  error(key + ": expected a number that is not negative, found " + number_text(value));
  return false;
}

bool Subject::require_pose(const std::string& key, const Transform<double>& X) const {
  if (!require_finite(key, X.p)) return false;
  const double off = orthonormality_error(X.R);
  if (off <= kOrthonormalTolerance) return true;
  error(key + ": the matrix is not a rotation" +
        (std::isfinite(off) ? " (RᵀR differs from 1 by " + rounded_text(off) + ")" : ""));
  return false;
}

bool is_usable(double value) {
  return std::fabs(value) < kLargestNumber;
}

std::string number_text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string rounded_text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr};
}

}  // namespace verne
