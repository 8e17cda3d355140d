#pragma once

#include <cmath>

#include "motion/node_term.h"

namespace verne {

/// Σ scale_i |tau_i v_i|, the mechanical power that joints give or take, with |p| smoothed to sqrt(p² + ε²) − ε.
/// Inputs: all efforts, then all velocities.
class PowerCost : public NodeTerm {
 public:
  PowerCost(std::vector<int> inputs, std::vector<double> scales, double smoothing)
      : NodeTerm(std::move(inputs)), scales_(std::move(scales)), smoothing_(smoothing) {}

  void value(const double* u, double* rows) const override {
    rows[0] = 0;
    for (int i = 0; i < count(); ++i) rows[0] += scales_[i] * (root(u[i] * u[count() + i]) - smoothing_);
  }
  void jacobian(const double* u, double* J) const override {
    for (int i = 0; i < count(); ++i) {
      const double p = u[i] * u[count() + i], slope = scales_[i] * p / root(p);
      J[i] = slope * u[count() + i];
      J[count() + i] = slope * u[i];
    }
  }
  void hessian(const double* u, const double* multipliers, double* H) const override {
    const int size = 2 * count();
    for (int i = 0; i < count(); ++i) {
      const int k = count() + i;
      const double p = u[i] * u[k], r = root(p), scale = scales_[i] * multipliers[0];
      const double slope = scale * p / r, bend = scale * smoothing_ * smoothing_ / (r * r * r);
      H[i * size + i] += bend * u[k] * u[k];
      H[k * size + k] += bend * u[i] * u[i];
      H[i * size + k] += slope + bend * p;
      H[k * size + i] += slope + bend * p;
    }
  }

 private:
  int count() const { return static_cast<int>(scales_.size()); }
  double root(double p) const { return std::sqrt(p * p + smoothing_ * smoothing_); }
  std::vector<double> scales_;
  double smoothing_;
};

}  // namespace verne
