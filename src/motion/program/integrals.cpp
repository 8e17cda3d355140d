#include "motion/program/integrals.h"

#include <algorithm>

namespace verne {

Integrals::Integrals(const Model& model, const ChannelLayout& channels, const CurveVariables& curve,
                     Quadrature quadrature, IntegralTerms terms, Rows rows)
    : at_(model, channels, curve, quadrature.places, std::move(terms.terms)),
      weights_(quadrature.weights),
      points_(quadrature.points),
      term_weights_(std::move(terms.weights)),
      integral_of_term_(std::move(terms.integral)),
      integrals_(terms.integrals),
      rows_(rows),
      names_(std::move(terms.names)),
      values_(at_.rows(), at_.nodes().count()),
      slopes_(at_.rows(), at_.nodes().count()),
      weighed_(at_.rows()),
      local_(at_.nodes().points() * at_.nodes().dofs() + curve.groups),
      gradient_(kStateOrders * channels.nv()),
      multipliers_(at_.rows(), at_.nodes().count()) {
  for (int t = 0; t < at_.rows(); ++t) {
    if (at_.terms()[t]->of_rate()) rates_.push_back(t);
  }
  if (rates_.empty()) return;
  across_.between = squared_rate_form(quadrature);
  across_.factor = Eigen::MatrixXd::Zero(at_.rows(), curve.basis.spans());
}

double Integrals::span_length(int node, std::span<const double> x) const {
  return at_.nodes().curve().length(at_.nodes().places()[node].span, x);
}

double Integrals::own_timing_value(int span, std::span<const double> x) const {
  const CurveVariables& curve = at_.nodes().curve();
  return x[curve.timing(curve.group[span])];
}

int Integrals::own_timing(int span) const {
  const CurveVariables& curve = at_.nodes().curve();
  const std::vector<int>& variables = at_.nodes().variables(span);
  const auto first = variables.begin() + first_timing();
  return static_cast<int>(std::find(first, variables.end(), curve.timing(curve.group[span])) - first);
}

int Integrals::width() const {
  return at_.nodes().curve().size() + at_.nodes().contacts().size();
}

int Integrals::place_in_row(int variable) const {
  const int curve = at_.nodes().curve().size();
  return variable < curve ? variable : curve + variable - at_.nodes().contacts().first_variable();
}

// (15) and (16e)
void Integrals::update(std::span<const double> x, TermNodes<NodeTerm>::Level level) {
  at_.update(x, level);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    at_.values(n, values_.col(n).data());
    slopes_.col(n).setConstant(weights_[n] * span_length(n, x));
  }
  for (const int t : rates_) {
    for (int n = 0; n < at_.nodes().count(); ++n) {
      const int k = n % points_;
      double sum = 0;
      for (int l = 0; l < points_; ++l) sum += across_.between(k, l) * values_(t, n - k + l);
      slopes_(t, n) = 2 * sum / span_length(n, x);
    }
  }
}

double Integrals::part(std::size_t term, int node) const {
  const auto t = static_cast<Eigen::Index>(term);
  return slopes_(t, node) * values_(t, node) / (at_.terms()[term]->of_rate() ? 2 : 1);
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
  update(x, TermNodes<NodeTerm>::Level::values);
  std::vector<double> sums(integrals_, 0.0);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    for (std::size_t t = 0; t < term_weights_.size(); ++t) sums[integral_of_term_[t]] += part(t, n);
  }
  return sums;
}

std::string Integrals::row_name(int row) const {
  if (rows_ == Rows::each) return names_[row];
  for (Eigen::Index t = 0; t < values_.rows(); ++t) {
    if (!values_.row(t).allFinite()) return names_[integral_of_term_[t]];
  }
  std::string all;
  for (const std::string& name : names_) all += (all.empty() ? "" : ", ") + name;
  return all;
}

void Integrals::evaluate(std::span<const double> x, std::span<double> values) {
  update(x, TermNodes<NodeTerm>::Level::values);
  std::fill(values.begin(), values.end(), 0.0);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    for (std::size_t t = 0; t < term_weights_.size(); ++t) values[row_of(t)] += term_weights_[t] * part(t, n);
  }
}

void Integrals::jacobian(std::span<const double> x, std::span<double> entries) {
  update(x, TermNodes<NodeTerm>::Level::first);
  std::fill(entries.begin(), entries.end(), 0.0);
  const CurveVariables& curve = at_.nodes().curve();
  for (int n = 0; n < at_.nodes().count(); ++n) {
    const int span = at_.nodes().places()[n].span;
    const std::vector<int>& variables = at_.nodes().variables(span);
    for (int row = 0; row < rows(); ++row) {
      double* const gradient = entries.data() + static_cast<std::ptrdiff_t>(row) * width();
      double& by_own_timing = gradient[curve.timing(curve.group[span])];
      for (std::size_t t = 0; t < weighed_.size(); ++t) {
        const double weight = row_of(t) == row ? term_weights_[t] : 0;
        const double power = at_.terms()[t]->of_rate() ? -1 : 1;  // of the span's length
        weighed_[t] = weight * slopes_(static_cast<Eigen::Index>(t), n);
        by_own_timing += power * weight * part(t, n) / own_timing_value(span, x);
      }
      const double by_duration = at_.gradient(n, weighed_.data(), gradient_.data());
      at_.nodes().pull_back(n, gradient_.data(), local_.data());
      at_.nodes().add_by_duration(span, by_duration, local_.data() + first_timing());
      for (std::size_t k = 0; k < variables.size(); ++k) gradient[place_in_row(variables[k])] += local_[k];
    }
  }
}

// (16); the length of a span is linear in one timing variable
void Integrals::hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) {
  update(x, TermNodes<NodeTerm>::Level::second);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    for (std::size_t t = 0; t < term_weights_.size(); ++t) {
      const auto row = static_cast<Eigen::Index>(t);
      multipliers_(row, n) = multipliers[row_of(t)] * term_weights_[t] * slopes_(row, n);
    }
    for (const int t : rates_) {
      across_.factor(t, at_.nodes().places()[n].span) =
          2 * multipliers[row_of(t)] * term_weights_[t] / span_length(n, x);
    }
  }
  at_.hessian(multipliers_, entries, across_);
  for (int n = 0; n < at_.nodes().count(); ++n) {
    const int span = at_.nodes().places()[n].span;
    at_.nodes().pull_back(n, at_.gradient(n), local_.data());
    at_.nodes().add_by_duration(span, at_.by_duration(n), local_.data() + first_timing());
    at_.hessians().add_timing_row(span, own_timing(span), local_.data(), 1 / own_timing_value(span, x));
    if (!rates_.empty()) add_timing_of_rates(n, x, multipliers);
  }
}

// (16f): what has been added is that of L f; that of f/L differs from it by this
void Integrals::add_timing_of_rates(int node, std::span<const double> x, std::span<const double> multipliers) {
  const int span = at_.nodes().places()[node].span, own = own_timing(span);
  const double timing = own_timing_value(span, x);
  double parts = 0;
  std::fill(weighed_.begin(), weighed_.end(), 0.0);
  for (const int t : rates_) {
    weighed_[t] = multipliers_(t, node);
    parts += multipliers[row_of(t)] * term_weights_[t] * part(t, node);
  }
  at_.gradient(node, weighed_.data(), gradient_.data());
  at_.nodes().pull_back(node, gradient_.data(), local_.data());
  local_[first_timing() + own] -= parts / (2 * timing);
  at_.hessians().add_timing_row(span, own, local_.data(), -2 / timing);
}

}  // namespace verne
