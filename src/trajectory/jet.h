/// Numbers that carry their first and second derivatives with respect to N variables.
#pragma once

#include <array>

namespace verne {

/// Value, gradient and, for Order 2, the full symmetric Hessian. Like a double, not initialized by default.
/// Hessians stay symmetric to the last bit.
template <int N, int Order>
struct Jet {
  static_assert(Order == 1 || Order == 2);
  double value;
  std::array<double, N> gradient;
  std::array<std::array<double, N>, Order == 2 ? N : 0> hessian;

  Jet() = default;
  explicit Jet(double constant) : value(constant), gradient{}, hessian{} {}

  Jet& operator+=(const Jet& b) { return add(1, b); }
  Jet& operator-=(const Jet& b) { return add(-1, b); }
  Jet& operator*=(double c) {
    value *= c;
    for (double& entry : gradient) entry *= c;
    for (auto& row : hessian) {
      for (double& entry : row) entry *= c;
    }
    return *this;
  }

 private:
  Jet& add(double sign, const Jet& b) {
    value += sign * b.value;
    for (int k = 0; k < N; ++k) gradient[k] += sign * b.gradient[k];
    if constexpr (Order == 2) {
      for (int k = 0; k < N; ++k) {
        for (int l = 0; l < N; ++l) hessian[k][l] += sign * b.hessian[k][l];
      }
    }
    return *this;
  }
};

template <int N, int Order>
Jet<N, Order> operator+(Jet<N, Order> a, const Jet<N, Order>& b) {
  return a += b;
}

template <int N, int Order>
Jet<N, Order> operator-(Jet<N, Order> a, const Jet<N, Order>& b) {
  return a -= b;
}

template <int N, int Order>
Jet<N, Order> operator*(const Jet<N, Order>& a, const Jet<N, Order>& b) {
  Jet<N, Order> product;
  product.value = a.value * b.value;
  for (int k = 0; k < N; ++k) product.gradient[k] = a.value * b.gradient[k] + b.value * a.gradient[k];
  if constexpr (Order == 2) {
    for (int k = 0; k < N; ++k) {
      for (int l = 0; l < N; ++l) {
        const double crossed = a.gradient[k] * b.gradient[l] + b.gradient[k] * a.gradient[l];
        product.hessian[k][l] = a.value * b.hessian[k][l] + b.value * a.hessian[k][l] + crossed;
      }
    }
  }
  return product;
}

/// 1 / a: derivatives −a'/a² and 2a'a'ᵀ/a³ − a''/a².
template <int N, int Order>
Jet<N, Order> reciprocal(const Jet<N, Order>& a) {
  Jet<N, Order> inverse;
  inverse.value = 1 / a.value;
  const double first = -inverse.value * inverse.value, second = -2 * first * inverse.value;
  for (int k = 0; k < N; ++k) inverse.gradient[k] = first * a.gradient[k];
  if constexpr (Order == 2) {
    for (int k = 0; k < N; ++k) {
      for (int l = 0; l < N; ++l) {
        inverse.hessian[k][l] = second * (a.gradient[k] * a.gradient[l]) + first * a.hessian[k][l];
      }
    }
  }
  return inverse;
}

}  // namespace verne
