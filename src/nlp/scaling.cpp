#include "nlp/scaling.h"

#include <algorithm>
#include <cmath>

namespace verne::nlp {
namespace {

constexpr double kLargestGradient = 100, kSmallestFactor = 1e-8;

/// Makes gradients that are too long shorter; leaves those alone that are not finite, which are the solver's to report.
double gradient_factor(double largest) {
  if (!std::isfinite(largest) || largest <= kLargestGradient) return 1;
  return std::max(kLargestGradient / largest, kSmallestFactor);
}

}  // namespace

Scaling::Scaling(Problem& problem, std::span<const double> x)
    : variables(problem.variables()), rows(problem.constraints()) {
  for (const VariableBlock& block : problem.variable_blocks()) {
    variables.segment(block.first, block.initial.size()).setConstant(1 / block.scale);
  }
  for (const ConstraintBlock& block : problem.constraint_blocks()) {
    rows.segment(block.first, block.lower.size()).setConstant(1 / block.scale);
  }
  Eigen::VectorXd gradient(problem.variables());
  problem.gradient(x, view(gradient));
  cost = gradient_factor(gradient.cwiseQuotient(variables).lpNorm<Eigen::Infinity>());

  const std::vector<Entry>& pattern = problem.jacobian_pattern();
  std::vector<double> jacobian(pattern.size());
  problem.jacobian(x, jacobian);
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(rows.size());
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    const auto& [row, column] = pattern[k];
    largest[row] = std::max(largest[row], std::abs(jacobian[k] * rows[row] / variables[column]));
  }
  rows = rows.cwiseProduct(largest.unaryExpr(&gradient_factor));
}

}  // namespace verne::nlp
