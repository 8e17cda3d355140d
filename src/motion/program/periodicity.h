/// The constraint of periodic motions: they end as they start, or as the mirror image of it.
#pragma once

#include <string>
#include <vector>

#include "motion/values/span_hessians.h"
#include "verne/motion/task.h"
#include "verne/nlp/problem.h"

namespace verne {

/// State at the end minus that of partners at the start, with their signs, and minus what speeds make of the duration:
/// position, velocity and, unless it may jump, acceleration of some freedoms.
class Periodicity : public nlp::Function {
 public:
  /// `names`: of the model's freedoms
  Periodicity(const CurveVariables& curve, PeriodicSpec task, std::vector<std::string> names);
  int rows() const override { return orders() * static_cast<int>(task_.dofs.size()); }
  std::string row_name(int row) const override;
  /// What the rows are.
  Eigen::VectorXd differences() const;
  std::vector<nlp::Entry> jacobian_pattern() const override;
  std::vector<nlp::Entry> hessian_pattern() const override { return hessians_.pattern(); }
  void evaluate(std::span<const double> x, std::span<double> values) override;
  void jacobian(std::span<const double> x, std::span<double> entries) override;
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override;

 private:
  int orders() const { return task_.acceleration ? 3 : 2; }
  /// Of a row at the start (node 0) or end (node 1): which entry of z, and its factor.
  struct Side {
    int channel;
    double factor;
  };
  Side side(int row, int node) const;
  /// Of the duration.
  double speed(int row) const { return row % orders() == 0 ? task_.speed[row / orders()] : 0; }
  Nodes nodes_;
  PeriodicSpec task_;
  std::vector<std::string> names_;
  SpanHessians hessians_;
  Eigen::VectorXd gradient_;  // of one row, in z
};

}  // namespace verne
