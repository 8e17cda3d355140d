#include "motion/terms/keep_out_of_box.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace verne {

namespace {

constexpr double kRounding = 0.08;  // of kinks, in ρ
constexpr double kEnds = 0.002;     // of the ends of the link's axis, in ρ
constexpr double kSteep = 2;        // slope beyond them, in that of the distance, which is one at most
constexpr double kBowl = 0.02;      // by how much less counts in the middle of the axis, in ρ
constexpr double kLowered = 0.01;   // by how much less than the rounded distance counts, in ρ: rounding adds less
constexpr int kMostSteps = 60;
constexpr double kSamePoint = 1e-15;  // of the axis: steps end there

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

  SmoothDistance(const Vec3<double>& y, const Vec3<double>& half, double e) {
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

/// What keeps the parameter t of a point of the axis between 0 and 1, (11b), with its first two derivatives.
std::array<double, 3> fence(double t, double length, double reach) {
  const double e = kEnds * reach / length, steep = kSteep * length, bowl = 4 * kBowl * reach;
  const auto [a, a1, a2] = smooth_size(t, e);
  const auto [b, b1, b2] = smooth_size(1 - t, e);
  return {steep * (a + b - 1) - bowl * t * (1 - t), steep * (a1 - b1) - bowl * (1 - 2 * t),
          steep * (a2 + b2) + 2 * bowl};
}

/// A point of the axis, and what is there.
struct AxisPoint {
  double t;
  Vec3<double> along;  // from A to B, in the axes of the box
  SmoothDistance distance;
  std::array<double, 3> fence{};

  double slope() const {
    double sum = fence[1];
    for (int i = 0; i < 3; ++i) sum += distance.gradient[i] * along[i];
    return sum;
  }
  double bend() const {
    double sum = fence[2];
    for (int i = 0; i < 3; ++i) sum += along[i] * by_along(i);
    return sum;
  }
  double by_along(int i) const {
    return distance.hessian[i][0] * along.x + distance.hessian[i][1] * along.y + distance.hessian[i][2] * along.z;
  }
};

/// The one that counts, for an axis from `a` in the axes of the box: by Newton's method the least of a function that is
/// convex but for its rounding, between two places where it falls and rises.
AxisPoint nearest(const Vec3<double>& a, const Vec3<double>& along, const Vec3<double>& half, double length,
                  double reach) {
  const auto at = [&](double t) {
    AxisPoint there{t, along, SmoothDistance(a + along * t, half, kRounding * reach)};
    if (length > 0) there.fence = fence(t, length, reach);
    return there;
  };
  if (length == 0) return at(0);
  double low = -0.5, high = 1.5;
  AxisPoint there = at(0.5);
  for (int k = 0; k < kMostSteps; ++k) {
    const double slope = there.slope(), bend = there.bend();
    (slope < 0 ? low : high) = there.t;
    double next = there.t - slope / bend;
    if (!(bend > 0 && next > low && next < high)) next = (low + high) / 2;
    const double step = std::abs(next - there.t);
    there = at(next);
    if (step < kSamePoint) break;
  }
  return there;
}

}  // namespace

CapsuleAndBox::CapsuleAndBox(const LinkCapsule& part, const BoxSpec& box, double reach)
    : pose_(box.pose),
      half_(box.size * 0.5),
      reach_(reach),
      length_(std::sqrt(dot(part.to - part.from, part.to - part.from))) {}

double CapsuleAndBox::value(const double* u, int) const {
  const Vec3<double> A = in_box(Vec3<double>::load(u)), B = in_box(Vec3<double>::load(u + 3));
  const AxisPoint there = nearest(A, B - A, half_, length_, reach_);
  return (there.distance.value + there.fence[0]) / reach_ - kLowered;
}

// The least of F(u, t) over t has the gradient F_u and the second derivatives F_uu − F_ut F_tu / F_tt.
void CapsuleAndBox::derivatives(const double* u, int, double* gradient, double* hessian) const {
  const Vec3<double> A = in_box(Vec3<double>::load(u)), B = in_box(Vec3<double>::load(u + 3));
  const AxisPoint there = nearest(A, B - A, half_, length_, reach_);
  const SmoothDistance& d = there.distance;
  const Mat3<double>& R = pose_.R;
  const double share[2] = {1 - there.t, there.t}, by_t[2] = {-1, 1};
  Vec3<double> outward{0, 0, 0}, turned{0, 0, 0};  // gradient, and its change along the axis, in the world
  double by_point[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int a = 0; a < 3; ++a) {
      outward[i] += R(i, a) * d.gradient[a] / reach_;
      turned[i] += R(i, a) * there.by_along(a) / reach_;
    }
    for (int k = 0; k < 3; ++k) {
      by_point[i][k] = 0;
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) by_point[i][k] += R(i, a) * d.hessian[a][b] * R(k, b) / reach_;
      }
    }
  }
  double mixed[kInputs];
  for (int m = 0; m < 2; ++m) {
    for (int i = 0; i < 3; ++i) {
      gradient[3 * m + i] = share[m] * outward[i];
      mixed[3 * m + i] = by_t[m] * outward[i] + share[m] * turned[i];
    }
  }
  const double flexible = length_ > 0 ? reach_ / there.bend() : 0;
  for (int m = 0; m < 2; ++m) {
    for (int i = 0; i < 3; ++i) {
      double* const row = hessian + (3 * m + i) * kInputs;
      for (int n = 0; n < 2; ++n) {
        for (int k = 0; k < 3; ++k) {
          row[3 * n + k] = share[m] * share[n] * by_point[i][k] - flexible * mixed[3 * m + i] * mixed[3 * n + k];
        }
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
