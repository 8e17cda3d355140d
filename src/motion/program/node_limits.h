/// Limits as constraints of the program.
#pragma once

#include "motion/curve/phases.h"
#include "motion/program/term_nodes.h"
#include "verne/nlp/problem.h"

namespace verne {

/// All limits at all nodes: node by node, term by term.
class NodeLimits : public nlp::Function {
 public:
  NodeLimits(const Model& model, const ChannelLayout& channels, const CurveVariables& curve, std::vector<Place> places,
             std::vector<std::unique_ptr<LimitTerm>> terms, SpanRange phase);

  int rows() const override { return at_.rows() * at_.nodes().count(); }
  std::string row_name(int row) const override;
  std::vector<nlp::Entry> jacobian_pattern() const override;
  std::vector<nlp::Entry> hessian_pattern() const override { return at_.hessians().pattern(); }
  void evaluate(std::span<const double> x, std::span<double> values) override;
  void jacobian(std::span<const double> x, std::span<double> entries) override;
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override;

  /// What the rows stay within.
  struct Bounds {
    Eigen::VectorXd lower, upper;
  };
  /// `tightening`: of the limits' bounds, term after term, on each span of the curve; empty: none.
  Bounds bounds(std::span<const double> tightening = {}) const;
  /// A term at a node has no bounds any more, for what is given there implies them: with an equation beside it, a row
  /// that ends at the same value would have no inside.
  void leave_out(int term, int node);
  const LimitTerm& term_of_row(int row) const { return term_of_local(row % at_.rows()); }
  /// Which term a row of a node belongs to.
  int term_index(int local_row) const { return term_of_local_row_[local_row]; }
  const std::vector<std::unique_ptr<LimitTerm>>& terms() const { return at_.terms(); }
  int node_of_row(int row) const { return row / at_.rows(); }
  const Nodes& nodes() const { return at_.nodes(); }

 private:
  const LimitTerm& term_of_local(int row) const { return *at_.terms()[term_of_local_row_[row]]; }

  TermNodes<LimitTerm> at_;
  SpanRange phase_;
  std::vector<int> term_of_local_row_;
  std::vector<int> left_out_;        // rows
  std::vector<int> timed_, peaked_;  // rows of a node whose bounds depend on the duration; that share a peak
};

}  // namespace verne
