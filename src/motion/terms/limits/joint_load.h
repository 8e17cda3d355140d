/// The term of limits of the force or the moment in a joint.
#pragma once

#include <cmath>

#include "motion/terms/node_term.h"

namespace verne {

/// |u|² / limit² ≤ 1 for three channels from `first` on: the force or the moment in a joint.
class NormLimit : public LimitTerm {
 public:
  NormLimit(LimitName name, int first, double limit)
      : LimitTerm(std::move(name), {first, first + 1, first + 2}), limit_(limit) {}

  void value(const double* u, double* rows) const override { rows[0] = squared(u) / (limit_ * limit_); }
  void jacobian(const double* u, double* J) const override {
    for (int i = 0; i < 3; ++i) J[i] = 2 * u[i] / (limit_ * limit_);
  }
  void hessian(const double*, const double* multipliers, double* H) const override {
    for (int i = 0; i < 3; ++i) H[4 * i] += 2 * multipliers[0] / (limit_ * limit_);
  }
  Interval bounds(int) const override { return {-kInfinity, 1}; }
  double measured(const double* u) const override { return std::sqrt(squared(u)); }
  Interval measured_bounds() const override { return {-kInfinity, limit_}; }
  double rate() const override { return 2 / limit_; }

 private:
  static double squared(const double* u) { return u[0] * u[0] + u[1] * u[1] + u[2] * u[2]; }
  double limit_;
};

}  // namespace verne
