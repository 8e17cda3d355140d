#include "motion/program/rate_limits.h"

#include <algorithm>
#include <cstdio>

#include "motion/terms/channel_limit.h"

namespace verne {

std::vector<Place> rate_pairs(const std::vector<Place>& places) {
  std::vector<Place> pairs;
  for (const Place& place : places) {
    const double first = std::clamp(place.fraction - kRateStep / 2, 0.0, 1 - kRateStep);
    pairs.push_back({place.span, first});
    pairs.push_back({place.span, first + kRateStep});
  }
  return pairs;
}

RateLimits::RateLimits(const Task& task, ChannelLayout& channels, const CurveVariables& curve,
                       const std::vector<Place>& places, std::vector<EffortLimit> limits,
                       const Eigen::VectorXd& lengths)
    : limits_(std::move(limits)),
      lengths_(lengths),
      at_(task.model, channels, curve, rate_pairs(places), effort_terms(limits_, channels)),
      multipliers_(at_.rows(), at_.nodes().count()) {
  std::size_t most = 0;
  for (int span = 0; span < curve.basis.spans(); ++span) {
    std::size_t all = 0;
    for (int i = 0; i < at_.rows(); ++i) all += static_cast<std::size_t>(width(i, span));
    most = std::max(most, all);
  }
  before_.resize(most), after_.resize(most);
}

int RateLimits::width(int limit, int span) const {
  return at_.nodes().points() * static_cast<int>(at_.dofs(limit).size()) + at_.nodes().timings(span);
}

std::string RateLimits::row_name(int row) const {
  const EffortLimit& limit = limits_[static_cast<std::size_t>(limit_of_row(row))];
  char text[40];
  std::snprintf(text, sizeof text, " at node %d", row / 2 / at_.rows() + 1);
  return limit.name.kind + " of " + limit.name.of + text;
}

double RateLimits::rate(int row, const Eigen::VectorXd& lengths) const {
  const int span = span_of(row / 2 / at_.rows());
  return lengths[span] / lengths_[span];
}

std::vector<nlp::Entry> RateLimits::jacobian_pattern() const {
  std::vector<nlp::Entry> pattern;
  for (int row = 0; row < rows(); ++row) {
    const std::vector<int>& variables = at_.nodes().variables(span_of(row / 2 / at_.rows()));
    const int points = at_.nodes().points(), dofs = at_.nodes().dofs();
    for (int c = 0; c < points; ++c) {
      for (const int dof : at_.dofs(limit_of_row(row))) pattern.push_back({row, variables[c * dofs + dof]});
    }
    for (std::size_t k = points * dofs; k < variables.size(); ++k) pattern.push_back({row, variables[k]});
  }
  return pattern;
}

// (16b): ± (τ_b − τ_a) / (step L₀) − limit · L / L₀
void RateLimits::evaluate(std::span<const double> x, std::span<double> values) {
  at_.update(x, TermNodes<LimitTerm>::Level::values);
  double* row = values.data();
  for (int n = 0; n < nodes(); ++n) {
    const int span = span_of(n);
    const double length = at_.nodes().curve().length(span, x);
    at_.values(2 * n, before_.data());
    at_.values(2 * n + 1, after_.data());
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      const double slope = (after_[i] - before_[i]) / (kRateStep * lengths_[span]);
      const double most = limits_[i].limit * length / lengths_[span];
      *row++ = slope - most;
      *row++ = -slope - most;
    }
  }
}

void RateLimits::jacobian(std::span<const double> x, std::span<double> entries) {
  at_.update(x, TermNodes<LimitTerm>::Level::first);
  const CurveVariables& curve = at_.nodes().curve();
  double* to = entries.data();
  for (int n = 0; n < nodes(); ++n) {
    const int span = span_of(n), timings = at_.nodes().timings(span);
    const std::vector<int>& variables = at_.nodes().variables(span);
    const auto own = std::find(variables.end() - timings, variables.end(), curve.timing(curve.group[span]));
    at_.jacobian(2 * n, before_.data());
    at_.jacobian(2 * n + 1, after_.data());
    std::size_t from = 0;
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      const int size = width(static_cast<int>(i), span);
      for (const double sign : {1.0, -1.0}) {
        for (int k = 0; k < size; ++k)
          to[k] = sign * (after_[from + k] - before_[from + k]) / (kRateStep * lengths_[span]);
        to[size - (variables.end() - own)] -= limits_[i].limit * curve.fraction[span] / lengths_[span];
        to += size;
      }
      from += static_cast<std::size_t>(size);
    }
  }
}

void RateLimits::hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) {
  at_.update(x, TermNodes<LimitTerm>::Level::second);
  for (int n = 0; n < nodes(); ++n) {
    for (int i = 0; i < at_.rows(); ++i) {
      const std::size_t row = 2 * (static_cast<std::size_t>(n) * limits_.size() + static_cast<std::size_t>(i));
      const double weight = (multipliers[row] - multipliers[row + 1]) / (kRateStep * lengths_[span_of(n)]);
      multipliers_(i, 2 * n) = -weight, multipliers_(i, 2 * n + 1) = weight;
    }
  }
  at_.hessian(multipliers_, entries);
}

}  // namespace verne
