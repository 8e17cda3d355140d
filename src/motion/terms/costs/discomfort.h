/// The term of the cost `discomfort`.
#pragma once

#include "motion/terms/node_term.h"

namespace verne {

/// How near a coordinate is to the ends of its range: r² + r⁴/2 + r⁶/3 with r = (q − middle) / half the range. That is
/// the beginning of −ln(1 − r²), a barrier, but finite everywhere.
class Discomfort : public NodeTerm {
 public:
  Discomfort(int input, double scale, double middle, double half)
      : NodeTerm({input}), scale_(scale), middle_(middle), half_(half) {}

  void value(const double* u, double* rows) const override {
    const double s = square(u[0]);
    rows[0] = scale_ * s * (1 + s * (1.0 / 2 + s / 3));
  }
  void jacobian(const double* u, double* J) const override {
    const double s = square(u[0]);
    J[0] = 2 * scale_ * (u[0] - middle_) / (half_ * half_) * (1 + s * (1 + s));
  }
  void hessian(const double* u, const double* multipliers, double* H) const override {
    const double s = square(u[0]);
    H[0] += multipliers[0] * 2 * scale_ / (half_ * half_) * (1 + s * (3 + 5 * s));
  }

 private:
  double square(double q) const {
    const double r = (q - middle_) / half_;
    return r * r;
  }
  double scale_, middle_, half_;
};

}  // namespace verne
