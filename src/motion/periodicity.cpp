#include "motion/periodicity.h"

namespace verne {

Periodicity::Periodicity(const CurveVariables& curve, std::vector<int> dofs)
    : nodes_(curve, {{0, 0.0}, {curve.basis.spans() - 1, 1.0}}),
      dofs_(std::move(dofs)),
      hessians_(nodes_, DofPairs(curve.dofs, {}, {})),
      gradient_(kStateOrders * curve.dofs) {}

std::vector<nlp::Entry> Periodicity::jacobian_pattern() const {
  std::vector<nlp::Entry> pattern;
  for (int row = 0; row < rows(); ++row) {
    for (const Place& place : nodes_.places()) {
      for (const int variable : nodes_.variables(place.span)) pattern.push_back({row, variable});
    }
  }
  return pattern;
}

void Periodicity::evaluate(std::span<const double> x, std::span<double> values) {
  nodes_.evaluate(x, SplineBasis::Want::values);
  for (int row = 0; row < rows(); ++row) values[row] = nodes_.z()(channel(row), 1) - nodes_.z()(channel(row), 0);
}

void Periodicity::jacobian(std::span<const double> x, std::span<double> entries) {
  nodes_.evaluate(x, SplineBasis::Want::first_derivatives);
  std::size_t at = 0;
  for (int row = 0; row < rows(); ++row) {
    for (int n = 0; n < 2; ++n) {
      gradient_.setZero();
      gradient_[channel(row)] = n == 0 ? -1 : 1;
      nodes_.pull_back(n, gradient_.data(), &entries[at]);
      at += nodes_.variables(nodes_.places()[n].span).size();
    }
  }
}

void Periodicity::hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) {
  nodes_.evaluate(x, SplineBasis::Want::second_derivatives);
  hessians_.begin(entries);
  for (int n = 0; n < 2; ++n) {
    gradient_.setZero();
    for (int row = 0; row < rows(); ++row) gradient_[channel(row)] += (n == 0 ? -1 : 1) * multipliers[row];
    hessians_.add_node(n, nullptr, gradient_.data());
  }
}

}  // namespace verne
