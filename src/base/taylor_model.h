/// Numbers that vary with time on a stretch, enclosed: a polynomial of s, which runs from −1 to 1 there, and how far
/// from it they are at most. Kernels run on them as on any scalar (docs/theory/clearance.md, section 6).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace verne {

/// |f(s) − Σ c_k s^k| ≤ rest for −1 ≤ s ≤ 1, but for rounding. Trivial, as scratch memory of kernels is.
struct TaylorModel {
  static constexpr int kTerms = 8;

  double c[kTerms];
  double rest;

  TaylorModel() = default;
  // Implicit, as models' constants meet states in products.
  TaylorModel(double constant) : c{constant}, rest(0) {}  // NOLINT(google-explicit-constructor)

  /// Largest size of what is added to c_0.
  double radius() const {
    double sum = rest;
    for (int k = 1; k < kTerms; ++k) sum += std::abs(c[k]);
    return sum;
  }
  double lower() const { return c[0] - radius(); }
  double upper() const { return c[0] + radius(); }

  friend TaylorModel operator-(const TaylorModel& a) { return a * -1.0; }
  friend TaylorModel operator+(const TaylorModel& a, const TaylorModel& b) {
    TaylorModel out;
    for (int k = 0; k < kTerms; ++k) out.c[k] = a.c[k] + b.c[k];
    out.rest = a.rest + b.rest;
    return out;
  }
  friend TaylorModel operator-(const TaylorModel& a, const TaylorModel& b) {
    TaylorModel out;
    for (int k = 0; k < kTerms; ++k) out.c[k] = a.c[k] - b.c[k];
    out.rest = a.rest + b.rest;
    return out;
  }
  friend TaylorModel operator*(const TaylorModel& a, double b) {
    TaylorModel out;
    for (int k = 0; k < kTerms; ++k) out.c[k] = a.c[k] * b;
    out.rest = a.rest * std::abs(b);
    return out;
  }
  friend TaylorModel operator*(double a, const TaylorModel& b) { return b * a; }
  friend TaylorModel operator+(const TaylorModel& a, double b) {
    TaylorModel out = a;
    out.c[0] += b;
    return out;
  }
  friend TaylorModel operator+(double a, const TaylorModel& b) { return b + a; }
  friend TaylorModel operator-(const TaylorModel& a, double b) { return a + -b; }

  // What has no place among the terms is added to the rest, by its size: |a_k| Σ |b_j| over j ≥ kTerms − k. Shifted
  // coefficients are read from between zeros, in registers of eight as far as the processor has them.
  friend TaylorModel operator*(const TaylorModel& a, const TaylorModel& b) {
    using Row [[gnu::vector_size(kTerms * sizeof(double))]] = double;
    double shifted[2 * kTerms] = {}, sizes_from[kTerms + 1] = {};
    std::memcpy(shifted + kTerms, b.c, sizeof b.c);
    for (int k = kTerms; k-- > 0;) sizes_from[k] = sizes_from[k + 1] + std::abs(b.c[k]);
    Row kept{};
    double lost = 0, size_a = 0;
    for (int k = 0; k < kTerms; ++k) {
      Row row;
      std::memcpy(&row, shifted + kTerms - k, sizeof row);
      kept += a.c[k] * row;
      const double size = std::abs(a.c[k]);
      lost += size * sizes_from[kTerms - k], size_a += size;
    }
    TaylorModel out;
    std::memcpy(out.c, &kept, sizeof out.c);
    out.rest = lost + size_a * b.rest + sizes_from[0] * a.rest + a.rest * b.rest;
    return out;
  }
};

/// Σ terms_k x^k for x without a constant term, by Horner's rule.
template <std::size_t Count>
TaylorModel polynomial(const std::array<double, Count>& terms, const TaylorModel& x) {
  TaylorModel sum(terms.back());
  for (std::size_t k = Count - 1; k-- > 0;) sum = sum * x + terms[k];
  return sum;
}

/// sin(c + d) and cos(c + d) for |d| ≤ r by their series, whose remainders are at most r⁹/9! and r⁸/8!.
inline void sincos(const TaylorModel& x, TaylorModel& sine, TaylorModel& cosine) {
  const double s = std::sin(x.c[0]), c = std::cos(x.c[0]), r = x.radius();
  TaylorModel d = x;
  d.c[0] = 0;
  const TaylorModel squared = d * d;
  TaylorModel of_d = d * polynomial(std::array{1.0, -1 / 6.0, 1 / 120.0, -1 / 5040.0}, squared);
  TaylorModel beside = polynomial(std::array{1.0, -0.5, 1 / 24.0, -1 / 720.0}, squared);
  of_d.rest += std::pow(r, 9) / 362880, beside.rest += std::pow(r, 8) / 40320;
  sine = of_d * c + beside * s;
  cosine = beside * c - of_d * s;
}

/// tanh' = 1 − tanh², from which its series about any c follows. In a circle of radius 1 about a real number it is at
/// most tan(1), and so is each of its coefficients (Cauchy). Where that says little, only its range counts.
inline TaylorModel hyperbolic_tangent(const TaylorModel& x) {
  constexpr double kLargest = 1.5575;  // tan(1)
  constexpr double kUseful = 0.4;
  const double r = x.radius();
  if (!(r < kUseful)) {
    const double low = std::tanh(x.lower()), high = std::tanh(x.upper());
    TaylorModel out((low + high) / 2);
    out.rest = (high - low) / 2;
    return out;
  }
  std::array<double, TaylorModel::kTerms> t{std::tanh(x.c[0])};
  for (std::size_t k = 0; k + 1 < t.size(); ++k) {
    double next = k == 0 ? 1 : 0;
    for (std::size_t i = 0; i <= k; ++i) next -= t[i] * t[k - i];
    t[k + 1] = next / static_cast<double>(k + 1);
  }
  TaylorModel d = x;
  d.c[0] = 0;
  TaylorModel out = polynomial(t, d);
  out.rest += kLargest * std::pow(r, TaylorModel::kTerms) / (1 - r);
  return out;
}

/// Whether something holds on the whole stretch.
enum class Throughout { no, yes, sometimes };

inline Throughout less(const TaylorModel& a, const TaylorModel& b) {
  const TaylorModel apart = b - a;
  return apart.lower() > 0 ? Throughout::yes : apart.upper() <= 0 ? Throughout::no : Throughout::sometimes;
}
/// Both, where it holds sometimes.
inline TaylorModel select(Throughout mask, const TaylorModel& a, const TaylorModel& b) {
  if (mask != Throughout::sometimes) return mask == Throughout::yes ? a : b;
  const TaylorModel half = (a - b) * 0.5;
  TaylorModel out = b + half;
  out.rest = std::max(a.rest, b.rest) + std::abs(half.c[0]) + half.radius() - half.rest;
  return out;
}

}  // namespace verne
