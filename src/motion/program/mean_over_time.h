/// Makes of an integral a mean over time, for limits of mean squares and costs of a free duration.
#pragma once

#include <memory>

#include "motion/curve/curve_variables.h"
#include "verne/nlp/problem.h"

namespace verne {

/// A function of one row divided by the duration: docs/theory/motion.md, (16c).
class MeanOverTime : public nlp::Function {
 public:
  MeanOverTime(const CurveVariables& curve, std::unique_ptr<nlp::Function> whole);
  int rows() const override { return 1; }
  std::string row_name(int) const override { return "mean of " + whole_->row_name(0); }
  std::vector<nlp::Entry> jacobian_pattern() const override;
  std::vector<nlp::Entry> hessian_pattern() const override;
  void evaluate(std::span<const double> x, std::span<double> values) override;
  void jacobian(std::span<const double> x, std::span<double> entries) override;
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override;

 private:
  CurveVariables curve_;
  std::unique_ptr<nlp::Function> whole_;
  std::vector<nlp::Entry> gradient_pattern_;  // of the whole
  std::vector<nlp::Entry> with_timing_;       // second derivatives by timing variables and all others
  std::size_t hessian_size_;
  std::vector<double> entries_;    // of the gradient
  Eigen::VectorXd gradient_, by_;  // by all variables: of the whole, of the duration
};

}  // namespace verne
