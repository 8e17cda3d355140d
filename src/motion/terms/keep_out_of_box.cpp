#include "motion/terms/keep_out_of_box.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace verne {

namespace {

constexpr double kRounding = 0.05;     // of kinks, in ρ
constexpr double kLinkSpacing = 0.25;  // of a link's points, in ρ
constexpr double kLowered = 0.002;     // by how much less than the rounded distance counts, in ρ: rounding adds less

/// |x|, max(x, 0) and min(x, 0), rounded within e; each with its first two derivatives.
std::array<double, 3> smooth_size(double x, double e) {
  const double r = std::sqrt(x * x + e * e);
  return {r, x / r, e * e / (r * r * r)};
}
std::array<double, 3> positive_part(double x, double e) {
  const auto [r, r1, r2] = smooth_size(x, e);
  return {(x + r) / 2, (1 + r1) / 2, r2 / 2};
}
std::array<double, 3> negative_part(double x, double e) {
  const auto [r, r1, r2] = smooth_size(x, e);
  return {(x - r) / 2, (1 - r1) / 2, -r2 / 2};
}

/// Signed distance from a box, (11a), and its derivatives.
struct SmoothDistance {
  double value;
  double gradient[3], hessian[3][3];

  SmoothDistance(const Vec3<double>& y, const Vec3<double>& half, double e, bool differentiate) {
    std::array<double, 3> a[3], p[3];  // |y_i|, and the positive part of g_i = |y_i| − h_i
    double g[3], weight[3], squares = 0;
    for (int i = 0; i < 3; ++i) {
      a[i] = smooth_size(y[i], e);
      g[i] = a[i][0] - half[i];
      p[i] = positive_part(g[i], e);
      squares += p[i][0] * p[i][0];
    }
    const double root = std::sqrt(squares), largest = std::max({g[0], g[1], g[2]});
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += weight[i] = std::exp((g[i] - largest) / e);
    const auto [n, n1, n2] = negative_part(largest + e * std::log(sum), e);
    value = root + n;
    if (!differentiate) return;
    double outward[3], by_g[3];  // of the root, and of all
    for (int i = 0; i < 3; ++i) {
      weight[i] /= sum;
      outward[i] = p[i][0] * p[i][1] / root;
      by_g[i] = outward[i] + n1 * weight[i];
      gradient[i] = by_g[i] * a[i][1];
    }
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        double curved = -outward[i] * outward[k] / root + (n2 - n1 / e) * weight[i] * weight[k];
        if (i == k) curved += (p[i][1] * p[i][1] + p[i][0] * p[i][2]) / root + n1 / e * weight[i];
        hessian[i][k] = curved * a[i][1] * a[k][1] + (i == k ? by_g[i] * a[i][2] : 0);
      }
    }
  }
};

}  // namespace

CapsuleAndBox::CapsuleAndBox(const LinkCapsule& part, const BoxTask& box, double reach)
    : pose_(box.pose),
      half_(box.size * 0.5),
      reach_(reach),
      points_(points_along(std::sqrt(dot(part.to - part.from, part.to - part.from)), kLinkSpacing * reach)) {}

double CapsuleAndBox::value(const double* u, int point) const {
  return SmoothDistance(point_at(u, point), half_, kRounding * reach_, false).value / reach_ - kLowered;
}

void CapsuleAndBox::derivatives(const double* u, int point, double* gradient, double* hessian) const {
  const SmoothDistance d(point_at(u, point), half_, kRounding * reach_, true);
  const Mat3<double>& R = pose_.R;
  const double f = fraction(point), share[2] = {1 - f, f};
  for (int i = 0; i < 3; ++i) {
    double by_i = 0, by_ik[3] = {0, 0, 0};
    for (int a = 0; a < 3; ++a) {
      by_i += R(i, a) * d.gradient[a] / reach_;
      for (int b = 0; b < 3; ++b) {
        for (int k = 0; k < 3; ++k) by_ik[k] += R(i, a) * d.hessian[a][b] * R(k, b) / reach_;
      }
    }
    for (int A = 0; A < 2; ++A) {
      gradient[3 * A + i] = share[A] * by_i;
      for (int B = 0; B < 2; ++B) {
        for (int k = 0; k < 3; ++k) hessian[(3 * A + i) * kInputs + 3 * B + k] = share[A] * share[B] * by_ik[k];
      }
    }
  }
}

double CapsuleAndBox::distance(const double* u) const {
  return segment_to_box(in_box(Vec3<double>::load(u)), in_box(Vec3<double>::load(u + 3)), half_);
}

// The squared distance of a + t (b − a) is convex and, between the places where it crosses a plane of the box, a
// quadratic in t.
double segment_to_box(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& half) {
  const Vec3<double> d = b - a;
  const auto outside = [&](double t, int i) {
    const double x = a[i] + t * d[i];
    return x - std::clamp(x, -half[i], half[i]);
  };
  const auto squared_at = [&](double t) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += outside(t, i) * outside(t, i);
    return sum;
  };
  std::array<double, 8> marks{0, 1};
  int count = 2;
  for (int i = 0; i < 3; ++i) {
    for (const double plane : {-half[i], half[i]}) {
      const double t = (plane - a[i]) / d[i];  // no mark where that is not finite
      if (t > 0 && t < 1) marks[count++] = t;
    }
  }
  std::sort(marks.begin(), marks.begin() + count);
  double least = std::min(squared_at(0), squared_at(1));
  for (int k = 1; k < count; ++k) {
    const double low = marks[k - 1], high = marks[k], middle = (low + high) / 2;
    double slope = 0, bend = 0;  // of half the square at the middle
    for (int i = 0; i < 3; ++i) {
      const double x = outside(middle, i);
      if (x != 0) slope += x * d[i], bend += d[i] * d[i];
    }
    const double t = bend > 0 ? std::clamp(middle - slope / bend, low, high) : middle;
    least = std::min(least, squared_at(t));
  }
  return std::sqrt(least);
}

}  // namespace verne
