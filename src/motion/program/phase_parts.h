/// The constraint of phases whose durations are bounded as parts of the whole.
#pragma once

#include "motion/curve/curve_variables.h"
#include "verne/motion/task.h"
#include "verne/nlp/problem.h"

namespace verne {

/// What is not negative where durations of phases are within their parts of the whole: two rows for each phase that
/// has bounds of this kind, d − lower T and upper T − d.
class PhaseParts : public nlp::Function {
 public:
  PhaseParts(const CurveVariables& curve, const std::vector<PhaseSpec>& phases);
  int rows() const override { return static_cast<int>(rows_.size()); }
  std::string row_name(int row) const override { return "part of " + rows_[row].name; }
  std::vector<nlp::Entry> jacobian_pattern() const override;
  std::vector<nlp::Entry> hessian_pattern() const override { return {}; }
  void evaluate(std::span<const double> x, std::span<double> values) override;
  void jacobian(std::span<const double> x, std::span<double> entries) override;
  void hessian(std::span<const double>, std::span<const double>, std::span<double>) override {}

 private:
  /// sign (d − part T)
  struct Row {
    std::string name;
    int phase;
    double sign, part;
  };
  /// By the timing variable of a phase, whose duration it is.
  double slope(const Row& row, int phase) const;

  CurveVariables curve_;
  std::vector<Row> rows_;
};

}  // namespace verne
