#include "nlp/optimality.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "verne/nlp/solve.h"

namespace verne::nlp {
namespace {

/// max() that keeps NaN, so that a residual which cannot be computed does not look small.
void raise(double& largest, double value) {
  if (!(value <= largest)) largest = value;
}

/// How far value lies outside [lower, upper].
double excess(double value, double lower, double upper) {
  double amount = 0;
  if (lower > -kNoBound) raise(amount, lower - value);
  if (upper < kNoBound) raise(amount, value - upper);
  return amount;
}

/// Of a bound at distance `slack`: their product; a bound that does not exist cannot have a multiplier.
double complementarity(double multiplier, double slack, bool exists) {
  return exists ? std::abs(multiplier * slack) : std::abs(multiplier);
}

/// Ipopt's measure for large multipliers ([WB06] eq. 6).
double damping(const std::vector<const Values*>& multipliers) {
  constexpr double kUsual = 100;
  double sum = 0;
  Eigen::Index count = 0;
  for (const Values* part : multipliers) {
    sum += part->eigen().lpNorm<1>();
    count += part->size();
  }
  return count == 0 ? 1 : std::max(kUsual, sum / static_cast<double>(count)) / kUsual;
}

void check_length(const char* what, Eigen::Index actual, int expected) {
  if (actual == expected) return;
  throw std::invalid_argument("kkt_residual: " + std::string(what) + " has " + std::to_string(actual) + " entries, " +
                              std::to_string(expected) + " expected");
}

}  // namespace

Bounds::Bounds(const Problem& problem)
    : x_lower(problem.variables()),
      x_upper(problem.variables()),
      g_lower(problem.constraints()),
      g_upper(problem.constraints()) {
  for (const VariableBlock& block : problem.variable_blocks()) {
    x_lower.segment(block.first, block.lower.size()) = block.lower.eigen();
    x_upper.segment(block.first, block.upper.size()) = block.upper.eigen();
  }
  for (const ConstraintBlock& block : problem.constraint_blocks()) {
    g_lower.segment(block.first, block.lower.size()) = block.lower.eigen();
    g_upper.segment(block.first, block.upper.size()) = block.upper.eigen();
  }
}

Eigen::VectorXd constraint_values(Problem& problem, const Eigen::Ref<const Eigen::VectorXd>& x) {
  Eigen::VectorXd values(problem.constraints());
  problem.constraints(view(x), view(values));
  return values;
}

Eigen::VectorXd lagrangian_gradient(Problem& problem, const Eigen::Ref<const Eigen::VectorXd>& x,
                                    const Eigen::Ref<const Eigen::VectorXd>& multipliers) {
  Eigen::VectorXd gradient(problem.variables());
  problem.gradient(view(x), view(gradient));
  const std::vector<Entry>& pattern = problem.jacobian_pattern();
  std::vector<double> jacobian(pattern.size());
  problem.jacobian(view(x), jacobian);
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    gradient[pattern[k].column] += jacobian[k] * multipliers[pattern[k].row];
  }
  return gradient;
}

double constraint_violation(Problem& problem, const Eigen::Ref<const Eigen::VectorXd>& x) {
  const Bounds bounds(problem);
  const Eigen::VectorXd g = constraint_values(problem, x);
  double largest = 0;
  for (int i = 0; i < x.size(); ++i) raise(largest, excess(x[i], bounds.x_lower[i], bounds.x_upper[i]));
  for (int j = 0; j < g.size(); ++j) raise(largest, excess(g[j], bounds.g_lower[j], bounds.g_upper[j]));
  return largest;
}

double kkt_residual(Problem& problem, const Point& point) {
  check_length("x", point.x.size(), problem.variables());
  check_length("the constraints' multiplier", point.constraints.size(), problem.constraints());
  check_length("the lower bounds' multiplier", point.lower.size(), problem.variables());
  check_length("the upper bounds' multiplier", point.upper.size(), problem.variables());
  return kkt_residual_with(problem, point, lagrangian_gradient(problem, point.x.eigen(), point.constraints.eigen()));
}

double kkt_residual_with(Problem& problem, const Point& point, const Eigen::VectorXd& lagrangian) {
  const Bounds bounds(problem);
  const Eigen::VectorXd g = constraint_values(problem, point.x.eigen());
  const Eigen::VectorXd gradient = lagrangian - point.lower.eigen() + point.upper.eigen();
  double stationarity = 0, products = 0;
  for (int i = 0; i < problem.variables(); ++i) {
    if (bounds.fixed(i)) continue;  // its gradient may be anything
    raise(stationarity, std::abs(gradient[i]));
    raise(stationarity, -std::min(point.lower[i], point.upper[i]));
    raise(products, complementarity(point.lower[i], point.x[i] - bounds.x_lower[i], bounds.x_lower[i] > -kNoBound));
    raise(products, complementarity(point.upper[i], bounds.x_upper[i] - point.x[i], bounds.x_upper[i] < kNoBound));
  }
  for (int j = 0; j < problem.constraints(); ++j) {
    const double multiplier = point.constraints[j];
    if (bounds.g_lower[j] == bounds.g_upper[j]) continue;
    raise(products, multiplier < 0
                        ? complementarity(multiplier, g[j] - bounds.g_lower[j], bounds.g_lower[j] > -kNoBound)
                        : complementarity(multiplier, bounds.g_upper[j] - g[j], bounds.g_upper[j] < kNoBound));
  }
  double residual = constraint_violation(problem, point.x.eigen());
  const double scale = damping({&point.constraints, &point.lower, &point.upper});
  raise(residual, stationarity / scale);
  raise(residual, products / scale);
  return residual;
}

std::vector<Violation> violations(Problem& problem, std::span<const double> variables, double tolerance) {
  const Eigen::Map<const Eigen::VectorXd> x(variables.data(), static_cast<Eigen::Index>(variables.size()));
  const Bounds bounds(problem);
  const Eigen::VectorXd g = constraint_values(problem, x);
  std::vector<Violation> found;
  const auto judge = [&](double value, double lower, double upper, const auto& name) {
    const double amount = excess(value, lower, upper);
    if (!(amount <= tolerance)) found.push_back({name(), value, value < lower ? lower : upper, amount});
  };
  for (int j = 0; j < g.size(); ++j) {
    judge(g[j], bounds.g_lower[j], bounds.g_upper[j], [&] { return problem.constraint_name(j); });
  }
  for (int i = 0; i < x.size(); ++i) {
    judge(x[i], bounds.x_lower[i], bounds.x_upper[i], [&] { return problem.variable_name(i); });
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Violation& a, const Violation& b) { return a.amount > b.amount; });
  return found;
}

}  // namespace verne::nlp
