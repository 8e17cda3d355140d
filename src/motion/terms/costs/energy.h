/// The term of the cost `energy`.
#pragma once

#include <cmath>

#include "motion/terms/node_term.h"

namespace verne {

/// scale |tau v|, the mechanical power that a joint gives or takes, with |p| smoothed to sqrt(p² + ε²) − ε.
/// Inputs: effort, velocity.
class PowerCost : public NodeTerm {
 public:
  PowerCost(int effort, int velocity, double scale, double smoothing)
      : NodeTerm({effort, velocity}), scale_(scale), smoothing_(smoothing) {}

  void value(const double* u, double* rows) const override { rows[0] = scale_ * (root(u[0] * u[1]) - smoothing_); }
  void jacobian(const double* u, double* J) const override {
    const double p = u[0] * u[1], slope = scale_ * p / root(p);
    J[0] = slope * u[1];
    J[1] = slope * u[0];
  }
  void hessian(const double* u, const double* multipliers, double* H) const override {
    const double p = u[0] * u[1], r = root(p), scale = scale_ * multipliers[0];
    const double slope = scale * p / r, bend = scale * smoothing_ * smoothing_ / (r * r * r);
    H[0] += bend * u[1] * u[1];
    H[3] += bend * u[0] * u[0];
    H[1] += slope + bend * p;
    H[2] += slope + bend * p;
  }

 private:
  double root(double p) const { return std::sqrt(p * p + smoothing_ * smoothing_); }
  double scale_, smoothing_;
};

}  // namespace verne
