#include "motion/terms/keep_out.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace verne {

namespace {

constexpr double kClampWidth = 0.02;   // of the smooth clamp, in lengths of the link
constexpr double kPointSpacing = 0.5;  // of an obstacle's points, in ρ

double squared(const Vec3<double>& a) {
  return dot(a, a);
}

/// s(t) and its first two derivatives: t between 0 and 1, rounded at both.
std::array<double, 3> smooth_clamp(double t) {
  const double e = kClampWidth * kClampWidth;
  const double a = std::sqrt(t * t + e), b = std::sqrt((t - 1) * (t - 1) + e);
  return {(a - b + 1) / 2, (t / a - (t - 1) / b) / 2, (e / (a * a * a) - e / (b * b * b)) / 2};
}

double point_to_segment(const Vec3<double>& p, const Vec3<double>& a, const Vec3<double>& b) {
  const Vec3<double> d = b - a;
  const double length = squared(d);
  const double t = length > 0 ? std::clamp(dot(p - a, d) / length, 0.0, 1.0) : 0;
  return std::sqrt(squared(p - a - d * t));
}

}  // namespace

template <bool both_move>
CapsulePair<both_move>::CapsulePair(const LinkCapsule& part, const Vec3<double>& other_from,
                                    const Vec3<double>& other_to, double reach)
    : length_squared_(squared(part.to - part.from)),
      reach_(reach),
      from_(other_from),
      to_(other_to),
      points_(points_along(std::sqrt(squared(to_ - from_)), kPointSpacing * reach)) {}

template <bool both_move>
double CapsulePair<both_move>::value(const double* u, int point) const {
  const Vec3<double> A = Vec3<double>::load(u), AB = Vec3<double>::load(u + 3) - A, w = point_at(u, point) - A;
  double value = squared(w);
  if (length_squared_ > 0) {
    const double t = dot(w, AB) / length_squared_, s = smooth_clamp(t)[0];
    value -= length_squared_ * (2 * s * t - s * s);
  }
  return value / (reach_ * reach_);
}

template <bool both_move>
void CapsulePair<both_move>::derivatives(const double* u, int point, double* gradient, double* hessian) const {
  const Vec3<double> A = Vec3<double>::load(u), AB = Vec3<double>::load(u + 3) - A, w = point_at(u, point) - A;
  const double scale = 1 / (reach_ * reach_);
  double bend = 0, slope = 0;  // of −L² ψ(t) with respect to L² t: −ψ'(t), and −ψ''(t) / L²
  if (length_squared_ > 0) {
    const double t = dot(w, AB) / length_squared_;
    const auto [s, s1, s2] = smooth_clamp(t);
    slope = -(2 * s + 2 * s1 * t - 2 * s * s1);
    bend = -(4 * s1 + 2 * s2 * t - 2 * s1 * s1 - 2 * s * s2) / length_squared_;
  }
  // By A, B and c: |w|² has the gradient (−2w, 0, 2w), and L² t = w·AB has (−AB − w, w, AB).
  constexpr int kVectors = kInputs / 3;
  const Vec3<double> by_T[3] = {-AB - w, w, AB};
  const double of_w[3][3] = {{2, 0, -2}, {0, 0, 0}, {-2, 0, 2}}, of_T[3][3] = {{2, -1, -1}, {-1, 0, 1}, {-1, 1, 0}};
  // c = (1 − f) C + f D: what A, B, c do with each of A, B, C, D
  const double f = fraction(point);
  const double share[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1 - f, f}};
  Vec3<double> by_input[4], T_by_input[4];
  double curved[4][4] = {};
  for (int a = 0; a < kVectors; ++a) {
    by_input[a] = T_by_input[a] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
      T_by_input[a] = T_by_input[a] + by_T[i] * share[i][a];
      by_input[a] = by_input[a] + w * ((i == 0 ? -2 : i == 2 ? 2 : 0) * share[i][a]);
      for (int b = 0; b < kVectors; ++b) {
        for (int k = 0; k < 3; ++k) curved[a][b] += share[i][a] * share[k][b] * (of_w[i][k] + slope * of_T[i][k]);
      }
    }
  }
  for (int a = 0; a < kVectors; ++a) {
    ((by_input[a] + T_by_input[a] * slope) * scale).store(gradient + 3 * a);
    for (int b = 0; b < kVectors; ++b) {
      for (int i = 0; i < 3; ++i) {
        double* const row = hessian + (3 * a + i) * kInputs + 3 * b;
        for (int k = 0; k < 3; ++k) row[k] = scale * bend * T_by_input[a][i] * T_by_input[b][k];
        row[i] += scale * curved[a][b];
      }
    }
  }
}

template <bool both_move>
double CapsulePair<both_move>::distance(const double* u) const {
  return segment_distance(Vec3<double>::load(u), Vec3<double>::load(u + 3), end_c(u), end_d(u));
}

template class CapsulePair<false>;
template class CapsulePair<true>;

double segment_distance(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c, const Vec3<double>& d) {
  // Nearest points are inside both segments, or one of them is an end.
  double least = std::min(
      {point_to_segment(a, c, d), point_to_segment(b, c, d), point_to_segment(c, a, b), point_to_segment(d, a, b)});
  const Vec3<double> u = b - a, v = d - c, w = a - c;
  const double uu = squared(u), uv = dot(u, v), vv = squared(v), determinant = uu * vv - uv * uv;
  if (determinant > 1e-12 * uu * vv) {
    const double s = (uv * dot(v, w) - vv * dot(u, w)) / determinant;
    const double t = (uu * dot(v, w) - uv * dot(u, w)) / determinant;
    if (s > 0 && s < 1 && t > 0 && t < 1) least = std::min(least, std::sqrt(squared(w + u * s - v * t)));
  }
  return least;
}

}  // namespace verne
