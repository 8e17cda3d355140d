#include "motion/program/periodicity.h"

namespace verne {

Periodicity::Periodicity(const CurveVariables& curve, PeriodicSpec task, std::vector<std::string> names)
    : nodes_(curve, {{0, 0.0}, {curve.basis.spans() - 1, 1.0}}),
      task_(std::move(task)),
      names_(std::move(names)),
      hessians_(nodes_, DofPairs(curve.dofs, {}, {})),
      gradient_(kStateOrders * curve.dofs) {}

std::string Periodicity::row_name(int row) const {
  constexpr const char* kOrders[] = {"position", "velocity", "acceleration"};
  const int k = row / orders(), dof = task_.dofs[k], partner = task_.partner[k];
  const std::string image = partner == dof ? "" : " and " + names_[partner];
  return std::string(kOrders[row % orders()]) + " of " + names_[dof] + image + " after a period";
}

Eigen::VectorXd Periodicity::differences() const {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(rows());
  for (std::size_t k = 0; k < task_.dofs.size(); ++k) all[orders() * static_cast<int>(k)] = task_.difference[k];
  return all;
}

auto Periodicity::side(int row, int node) const -> Side {
  const int k = row / orders(), first = (row % orders()) * nodes_.curve().dofs;
  return node == 1 ? Side{first + task_.dofs[k], 1} : Side{first + task_.partner[k], -task_.sign[k]};
}

std::vector<nlp::Entry> Periodicity::jacobian_pattern() const {
  std::vector<nlp::Entry> pattern;
  const CurveVariables& curve = nodes_.curve();
  for (int row = 0; row < rows(); ++row) {
    for (const Place& place : nodes_.places()) {
      for (const int variable : nodes_.variables(place.span)) pattern.push_back({row, variable});
    }
    for (int g = 0; g < curve.groups && speed(row) != 0; ++g) pattern.push_back({row, curve.timing(g)});
  }
  return pattern;
}

void Periodicity::evaluate(std::span<const double> x, std::span<double> values) {
  nodes_.evaluate(x, SplineBasis::Want::values);
  const double duration = nodes_.curve().duration(x);
  for (int row = 0; row < rows(); ++row) {
    values[row] = -speed(row) * duration;
    for (int n = 0; n < 2; ++n) values[row] += side(row, n).factor * nodes_.z()(side(row, n).channel, n);
  }
}

void Periodicity::jacobian(std::span<const double> x, std::span<double> entries) {
  nodes_.evaluate(x, SplineBasis::Want::first_derivatives);
  const CurveVariables& curve = nodes_.curve();
  std::size_t at = 0;
  for (int row = 0; row < rows(); ++row) {
    for (int n = 0; n < 2; ++n) {
      gradient_.setZero();
      gradient_[side(row, n).channel] = side(row, n).factor;
      nodes_.pull_back(n, gradient_.data(), &entries[at]);
      at += nodes_.variables(nodes_.places()[n].span).size();
    }
    if (speed(row) == 0) continue;
    for (int g = 0; g < curve.groups; ++g) entries[at++] = -speed(row) * curve.duration_by_timing(g);
  }
}

void Periodicity::hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) {
  nodes_.evaluate(x, SplineBasis::Want::second_derivatives);
  hessians_.start(entries);
  for (int n = 0; n < 2; ++n) {
    gradient_.setZero();
    for (int row = 0; row < rows(); ++row) gradient_[side(row, n).channel] += side(row, n).factor * multipliers[row];
    hessians_.add_node(n, nullptr, gradient_.data());
  }
}

}  // namespace verne
