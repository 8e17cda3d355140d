/// The cost of a peak effort: a variable that bounds the efforts of all nodes from above.
#pragma once

#include "motion/curve/curve_variables.h"
#include "verne/nlp/problem.h"

namespace verne {

/// A variable behind those of the curve: the largest effort of a cost. docs/theory/motion.md, (16d).
class PeakFunction : public nlp::Function {
 public:
  PeakFunction(const CurveVariables& curve, int peak) : variable_(curve.peak(peak)) {}
  int rows() const override { return 1; }
  std::string row_name(int) const override { return "peak of effort"; }
  std::vector<nlp::Entry> jacobian_pattern() const override { return {{0, variable_}}; }
  std::vector<nlp::Entry> hessian_pattern() const override { return {}; }
  void evaluate(std::span<const double> x, std::span<double> values) override { values[0] = x[variable_]; }
  void jacobian(std::span<const double>, std::span<double> entries) override { entries[0] = 1; }
  void hessian(std::span<const double>, std::span<const double>, std::span<double>) override {}

 private:
  int variable_;
};

}  // namespace verne
