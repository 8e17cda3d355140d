#include "motion/terms/axis.h"

#include <array>
#include <cmath>

namespace verne {

namespace {

constexpr double kLeastCosine = -0.8660254037844387;  // of 150°

/// 2 / (1 + c) and its first two derivatives; below the least cosine, as the parabola that touches it there.
std::array<double, 3> stretch(double cosine) {
  const double c = std::max(cosine, kLeastCosine), below = cosine - c;
  const double f = 2 / (1 + c), f1 = -f / (1 + c), f2 = -2 * f1 / (1 + c);
  return {f + below * (f1 + below * f2 / 2), f1 + below * f2, f2};
}

}  // namespace

AxisEquation::AxisEquation(LimitName name, std::vector<int> axis, const Vec3<double>& goal)
    : LimitTerm(std::move(name), std::move(axis), 3), goal_(goal) {
  int least = 0;
  for (int k = 1; k < 3; ++k) least = std::abs(goal[k]) < std::abs(goal[least]) ? k : least;
  Vec3<double> other{0, 0, 0};
  other[least] = 1;
  const Vec3<double> normal = cross(goal, other);
  across_[0] = normal * (1 / std::sqrt(dot(normal, normal)));
  across_[1] = cross(goal, across_[0]);
}

void AxisEquation::value(const double* u, double* rows) const {
  const Vec3<double> r = Vec3<double>::load(u);
  rows[2] = dot(goal_, r);
  for (int i = 0; i < 2; ++i) rows[i] = stretch(rows[2])[0] * dot(across_[i], r);
}

void AxisEquation::jacobian(const double* u, double* J) const {
  const Vec3<double> r = Vec3<double>::load(u);
  const auto [f, f1, f2] = stretch(dot(goal_, r));
  for (int i = 0; i < 2; ++i) (across_[i] * f + goal_ * (f1 * dot(across_[i], r))).store(J + 3 * i);
  goal_.store(J + 6);
}

void AxisEquation::hessian(const double* u, const double* multipliers, double* H) const {
  const Vec3<double> r = Vec3<double>::load(u), w = across_[0] * multipliers[0] + across_[1] * multipliers[1];
  const auto [f, f1, f2] = stretch(dot(goal_, r));
  const double bend = f2 * dot(w, r);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      H[3 * i + k] += f1 * (w[i] * goal_[k] + goal_[i] * w[k]) + bend * goal_[i] * goal_[k];
    }
  }
}

Interval AxisEquation::bounds(int row) const {
  return row < 2 ? Interval{0, 0} : Interval{kLeastCosine, kInfinity};
}

double AxisEquation::measured(const double* u) const {
  const Vec3<double> r = Vec3<double>::load(u), sine = cross(goal_, r);
  return std::atan2(std::sqrt(dot(sine, sine)), dot(goal_, r));
}

}  // namespace verne
