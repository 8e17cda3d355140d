/// Integrals over time as a cost of the program: docs/theory/motion.md, (15) and (16).
#pragma once

#include "motion/quadrature.h"
#include "motion/span_hessians.h"
#include "motion/term_nodes.h"
#include "verne/nlp/problem.h"

namespace verne {

/// Σ weight ∫ term dt by a quadrature.
class IntegralCost : public nlp::Function {
 public:
  IntegralCost(const Model& model, const Channels& channels, const CurveVariables& curve, Quadrature quadrature,
               std::vector<std::unique_ptr<NodeTerm>> terms, std::vector<double> term_weights);

  int rows() const override { return 1; }
  std::vector<nlp::Entry> jacobian_pattern() const override;
  std::vector<nlp::Entry> hessian_pattern() const override { return hessians_.pattern(); }
  void evaluate(std::span<const double> x, std::span<double> values) override;
  void jacobian(std::span<const double> x, std::span<double> entries) override;
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override;

  /// The integral of each term, without its weight.
  std::vector<double> integrals(std::span<const double> x);

 private:
  double span_length(int node, std::span<const double> x) const;
  /// Index of the span's own timing variable among variables(span).
  int own_timing(int span) const;

  TermNodes<NodeTerm> at_;
  std::vector<double> weights_, term_weights_;
  SpanHessians hessians_;
};

}  // namespace verne
