/// The duration as a row of the program: a cost of time, or a constraint where it has bounds.
#pragma once

#include "motion/curve/curve_variables.h"
#include "verne/nlp/problem.h"

namespace verne {

/// Σ of the span lengths.
class DurationFunction : public nlp::Function {
 public:
  explicit DurationFunction(const CurveVariables& curve) : curve_(curve) {}
  int rows() const override { return 1; }
  std::string row_name(int) const override { return "duration"; }
  std::vector<nlp::Entry> jacobian_pattern() const override;
  std::vector<nlp::Entry> hessian_pattern() const override { return {}; }
  void evaluate(std::span<const double> x, std::span<double> values) override;
  void jacobian(std::span<const double> x, std::span<double> entries) override;
  void hessian(std::span<const double>, std::span<const double>, std::span<double>) override {}

 private:
  CurveVariables curve_;
};

}  // namespace verne
