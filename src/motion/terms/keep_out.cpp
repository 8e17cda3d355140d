#include "motion/terms/keep_out.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace verne {

namespace {

constexpr double kClampWidth = 0.02;    // of the smooth clamp, in lengths of the link
constexpr double kSharpness = 200;      // of the smooth minimum, per ρ²
constexpr double kPointSpacing = 0.5;   // of an obstacle's points, in ρ
constexpr double kLeastWeight = 1e-20;  // weights that do not matter

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

struct KeepOut::Sample {
  std::array<double, 6> gradient;
  std::array<double, 36> hessian;
};

KeepOut::KeepOut(LimitName name, int end_a, int end_b, const LinkCapsule& part, const ObstacleTask& obstacle,
                 double margin)
    : LimitTerm(std::move(name), {end_a, end_a + 1, end_a + 2, end_b, end_b + 1, end_b + 2}),
      length_squared_(squared(part.to - part.from)),
      reach_(part.radius + obstacle.radius + margin),
      from_(obstacle.from),
      to_(obstacle.to) {
  const Vec3<double> axis = to_ - from_;
  const int gaps = static_cast<int>(std::ceil(std::sqrt(squared(axis)) / (kPointSpacing * reach_)));
  for (int k = 0; k <= gaps; ++k) points_.push_back(from_ + axis * (gaps > 0 ? double(k) / gaps : 0.0));
}

double KeepOut::squared_distance(const double* u, const Vec3<double>& point) const {
  const Vec3<double> A = Vec3<double>::load(u), AB = Vec3<double>::load(u + 3) - A, w = point - A;
  double value = squared(w);
  if (length_squared_ > 0) {
    const double t = dot(w, AB) / length_squared_, s = smooth_clamp(t)[0];
    value -= length_squared_ * (2 * s * t - s * s);
  }
  return value / (reach_ * reach_);
}

KeepOut::Sample KeepOut::sample(const double* u, const Vec3<double>& point) const {
  const Vec3<double> A = Vec3<double>::load(u), AB = Vec3<double>::load(u + 3) - A, w = point - A;
  const double scale = 1 / (reach_ * reach_);
  Sample out{};
  double bend = 0, slope = 0;  // of −L² ψ(t) with respect to L² t: −ψ'(t), and −ψ''(t) / L²
  if (length_squared_ > 0) {
    const double t = dot(w, AB) / length_squared_;
    const auto [s, s1, s2] = smooth_clamp(t);
    slope = -(2 * s + 2 * s1 * t - 2 * s * s1);
    bend = -(4 * s1 + 2 * s2 * t - 2 * s1 * s1 - 2 * s * s2) / length_squared_;
  }
  // L² t = w·AB: its gradient is (−AB − w, w); |w|² has −2w
  std::array<double, 6> g;
  for (int i = 0; i < 3; ++i) {
    g[i] = -AB[i] - w[i], g[3 + i] = w[i];
    out.gradient[i] = scale * (-2 * w[i] + slope * g[i]);
    out.gradient[3 + i] = scale * slope * g[3 + i];
  }
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 6; ++k) out.hessian[6 * i + k] = scale * bend * g[i] * g[k];
  }
  for (int i = 0; i < 3; ++i) {
    out.hessian[7 * i] += scale * (2 + 2 * slope);
    out.hessian[6 * i + 3 + i] -= scale * slope;
    out.hessian[6 * (3 + i) + i] -= scale * slope;
  }
  return out;
}

template <class Visit>
double KeepOut::minimum(const double* u, Visit&& visit) const {
  if (points_.size() == 1) {
    visit(points_[0], 1.0);
    return squared_distance(u, points_[0]);
  }
  double least = kInfinity, sum = 0;
  for (const Vec3<double>& point : points_) least = std::min(least, squared_distance(u, point));
  const auto weight = [&](const Vec3<double>& point) {
    return std::exp(-kSharpness * (squared_distance(u, point) - least));
  };
  for (const Vec3<double>& point : points_) sum += weight(point);
  for (const Vec3<double>& point : points_) {
    const double share = weight(point) / sum;
    if (share > kLeastWeight) visit(point, share);
  }
  return least - std::log(sum) / kSharpness;
}

void KeepOut::value(const double* u, double* rows) const {
  rows[0] = minimum(u, [](const Vec3<double>&, double) {});
}

void KeepOut::jacobian(const double* u, double* J) const {
  std::fill(J, J + 6, 0.0);
  minimum(u, [&](const Vec3<double>& point, double weight) {
    const Sample s = sample(u, point);
    for (int i = 0; i < 6; ++i) J[i] += weight * s.gradient[i];
  });
}

// With weights p: ∇²m = Σ p_k (∇²f_k − β ∇f_k ∇f_kᵀ) + β ∇m ∇mᵀ
void KeepOut::hessian(const double* u, const double* multipliers, double* H) const {
  std::array<double, 6> mean{};
  minimum(u, [&](const Vec3<double>& point, double weight) {
    const Sample s = sample(u, point);
    for (int i = 0; i < 6; ++i) {
      mean[i] += weight * s.gradient[i];
      for (int j = 0; j < 6; ++j) {
        const double own = s.hessian[6 * i + j] - kSharpness * s.gradient[i] * s.gradient[j];
        H[6 * i + j] += multipliers[0] * weight * own;
      }
    }
  });
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) H[6 * i + j] += multipliers[0] * kSharpness * mean[i] * mean[j];
  }
}

double KeepOut::measured(const double* u) const {
  return segment_distance(Vec3<double>::load(u), Vec3<double>::load(u + 3), from_, to_);
}

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
