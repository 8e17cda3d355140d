/// Forward-mode differentiation: numbers that carry a slope. Nested, Dual<Dual<double>>, they carry second derivatives:
/// with x = {{x, a}, {b, 0}}, f(x).slope.slope is f''(x) a b.
#pragma once

#include <cmath>
#include <type_traits>

namespace verne {

/// A number and its slope along one direction.
template <class T>
struct Dual {
  T value{}, slope{};  ///< the number, and its derivative along the direction

  Dual() = default;
  /// A constant: its slope is zero.
  Dual(const T& constant) : value(constant) {}  // NOLINT: numbers become constants
  /// A number with a given slope.
  Dual(const T& value_in, const T& slope_in) : value(value_in), slope(slope_in) {}
  /// Of a nested number.
  template <class Number>
  requires(std::is_arithmetic_v<Number> && !std::is_same_v<Number, T>) Dual(Number constant)
      : value(static_cast<double>(constant)) {}  // NOLINT

  /// Arithmetic by the rules of differentiation.
  ///@{
  friend Dual operator-(const Dual& x) { return {-x.value, -x.slope}; }
  friend Dual operator+(const Dual& x, const Dual& y) { return {x.value + y.value, x.slope + y.slope}; }
  friend Dual operator-(const Dual& x, const Dual& y) { return {x.value - y.value, x.slope - y.slope}; }
  friend Dual operator*(const Dual& x, const Dual& y) {
    return {x.value * y.value, x.slope * y.value + x.value * y.slope};
  }
  friend Dual operator/(const Dual& x, const Dual& y) {
    const T quotient = x.value / y.value;
    return {quotient, (x.slope - quotient * y.slope) / y.value};
  }
  Dual& operator+=(const Dual& y) { return *this = *this + y; }
  Dual& operator-=(const Dual& y) { return *this = *this - y; }
  Dual& operator*=(const Dual& y) { return *this = *this * y; }
  Dual& operator/=(const Dual& y) { return *this = *this / y; }
  ///@}

  /// Comparisons look at the value alone.
  ///@{
  friend bool operator<(const Dual& x, const Dual& y) { return x.value < y.value; }
  friend bool operator>(const Dual& x, const Dual& y) { return y < x; }
  friend bool operator<=(const Dual& x, const Dual& y) { return !(y < x); }
  friend bool operator>=(const Dual& x, const Dual& y) { return !(x < y); }
  friend bool operator==(const Dual& x, const Dual& y) { return x.value == y.value; }
  ///@}

  /// Elementary functions f: value f(value), slope f'(value) · slope.
  ///@{
  friend Dual sin(const Dual& x) {
    using std::cos, std::sin;
    return {sin(x.value), cos(x.value) * x.slope};
  }
  friend Dual cos(const Dual& x) {
    using std::cos, std::sin;
    return {cos(x.value), -sin(x.value) * x.slope};
  }
  friend Dual tan(const Dual& x) { return sin(x) / cos(x); }
  friend Dual asin(const Dual& x) {
    using std::asin, std::sqrt;
    return {asin(x.value), x.slope / sqrt(T(1.0) - x.value * x.value)};
  }
  friend Dual acos(const Dual& x) {
    using std::acos, std::sqrt;
    return {acos(x.value), -x.slope / sqrt(T(1.0) - x.value * x.value)};
  }
  friend Dual atan(const Dual& x) {
    using std::atan;
    return {atan(x.value), x.slope / (T(1.0) + x.value * x.value)};
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    return {atan2(y.value, x.value), (y.slope * x.value - y.value * x.slope) / (x.value * x.value + y.value * y.value)};
  }
  friend Dual sinh(const Dual& x) {
    using std::cosh, std::sinh;
    return {sinh(x.value), cosh(x.value) * x.slope};
  }
  friend Dual cosh(const Dual& x) {
    using std::cosh, std::sinh;
    return {cosh(x.value), sinh(x.value) * x.slope};
  }
  friend Dual tanh(const Dual& x) {
    using std::tanh;
    const T t = tanh(x.value);
    return {t, (T(1.0) - t * t) * x.slope};
  }
  friend Dual exp(const Dual& x) {
    using std::exp;
    const T e = exp(x.value);
    return {e, e * x.slope};
  }
  friend Dual log(const Dual& x) {
    using std::log;
    return {log(x.value), x.slope / x.value};
  }
  friend Dual sqrt(const Dual& x) {
    using std::sqrt;
    const T root = sqrt(x.value);
    return {root, x.slope / (T(2.0) * root)};
  }
  friend Dual abs(const Dual& x) { return x.value < T(0.0) ? -x : x; }
  friend Dual fabs(const Dual& x) { return abs(x); }
  friend Dual hypot(const Dual& x, const Dual& y) { return sqrt(x * x + y * y); }
  ///@}
  /// By a constant power, also of negative numbers where that is whole.
  friend Dual pow(const Dual& x, double power) {
    using std::pow;
    if (power == 0) return T(1.0);
    return {pow(x.value, power), T(power) * pow(x.value, power - 1) * x.slope};
  }
  /// By a power that varies, of positive numbers.
  friend Dual pow(const Dual& x, const Dual& power) { return exp(power * log(x)); }
};

}  // namespace verne
