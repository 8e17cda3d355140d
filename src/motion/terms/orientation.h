/// How a frame is turned, as nine channels u: its x, y and z axis r_k in the world, against those of a goal, g_k.
/// docs/theory/motion.md, (8).
#pragma once

#include "motion/terms/node_term.h"

namespace verne {

/// Cosine of the angle between the two orientations, (Σ g_k · r_k − 1) / 2: linear in u.
inline double cosine_between(const Mat3<double>& goal, const double* u) {
  double trace = 0;
  for (int k = 0; k < 3; ++k) trace += dot(goal.column(k), Vec3<double>::load(u + 3 * k));
  return (trace - 1) / 2;
}

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

 private:
  Mat3<double> goal_;
};

}  // namespace verne
