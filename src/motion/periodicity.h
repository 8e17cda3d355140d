#pragma once

#include "motion/span_hessians.h"
#include "verne/nlp/problem.h"

namespace verne {

/// State at the end minus state at the start: position, velocity and acceleration of some freedoms.
class Periodicity : public nlp::Function {
 public:
  Periodicity(const CurveVariables& curve, std::vector<int> dofs);
  int rows() const override { return kOrders * static_cast<int>(dofs_.size()); }
  std::vector<nlp::Entry> jacobian_pattern() const override;
  std::vector<nlp::Entry> hessian_pattern() const override { return hessians_.pattern(); }
  void evaluate(std::span<const double> x, std::span<double> values) override;
  void jacobian(std::span<const double> x, std::span<double> entries) override;
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override;

 private:
  static constexpr int kOrders = 3;
  int channel(int row) const { return (row % kOrders) * nodes_.curve().dofs + dofs_[row / kOrders]; }
  Nodes nodes_;
  std::vector<int> dofs_;
  SpanHessians hessians_;
  Eigen::VectorXd gradient_;  // of one row, in z
};

}  // namespace verne
