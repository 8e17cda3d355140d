#include "motion/integrals.h"

#include <algorithm>

namespace verne {

Integrals::Integrals(const Model& model, const Channels& channels, const CurveVariables& curve, Quadrature quadrature,
                     IntegralTerms terms, Rows rows)
    : at_(model, channels, curve, std::move(quadrature.places), std::move(terms.terms)),
      weights_(std::move(quadrature.weights)),
      term_weights_(std::move(terms.weights)),
      integral_of_term_(std::move(terms.integral)),
      integrals_(terms.integrals),
      rows_(rows),
      names_(std::move(terms.names)),
      values_(at_.rows()),
      weighed_(at_.rows()),
      local_(at_.nodes().points() * at_.nodes().dofs() + curve.groups),
      gradient_(kStateOrders * channels.nv()),
      multipliers_(at_.rows(), at_.nodes().count()) {}

double Integrals::span_length(int node, std::span<const double> x) const {
  return at_.nodes().curve().length(at_.nodes().places()[node].span, x);
}

int Integrals::own_timing(int span) const {
  const CurveVariables& curve = at_.nodes().curve();
  const std::vector<int>& variables = at_.nodes().variables(span);
  const auto first = variables.begin() + at_.nodes().points() * at_.nodes().dofs();
  return static_cast<int>(std::find(first, variables.end(), curve.timing(curve.group[span])) - first);
}

int Integrals::width() const {
  return at_.nodes().curve().size() + at_.nodes().contacts().size();
}

int Integrals::place_in_row(int variable) const {
  const int curve = at_.nodes().curve().size();
  return variable < curve ? variable : curve + variable - at_.nodes().contacts().first_variable();
}

void Integrals::weigh(int node, int row, double factor) {
  for (std::size_t t = 0; t < weighed_.size(); ++t) {
    weighed_[t] = row_of(t) == row ? factor * term_weights_[t] * weights_[node] : 0;
  }
}

std::vector<nlp::Entry> Integrals::jacobian_pattern() const {
  std::vector<nlp::Entry> pattern;
  const int curve = at_.nodes().curve().size();
  const ContactCurve& contacts = at_.nodes().contacts();
  for (int row = 0; row < rows(); ++row) {
    for (int k = 0; k < curve; ++k) pattern.push_back({row, k});
    for (int k = 0; k < contacts.size(); ++k) pattern.push_back({row, contacts.first_variable() + k});
  }
  return pattern;
}

std::vector<double> Integrals::integrals(std::span<const double> x) {
  at_.update(x, TermNodes<NodeTerm>::Level::values);
  std::vector<double> sums(integrals_, 0.0);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    at_.values(n, values_.data());
    const double weight = weights_[n] * span_length(n, x);
    for (std::size_t t = 0; t < values_.size(); ++t) sums[integral_of_term_[t]] += weight * values_[t];
  }
  return sums;
}

void Integrals::evaluate(std::span<const double> x, std::span<double> values) {
  at_.update(x, TermNodes<NodeTerm>::Level::values);
  std::fill(values.begin(), values.end(), 0.0);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    at_.values(n, values_.data());
    const double weight = weights_[n] * span_length(n, x);
    for (std::size_t t = 0; t < values_.size(); ++t) values[row_of(t)] += weight * term_weights_[t] * values_[t];
  }
}

void Integrals::jacobian(std::span<const double> x, std::span<double> entries) {
  at_.update(x, TermNodes<NodeTerm>::Level::first);
  std::fill(entries.begin(), entries.end(), 0.0);
  const CurveVariables& curve = at_.nodes().curve();
  for (int n = 0; n < at_.nodes().count(); ++n) {
    const int span = at_.nodes().places()[n].span;
    const std::vector<int>& variables = at_.nodes().variables(span);
    at_.values(n, values_.data());
    for (int row = 0; row < rows(); ++row) {
      double* const gradient = entries.data() + static_cast<std::ptrdiff_t>(row) * width();
      weigh(n, row, span_length(n, x));
      at_.gradient(n, weighed_.data(), gradient_.data());
      at_.nodes().pull_back(n, gradient_.data(), local_.data());
      for (std::size_t k = 0; k < variables.size(); ++k) gradient[place_in_row(variables[k])] += local_[k];
      weigh(n, row, curve.fraction[span]);
      double& by_own_timing = gradient[curve.timing(curve.group[span])];
      for (std::size_t t = 0; t < values_.size(); ++t) by_own_timing += weighed_[t] * values_[t];
    }
  }
}

// (16); the length of a span is linear in one timing variable
void Integrals::hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) {
  at_.update(x, TermNodes<NodeTerm>::Level::second);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    const double weight = weights_[n] * span_length(n, x);
    for (std::size_t t = 0; t < term_weights_.size(); ++t) {
      multipliers_(static_cast<Eigen::Index>(t), n) = multipliers[row_of(t)] * weight * term_weights_[t];
    }
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
