#pragma once

#include "motion/node_term.h"

namespace verne {

/// Σ scale_i (u_i − target_i)²: effort, joint force, smoothness, distance to a posture.
class WeightedSquares : public NodeTerm {
 public:
  WeightedSquares(std::vector<int> inputs, std::vector<double> scales, std::vector<double> targets)
      : NodeTerm(std::move(inputs)), scales_(std::move(scales)), targets_(std::move(targets)) {}

  void value(const double* u, double* rows) const override {
    rows[0] = 0;
    for (std::size_t i = 0; i < scales_.size(); ++i)
      rows[0] += scales_[i] * (u[i] - targets_[i]) * (u[i] - targets_[i]);
  }
  void jacobian(const double* u, double* J) const override {
    for (std::size_t i = 0; i < scales_.size(); ++i) J[i] = 2 * scales_[i] * (u[i] - targets_[i]);
  }
  void hessian(const double*, const double* multipliers, double* H) const override {
    for (std::size_t i = 0; i < scales_.size(); ++i) H[i * (scales_.size() + 1)] += 2 * scales_[i] * multipliers[0];
  }

 private:
  std::vector<double> scales_, targets_;
};

}  // namespace verne
