/// Integrals over time as functions of the program: its cost, or limits of means. docs/theory/motion.md, (15) to (16a)
/// and (16e).
#pragma once

#include "motion/curve/quadrature.h"
#include "motion/program/term_nodes.h"
#include "motion/terms/task_terms.h"
#include "verne/nlp/problem.h"

namespace verne {

/// Σ weight ∫ term dt by a quadrature: all of them as one row, or a row for each integral.
class Integrals : public nlp::Function {
 public:
  enum class Rows { sum, each };
  Integrals(const Model& model, const ChannelLayout& channels, const CurveVariables& curve, Quadrature quadrature,
            IntegralTerms terms, Rows rows = Rows::sum);

  int rows() const override { return rows_ == Rows::sum ? 1 : integrals_; }
  /// Of a sum that is not a number: the integral that makes it so.
  std::string row_name(int row) const override;
  std::vector<nlp::Entry> jacobian_pattern() const override;
  std::vector<nlp::Entry> hessian_pattern() const override { return at_.hessians().pattern(); }
  void evaluate(std::span<const double> x, std::span<double> values) override;
  void jacobian(std::span<const double> x, std::span<double> entries) override;
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override;

  /// Each integral, without its weight.
  std::vector<double> integrals(std::span<const double> x);

 private:
  /// Variables that rows may depend on, and where one of these is in a row.
  int width() const;
  int place_in_row(int variable) const;
  /// Of the variables of a span.
  int first_timing() const { return at_.nodes().points() * at_.nodes().dofs(); }
  double span_length(int node, std::span<const double> x) const;
  /// Number of the span's own timing variable among those of the span, and its value.
  int own_timing(int span) const;
  double own_timing_value(int span, std::span<const double> x) const;
  int row_of(std::size_t term) const { return rows_ == Rows::sum ? 0 : integral_of_term_[term]; }
  /// Values of terms at nodes, and what integrals grow by with them.
  void update(std::span<const double> x, TermNodes<NodeTerm>::Level level);
  /// What a node adds to the integral of a term.
  double part(std::size_t term, int node) const;
  void add_timing_of_rates(int node, std::span<const double> x, std::span<const double> multipliers);

  TermNodes<NodeTerm> at_;
  std::vector<double> weights_;  // of the nodes
  int points_;                   // nodes of a span
  std::vector<double> term_weights_;
  std::vector<int> integral_of_term_;
  int integrals_;
  Rows rows_;
  std::vector<std::string> names_;
  std::vector<int> rates_;  // terms that count by their rates
  TermNodes<NodeTerm>::AcrossNodes across_;
  Eigen::MatrixXd values_, slopes_;      // of terms (rows) at nodes (columns)
  std::vector<double> weighed_, local_;  // of one node: weights, derivatives by variables
  Eigen::VectorXd gradient_;
  Eigen::MatrixXd multipliers_;
};

}  // namespace verne
