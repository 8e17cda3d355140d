#pragma once

#include <algorithm>
#include <cmath>

#include "motion/node_term.h"

namespace verne {

/// The axes of a frame (nine channels: x, y, z axis in the world) point as those of R_goal. Both forms are linear in
/// the axes r_k, with g_k the columns of R_goal:
///   exact      ½ Σ_k g_k × r_k = 0, three rows: sin(angle) times the axis between the two orientations
///   tolerance  (Σ_k g_k · r_k − 1) / 2 ≥ cos(tolerance), the cosine of that angle
class OrientationLimit : public LimitTerm {
 public:
  OrientationLimit(LimitName name, std::vector<int> axes, const Mat3<double>& goal, double tolerance)
      : LimitTerm(std::move(name), std::move(axes), tolerance > 0 ? 1 : 3), goal_(goal), tolerance_(tolerance) {}

  void value(const double* u, double* rows) const override {
    if (tolerance_ > 0) {
      rows[0] = cosine(u);
      return;
    }
    Vec3<double> sum{0, 0, 0};
    for (int k = 0; k < 3; ++k) sum += cross(goal_.column(k), Vec3<double>::load(u + 3 * k));
    (sum * 0.5).store(rows);
  }
  void jacobian(const double*, double* J) const override {
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> g = goal_.column(k);
      for (int i = 0; i < 3; ++i) {
        if (tolerance_ > 0) {
          J[3 * k + i] = g[i] / 2;
          continue;
        }
        Vec3<double> e{0, 0, 0};
        e[i] = 0.5;
        const Vec3<double> column = cross(g, e);
        for (int row = 0; row < 3; ++row) J[9 * row + 3 * k + i] = column[row];
      }
    }
  }
  void hessian(const double*, const double*, double*) const override {}
  bool linear() const override { return true; }
  Interval bounds(int) const override {
    return tolerance_ > 0 ? Interval{std::cos(tolerance_) + tightening_, kInfinity} : Interval{0, 0};
  }
  double measured(const double* u) const override { return std::acos(std::clamp(cosine(u), -1.0, 1.0)); }
  Interval measured_bounds() const override { return {-kInfinity, tolerance_}; }
  double rate() const override { return tolerance_ > 0 ? std::sin(tolerance_) : 1; }
  void tighten(double fraction) override { tightening_ += fraction * tolerance_ * rate(); }

 private:
  double cosine(const double* u) const {
    double trace = 0;
    for (int k = 0; k < 3; ++k) trace += dot(goal_.column(k), Vec3<double>::load(u + 3 * k));
    return (trace - 1) / 2;
  }
  Mat3<double> goal_;
  double tolerance_;
  double tightening_ = 0;
};

}  // namespace verne
