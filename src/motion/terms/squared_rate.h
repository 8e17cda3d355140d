/// The term of costs of rates: effort_rate, ground_rate, steadiness.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "motion/terms/node_term.h"

namespace verne {

/// Counts as the square of the rate of a sum Σ factor u: docs/theory/motion.md, (16e).
class SquaredRate : public NodeTerm {
 public:
  /// scale u̇²
  SquaredRate(int input, double scale) : SquaredRate(std::vector<int>{input}, {std::sqrt(scale)}) {}
  SquaredRate(std::vector<int> inputs, std::vector<double> factors)
      : NodeTerm(std::move(inputs)), factors_(std::move(factors)) {}

  void value(const double* u, double* rows) const override {
    rows[0] = 0;
    for (std::size_t k = 0; k < factors_.size(); ++k) rows[0] += factors_[k] * u[k];
  }
  void jacobian(const double*, double* J) const override { std::copy(factors_.begin(), factors_.end(), J); }
  void hessian(const double*, const double*, double*) const override {}
  bool of_rate() const override { return true; }

 private:
  std::vector<double> factors_;
};

}  // namespace verne
