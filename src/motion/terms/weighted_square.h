/// The term of costs that are sums of squares: effort, smoothness, joint_force, reference.
#pragma once

#include "motion/terms/node_term.h"

namespace verne {

/// scale (u − target)² − less: of an effort, a component of a joint's force, an acceleration, the distance to a
/// posture.
class WeightedSquare : public NodeTerm {
 public:
  WeightedSquare(int input, double scale, double target = 0, double less = 0)
      : NodeTerm({input}), scale_(scale), target_(target), less_(less) {}

  void value(const double* u, double* rows) const override {
    rows[0] = scale_ * (u[0] - target_) * (u[0] - target_) - less_;
  }
  void jacobian(const double* u, double* J) const override { J[0] = 2 * scale_ * (u[0] - target_); }
  void hessian(const double*, const double* multipliers, double* H) const override {
    H[0] += 2 * scale_ * multipliers[0];
  }

 private:
  double scale_, target_, less_;
};

}  // namespace verne
