/// The term of frame goals whose axis is to point somewhere exactly.
#pragma once

#include "motion/terms/node_term.h"

namespace verne {

/// A direction r of a frame, three channels, points to g. Rows 0 and 1 are its stereographic image, 2 tan(angle / 2) in
/// the plane across g, which is zero for r = g only and grows all the way to the opposite direction. Row 2 is the
/// cosine: the angle is at most 150°, beyond which the image is continued smoothly. docs/theory/motion.md, (8a).
class AxisEquation : public LimitTerm {
 public:
  AxisEquation(LimitName name, std::vector<int> axis, const Vec3<double>& goal);

  void value(const double* u, double* rows) const override;
  void jacobian(const double* u, double* J) const override;
  void hessian(const double* u, const double* multipliers, double* H) const override;
  Interval bounds(int row) const override;
  double measured(const double* u) const override;
  Interval measured_bounds() const override { return {0, 0}; }

 private:
  Vec3<double> goal_, across_[2];  // orthonormal
};

}  // namespace verne
