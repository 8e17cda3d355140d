/// The term of frame goals that allow an angle: of an axis, or of an orientation.
#pragma once

#include <algorithm>
#include <cmath>

#include "motion/terms/node_term.h"

namespace verne {

/// An angle is at most `tolerance`: (1 − cos angle) / (1 − cos tolerance) ≤ 1, which says the same for small tolerances
/// as for large ones, where the cosine alone would be near 1 whatever the angle. The cosine is linear in u. Of an axis
/// r that points to g it is g · r; of an orientation with the axes r_k it is (Σ g_k · r_k − 1) / 2.
class AngleLimit : public LimitTerm {
 public:
  AngleLimit(LimitName name, std::vector<int> axis, const Vec3<double>& goal, double tolerance)
      : LimitTerm(std::move(name), std::move(axis)), slopes_{goal.x, goal.y, goal.z}, tolerance_(tolerance) {}
  AngleLimit(LimitName name, std::vector<int> axes, const Mat3<double>& goal, double tolerance)
      : LimitTerm(std::move(name), std::move(axes)), constant_(-0.5), slopes_(9), tolerance_(tolerance) {
    for (int k = 0; k < 3; ++k) (goal.column(k) * 0.5).store(slopes_.data() + 3 * k);
  }

  void value(const double* u, double* rows) const override { rows[0] = (1 - cosine(u)) / widest(); }
  void jacobian(const double*, double* J) const override {
    for (std::size_t k = 0; k < slopes_.size(); ++k) J[k] = -slopes_[k] / widest();
  }
  void hessian(const double*, const double*, double*) const override {}
  bool linear() const override { return true; }
  Interval bounds(int) const override { return {-kInfinity, 1}; }
  double measured(const double* u) const override { return std::acos(std::clamp(cosine(u), -1.0, 1.0)); }
  Interval measured_bounds() const override { return {-kInfinity, tolerance_}; }
  double rate() const override { return std::sin(tolerance_) / widest(); }

 private:
  double cosine(const double* u) const {
    double sum = constant_;
    for (std::size_t k = 0; k < slopes_.size(); ++k) sum += slopes_[k] * u[k];
    return sum;
  }
  double widest() const { return 1 - std::cos(tolerance_); }

  double constant_ = 0;
  std::vector<double> slopes_;
  double tolerance_;
};

}  // namespace verne
