#include "motion/integral_cost.h"

#include <algorithm>

namespace verne {

IntegralCost::IntegralCost(const Model& model, const Channels& channels, const CurveVariables& curve,
                           Quadrature quadrature, CostTerms costs)
    : at_(model, channels, curve, std::move(quadrature.places), std::move(costs.terms)),
      weights_(std::move(quadrature.weights)),
      term_weights_(std::move(costs.weights)),
      integral_of_term_(std::move(costs.integral)),
      integrals_(costs.integrals),
      rows_(at_.rows()),
      weighed_(at_.rows()),
      local_(curve.size()),
      gradient_(kStateOrders * channels.nv()),
      multipliers_(at_.rows(), at_.nodes().count()) {}

double IntegralCost::span_length(int node, std::span<const double> x) const {
  return at_.nodes().curve().length(at_.nodes().places()[node].span, x);
}

int IntegralCost::own_timing(int span) const {
  const CurveVariables& curve = at_.nodes().curve();
  const std::vector<int>& variables = at_.nodes().variables(span);
  const auto first = variables.begin() + at_.nodes().points() * curve.dofs;
  return static_cast<int>(std::find(first, variables.end(), curve.timing(curve.group[span])) - first);
}

void IntegralCost::weigh(int node, double factor) {
  for (std::size_t r = 0; r < weighed_.size(); ++r) weighed_[r] = factor * term_weights_[r] * weights_[node];
}

std::vector<nlp::Entry> IntegralCost::jacobian_pattern() const {
  std::vector<nlp::Entry> pattern;
  for (int k = 0; k < at_.nodes().curve().size(); ++k) pattern.push_back({0, k});
  return pattern;
}

std::vector<double> IntegralCost::integrals(std::span<const double> x) {
  at_.update(x, TermNodes<NodeTerm>::Level::values);
  std::vector<double> sums(integrals_, 0.0);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    at_.values(n, rows_.data());
    const double weight = weights_[n] * span_length(n, x);
    for (std::size_t r = 0; r < rows_.size(); ++r) sums[integral_of_term_[r]] += weight * rows_[r];
  }
  return sums;
}

void IntegralCost::evaluate(std::span<const double> x, std::span<double> values) {
  at_.update(x, TermNodes<NodeTerm>::Level::values);
  values[0] = 0;
  for (int n = 0; n < at_.nodes().count(); ++n) {
    at_.values(n, rows_.data());
    weigh(n, span_length(n, x));
    for (std::size_t r = 0; r < rows_.size(); ++r) values[0] += weighed_[r] * rows_[r];
  }
}

void IntegralCost::jacobian(std::span<const double> x, std::span<double> entries) {
  at_.update(x, TermNodes<NodeTerm>::Level::first);
  std::fill(entries.begin(), entries.end(), 0.0);
  const CurveVariables& curve = at_.nodes().curve();
  for (int n = 0; n < at_.nodes().count(); ++n) {
    const int span = at_.nodes().places()[n].span;
    const std::vector<int>& variables = at_.nodes().variables(span);
    weigh(n, span_length(n, x));
    at_.gradient(n, weighed_.data(), gradient_.data());
    at_.nodes().pull_back(n, gradient_.data(), local_.data());
    for (std::size_t k = 0; k < variables.size(); ++k) entries[variables[k]] += local_[k];
    at_.values(n, rows_.data());
    weigh(n, curve.fraction[span]);
    double& by_own_timing = entries[curve.timing(curve.group[span])];
    for (std::size_t r = 0; r < rows_.size(); ++r) by_own_timing += weighed_[r] * rows_[r];
  }
}

// (16); the length of a span is linear in one timing variable
void IntegralCost::hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) {
  at_.update(x, TermNodes<NodeTerm>::Level::second);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    weigh(n, multipliers[0] * span_length(n, x));
    std::copy(weighed_.begin(), weighed_.end(), multipliers_.col(n).data());
  }
  at_.hessian(multipliers_, entries);
  const CurveVariables& curve = at_.nodes().curve();
  for (int n = 0; n < at_.nodes().count(); ++n) {
    const int span = at_.nodes().places()[n].span;
    at_.nodes().pull_back(n, at_.gradient(n), local_.data());
    at_.hessians().add_timing_row(span, own_timing(span), local_.data(), 1 / x[curve.timing(curve.group[span])]);
  }
}

}  // namespace verne
