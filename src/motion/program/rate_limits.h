/// Limits of how fast efforts change, as constraints of the program: docs/theory/motion.md, (16b).
#pragma once

#include "motion/program/term_nodes.h"
#include "motion/terms/task_terms.h"
#include "verne/nlp/problem.h"

namespace verne {

/// For each place two of the same span around it, so close to each other that the slope of an effort between them is
/// its rate; and how far they are apart, as a part of the span.
inline constexpr double kRateStep = 1e-4;
std::vector<Place> rate_pairs(const std::vector<Place>& places);

/// Node by node, limit by limit: a row for rates that are too large, and one for those that are too small.
class RateLimits : public nlp::Function {
 public:
  /// `lengths`: of the spans, about; rows are scaled by them.
  RateLimits(const Task& task, ChannelLayout& channels, const CurveVariables& curve, const std::vector<Place>& places,
             std::vector<EffortLimit> limits, const Eigen::VectorXd& lengths);

  int rows() const override { return 2 * at_.rows() * nodes(); }
  std::string row_name(int row) const override;
  std::vector<nlp::Entry> jacobian_pattern() const override;
  std::vector<nlp::Entry> hessian_pattern() const override { return at_.hessians().pattern(); }
  void evaluate(std::span<const double> x, std::span<double> values) override;
  void jacobian(std::span<const double> x, std::span<double> entries) override;
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override;

  /// Which limit a row is about, and by how much it falls when that grows by one unit.
  int limit_of_row(int row) const { return row / 2 % at_.rows(); }
  double rate(int row, const Eigen::VectorXd& lengths) const;

 private:
  int nodes() const { return at_.nodes().count() / 2; }
  int span_of(int node) const { return at_.nodes().places()[2 * node].span; }
  /// Entries of a row's gradient.
  int width(int limit, int span) const;

  std::vector<EffortLimit> limits_;
  Eigen::VectorXd lengths_;
  TermNodes<LimitTerm> at_;  // the efforts, at pairs of places
  std::vector<double> before_, after_;
  Eigen::MatrixXd multipliers_;
};

}  // namespace verne
