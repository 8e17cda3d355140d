#pragma once

#include <cmath>

#include "motion/terms/node_term.h"

namespace verne {

/// Counts as scale u̇²: docs/theory/motion.md, (16e).
class SquaredRate : public NodeTerm {
 public:
  SquaredRate(int input, double scale) : NodeTerm({input}), root_(std::sqrt(scale)) {}

  void value(const double* u, double* rows) const override { rows[0] = root_ * u[0]; }
  void jacobian(const double*, double* J) const override { J[0] = root_; }
  void hessian(const double*, const double*, double*) const override {}
  bool of_rate() const override { return true; }

 private:
  double root_;
};

}  // namespace verne
