/// Integrals over time as a cost of the program: docs/theory/motion.md, (15) and (16).
#pragma once

#include "motion/quadrature.h"
#include "motion/task_terms.h"
#include "motion/term_nodes.h"
#include "verne/nlp/problem.h"

namespace verne {

/// Σ weight ∫ term dt by a quadrature.
class IntegralCost : public nlp::Function {
 public:
  IntegralCost(const Model& model, const Channels& channels, const CurveVariables& curve, Quadrature quadrature,
               CostTerms costs);

  int rows() const override { return 1; }
  std::vector<nlp::Entry> jacobian_pattern() const override;
  std::vector<nlp::Entry> hessian_pattern() const override { return at_.hessians().pattern(); }
  void evaluate(std::span<const double> x, std::span<double> values) override;
  void jacobian(std::span<const double> x, std::span<double> entries) override;
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override;

  /// The integral of each cost, without its weight.
  std::vector<double> integrals(std::span<const double> x);

 private:
  double span_length(int node, std::span<const double> x) const;
  /// Number of the span's own timing variable among those of the span.
  int own_timing(int span) const;
  /// Weights of the terms at a node, per unit of the span's length.
  void weigh(int node, double factor);

  TermNodes<NodeTerm> at_;
  std::vector<double> weights_;  // of the nodes
  std::vector<double> term_weights_;
  std::vector<int> integral_of_term_;
  int integrals_;
  std::vector<double> rows_, weighed_, local_;  // of one node: values, weights, derivatives by variables
  Eigen::VectorXd gradient_;
  Eigen::MatrixXd multipliers_;
};

}  // namespace verne
