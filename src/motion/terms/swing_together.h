/// The term of `swing_together`: an arm and the other leg of a walker.
#pragma once

#include <cmath>

#include "motion/terms/node_term.h"

namespace verne {

/// Two limbs swing the same way: with x, y how far the ends of either are ahead of where they begin, x y ≥ −slack².
/// docs/theory/gait.md, (25). Inputs: end and start of the first limb, then of the second, three coordinates each. It
/// is reported as ±√|x y|, which has the sign of x y.
class SwingTogether : public LimitTerm {
 public:
  SwingTogether(LimitName name, std::vector<int> inputs, const Vec3<double>& along, double slack)
      : LimitTerm(std::move(name), std::move(inputs)), along_(along), slack_(slack) {}

  void value(const double* u, double* rows) const override { rows[0] = ahead(u) * ahead(u + 6) / (slack_ * slack_); }
  void jacobian(const double* u, double* J) const override {
    const double by_first = ahead(u + 6) / (slack_ * slack_), by_second = ahead(u) / (slack_ * slack_);
    for (int k = 0; k < 3; ++k) {
      J[k] = by_first * along_[k], J[3 + k] = -J[k];
      J[6 + k] = by_second * along_[k], J[9 + k] = -J[6 + k];
    }
  }
  void hessian(const double*, const double* multipliers, double* H) const override {
    for (int i = 0; i < 6; ++i) {
      for (int k = 6; k < 12; ++k) {
        const double sign = (i < 3) == (k < 9) ? 1 : -1;
        const double mixed = sign * multipliers[0] * along_[i % 3] * along_[k % 3] / (slack_ * slack_);
        H[12 * i + k] += mixed, H[12 * k + i] += mixed;
      }
    }
  }
  Interval bounds(int) const override { return {-1, kInfinity}; }
  double measured(const double* u) const override {
    const double product = ahead(u) * ahead(u + 6);
    return std::copysign(std::sqrt(std::abs(product)), product);
  }
  Interval measured_bounds() const override { return {-slack_, kInfinity}; }
  double rate() const override { return 2 / slack_; }

 private:
  /// Of the end of a limb, before its start.
  double ahead(const double* u) const {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += along_[k] * (u[k] - u[3 + k]);
    return sum;
  }

  Vec3<double> along_;
  double slack_;
};

}  // namespace verne
