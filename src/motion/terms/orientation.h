/// How a frame is turned, as nine channels u: its x, y and z axis r_k in the world, against those of a goal, g_k.
/// docs/theory/motion.md, (8).
#pragma once

#include <algorithm>
#include <cmath>

#include "motion/node_term.h"

namespace verne {

/// Cosine of the angle between the two orientations, (Σ g_k · r_k − 1) / 2: linear in u.
inline double cosine_between(const Mat3<double>& goal, const double* u) {
  double trace = 0;
  for (int k = 0; k < 3; ++k) trace += dot(goal.column(k), Vec3<double>::load(u + 3 * k));
  return (trace - 1) / 2;
}

/// The angle is at most `tolerance`: (1 − cos angle) / (1 − cos tolerance) ≤ 1, which says the same for small
/// tolerances as for large ones, where the cosine alone would be near 1 whatever the angle.
class OrientationLimit : public LimitTerm {
 public:
  OrientationLimit(LimitName name, std::vector<int> axes, const Mat3<double>& goal, double tolerance)
      : LimitTerm(std::move(name), std::move(axes)), goal_(goal), tolerance_(tolerance) {}

  void value(const double* u, double* rows) const override { rows[0] = (1 - cosine_between(goal_, u)) / widest(); }
  void jacobian(const double*, double* J) const override {
    for (int k = 0; k < 3; ++k) (goal_.column(k) * (-0.5 / widest())).store(J + 3 * k);
  }
  void hessian(const double*, const double*, double*) const override {}
  bool linear() const override { return true; }
  Interval bounds(int) const override { return {-kInfinity, 1 - tightening_}; }
  double measured(const double* u) const override { return std::acos(std::clamp(cosine_between(goal_, u), -1.0, 1.0)); }
  Interval measured_bounds() const override { return {-kInfinity, tolerance_}; }
  double rate() const override { return std::sin(tolerance_) / widest(); }
  void tighten(double fraction) override { tightening_ += fraction * tolerance_ * rate(); }

 private:
  double widest() const { return 1 - std::cos(tolerance_); }

  Mat3<double> goal_;
  double tolerance_;
  double tightening_ = 0;
};

/// The orientation is that of the goal. Rows 0 to 2: the rotation vector from the goal to the frame is zero. Its length
/// is the angle and nothing else, so that it has no zero at 180°, where the sine has one; there it jumps to its
/// opposite. Row 3 keeps away from that: the angle is at most 150°.
class OrientationEquation : public LimitTerm {
 public:
  OrientationEquation(LimitName name, std::vector<int> axes, const Mat3<double>& goal)
      : LimitTerm(std::move(name), std::move(axes), 4), goal_(goal) {}

  void value(const double* u, double* rows) const override;
  void jacobian(const double* u, double* J) const override;
  void hessian(const double* u, const double* multipliers, double* H) const override;
  Interval bounds(int row) const override;
  double measured(const double* u) const override;
  Interval measured_bounds() const override { return {0, 0}; }
  void tighten(double) override {}  // nothing is tighter than an equation

 private:
  Mat3<double> goal_;
};

}  // namespace verne
