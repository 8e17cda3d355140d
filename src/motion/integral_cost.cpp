#include "motion/integral_cost.h"

#include <algorithm>

namespace verne {

IntegralCost::IntegralCost(const Model& model, const Channels& channels, const CurveVariables& curve,
                           Quadrature quadrature, std::vector<std::unique_ptr<NodeTerm>> terms,
                           std::vector<double> term_weights)
    : at_(model, channels, curve, std::move(quadrature.places), std::move(terms)),
      weights_(std::move(quadrature.weights)),
      term_weights_(std::move(term_weights)),
      hessians_(at_.nodes()) {}

double IntegralCost::span_length(int node, std::span<const double> x) const {
  const CurveVariables& curve = at_.nodes().curve();
  const int span = at_.nodes().places()[node].span;
  return curve.fraction[span] * x[curve.timing(curve.group[span])];
}

int IntegralCost::own_timing(int span) const {
  const CurveVariables& curve = at_.nodes().curve();
  const std::vector<int>& variables = at_.nodes().variables(span);
  return static_cast<int>(std::find(variables.begin(), variables.end(), curve.timing(curve.group[span])) -
                          variables.begin());
}

std::vector<nlp::Entry> IntegralCost::jacobian_pattern() const {
  std::vector<nlp::Entry> pattern;
  for (int k = 0; k < at_.nodes().curve().size(); ++k) pattern.push_back({0, k});
  return pattern;
}

std::vector<double> IntegralCost::integrals(std::span<const double> x) {
  at_.update(x, TermNodes<NodeTerm>::Level::values);
  std::vector<double> rows(at_.rows()), sums(at_.rows(), 0.0);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    at_.values(n, rows.data());
    for (int r = 0; r < at_.rows(); ++r) sums[r] += weights_[n] * span_length(n, x) * rows[r];
  }
  return sums;
}

void IntegralCost::evaluate(std::span<const double> x, std::span<double> values) {
  const std::vector<double> sums = integrals(x);
  values[0] = 0;
  for (std::size_t r = 0; r < sums.size(); ++r) values[0] += term_weights_[r] * sums[r];
}

void IntegralCost::jacobian(std::span<const double> x, std::span<double> entries) {
  at_.update(x, TermNodes<NodeTerm>::Level::first);
  std::fill(entries.begin(), entries.end(), 0.0);
  const CurveVariables& curve = at_.nodes().curve();
  const Eigen::Map<const Eigen::VectorXd> term_weights(term_weights_.data(), at_.rows());
  Eigen::MatrixXd gradients;
  Eigen::VectorXd rows(at_.rows());
  std::vector<double> local;
  for (int n = 0; n < at_.nodes().count(); ++n) {
    const int span = at_.nodes().places()[n].span;
    const std::vector<int>& variables = at_.nodes().variables(span);
    local.resize(variables.size());
    at_.gradients(n, gradients);
    at_.values(n, rows.data());
    const Eigen::VectorXd gradient = gradients * term_weights;
    at_.nodes().pull_back(n, gradient.data(), local.data());
    const double weight = weights_[n] * span_length(n, x);
    for (std::size_t k = 0; k < local.size(); ++k) entries[variables[k]] += weight * local[k];
    entries[curve.timing(curve.group[span])] += weights_[n] * curve.fraction[span] * rows.dot(term_weights);
  }
}

// ∇²(h f) = h ∇²f + ∇h ∇fᵀ + ∇f ∇hᵀ; the length h is linear in one timing variable
void IntegralCost::hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) {
  at_.update(x, TermNodes<NodeTerm>::Level::second);
  hessians_.clear();
  const CurveVariables& curve = at_.nodes().curve();
  Eigen::MatrixXd by_node(at_.rows(), at_.nodes().count()), gradients;
  std::vector<double> local;
  for (int n = 0; n < at_.nodes().count(); ++n) {
    const int span = at_.nodes().places()[n].span;
    local.resize(at_.nodes().variables(span).size());
    at_.gradients(n, gradients);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(gradients.rows());
    for (int r = 0; r < at_.rows(); ++r) {
      const double weight = multipliers[0] * term_weights_[r] * weights_[n];
      by_node(r, n) = weight * span_length(n, x);
      gradient += weight * curve.fraction[span] * gradients.col(r);
    }
    at_.nodes().pull_back(n, gradient.data(), local.data());
    Eigen::MatrixXd& H = hessians_[span];
    const int own = own_timing(span);
    for (int k = 0; k < static_cast<int>(local.size()); ++k) {
      H(std::max(k, own), std::min(k, own)) += (k == own ? 2 : 1) * local[k];
    }
  }
  at_.add_hessians(by_node, [&](int span) -> Eigen::MatrixXd& { return hessians_[span]; });
  hessians_.store(entries);
}

}  // namespace verne
