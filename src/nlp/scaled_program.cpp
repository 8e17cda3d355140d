#include "nlp/scaled_program.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace verne::nlp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double lower_bound(double bound, double factor) {
  return bound > -kNoBound ? bound * factor : -kInfinity;
}
double upper_bound(double bound, double factor) {
  return bound < kNoBound ? bound * factor : kInfinity;
}

}  // namespace

void ScaledProgram::Kept::take(const std::vector<double>& all, std::vector<double>& kept) const {
  for (std::size_t k = 0; k < entry.size(); ++k) kept[k] = all[entry[k]] * factor[k];
  const Eigen::Map<const Vector> all_kept(kept.data(), static_cast<Eigen::Index>(entry.size()));
  if (!std::isfinite(all_kept.sum())) throw NotFinite();
}

ScaledProgram::ScaledProgram(Problem& problem, const Values& x)
    : problem_(problem), bounds_(problem), scaling_(problem, x), x_(x) {
  const std::vector<Entry>& jacobian = problem.jacobian_pattern();
  const std::vector<Entry>& hessian = problem.hessian_pattern();
  jacobian_.resize(jacobian.size()), hessian_.resize(hessian.size());
  gradient_.resize(problem.variables()), g_.resize(problem.constraints()), multipliers_.resize(problem.constraints());

  std::vector<int> index(problem.variables(), -1);
  for (int i = 0; i < problem.variables(); ++i) {
    if (bounds_.fixed(i)) continue;
    index[i] = variables();
    free_.push_back(i);
  }
  std::vector<int> entries(problem.constraints());
  for (const Entry& entry : jacobian) entries[entry.row] += index[entry.column] >= 0;
  problem_.constraints(x_, g_);
  std::vector<int> row_index(problem.constraints(), -1);
  for (int j = 0; j < problem.constraints(); ++j) {
    const double lower = bounds_.g_lower[j], upper = bounds_.g_upper[j];
    if (lower <= -kNoBound && upper >= kNoBound) continue;
    if (entries[j] == 0) {
      unchangeable_violation_ = std::max({unchangeable_violation_, lower - g_[j], g_[j] - upper});
      continue;
    }
    row_index[j] = rows();
    rows_.push_back(j);
    equation_.push_back(lower == upper);
  }

  x_lower_.resize(variables()), x_upper_.resize(variables());
  for (int i = 0; i < variables(); ++i) {
    x_lower_[i] = lower_bound(bounds_.x_lower[free_[i]], scaling_.variables[free_[i]]);
    x_upper_[i] = upper_bound(bounds_.x_upper[free_[i]], scaling_.variables[free_[i]]);
  }
  g_lower_.resize(rows()), g_upper_.resize(rows());
  for (int j = 0; j < rows(); ++j) {
    g_lower_[j] = lower_bound(bounds_.g_lower[rows_[j]], scaling_.rows[rows_[j]]);
    g_upper_[j] = upper_bound(bounds_.g_upper[rows_[j]], scaling_.rows[rows_[j]]);
  }

  const Vector units = scaling_.variables.cwiseInverse();
  kept_jacobian_.reserve(jacobian.size()), jacobian_pattern_.index.reserve(jacobian.size());
  for (std::size_t k = 0; k < jacobian.size(); ++k) {  // sorted by row
    const auto& [row, column] = jacobian[k];
    if (row_index[row] < 0 || index[column] < 0) continue;
    kept_jacobian_.add(k, scaling_.rows[row] * units[column]);
    while (jacobian_pattern_.count() < row_index[row]) {
      jacobian_pattern_.start.push_back(static_cast<int>(jacobian_pattern_.index.size()));
    }
    jacobian_pattern_.index.push_back(index[column]);
  }
  while (jacobian_pattern_.count() < rows()) {
    jacobian_pattern_.start.push_back(static_cast<int>(jacobian_pattern_.index.size()));
  }
  kept_hessian_.reserve(hessian.size()), hessian_pattern_.reserve(hessian.size());
  for (std::size_t k = 0; k < hessian.size(); ++k) {
    const auto& [row, column] = hessian[k];
    if (index[row] < 0 || index[column] < 0) continue;
    kept_hessian_.add(k, units[row] * units[column]);
    hessian_pattern_.push_back({index[row], index[column]});
  }
}

std::vector<Entry> ScaledProgram::hessian_pattern() const {
  return hessian_pattern_;
}

template <class Call>
void ScaledProgram::timed(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  function_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

ScaledProgram::Vector ScaledProgram::scaled(const Values& x) const {
  Vector result(variables());
  for (int i = 0; i < variables(); ++i) result[i] = x[free_[i]] * scaling_.variables[free_[i]];
  return result;
}

/// Within bounds, whatever rounding does.
const Values& ScaledProgram::unscaled(const Vector& x) {
  for (int i = 0; i < variables(); ++i) {
    const int k = free_[i];
    x_[k] = std::clamp(x[i] / scaling_.variables[k], bounds_.x_lower[k], bounds_.x_upper[k]);
  }
  return x_;
}

bool ScaledProgram::evaluate(const Vector& x, double& cost, Vector& g) {
  if (!x.allFinite()) return false;
  timed([&] {
    unscaled(x);
    cost = scaling_.cost * problem_.cost(x_);
    problem_.constraints(x_, g_);
  });
  for (int j = 0; j < rows(); ++j) g[j] = g_[rows_[j]] * scaling_.rows[rows_[j]];
  return std::isfinite(cost) && g.allFinite();
}

void ScaledProgram::gradient(const Vector& x, Vector& gradient) {
  timed([&] { problem_.gradient(unscaled(x), gradient_); });
  for (int i = 0; i < variables(); ++i) {
    gradient[i] = scaling_.cost * gradient_[free_[i]] / scaling_.variables[free_[i]];
  }
  if (!gradient.allFinite()) throw NotFinite();
}

void ScaledProgram::jacobian(const Vector& x, std::vector<double>& entries) {
  timed([&] { problem_.jacobian(unscaled(x), jacobian_); });
  kept_jacobian_.take(jacobian_, entries);
}

void ScaledProgram::arrange_jacobian(const std::vector<int>& order) {
  const Kept before = std::move(kept_jacobian_);
  kept_jacobian_ = {};
  kept_jacobian_.reserve(order.size());
  for (const int k : order) kept_jacobian_.add(before.entry[k], before.factor[k]);
}

void ScaledProgram::hessian(const Vector& x, double cost_factor, const Vector& y, std::vector<double>& entries) {
  for (int j = 0; j < rows(); ++j) multipliers_[rows_[j]] = y[j] * scaling_.rows[rows_[j]];
  timed([&] { problem_.hessian(unscaled(x), cost_factor * scaling_.cost, multipliers_, hessian_); });
  kept_hessian_.take(hessian_, entries);
}

double ScaledProgram::violation(const Vector& g) const {
  double largest = std::max(0.0, unchangeable_violation_);
  for (int j = 0; j < rows(); ++j) {
    largest = std::max(largest, std::max(g_lower_[j] - g[j], g[j] - g_upper_[j]) / scaling_.rows[rows_[j]]);
  }
  return largest;
}

void ScaledProgram::scale_multipliers(const Point& point, Vector& y, Vector& z_lower, Vector& z_upper) const {
  for (int j = 0; j < rows(); ++j) y[j] = point.constraints[rows_[j]] * scaling_.cost / scaling_.rows[rows_[j]];
  for (int i = 0; i < variables(); ++i) {
    const double factor = scaling_.cost / scaling_.variables[free_[i]];
    z_lower[i] = point.lower[free_[i]] * factor;
    z_upper[i] = point.upper[free_[i]] * factor;
  }
}

void ScaledProgram::unscale_multipliers(const Vector& y, const Vector& z_lower, const Vector& z_upper,
                                        Point& point) const {
  point.constraints.eigen().setZero();
  point.lower.eigen().setZero();
  point.upper.eigen().setZero();
  for (int j = 0; j < rows(); ++j) point.constraints[rows_[j]] = y[j] * scaling_.rows[rows_[j]] / scaling_.cost;
  for (int i = 0; i < variables(); ++i) {
    const double factor = scaling_.variables[free_[i]] / scaling_.cost;
    point.lower[free_[i]] = z_lower[i] * factor;
    point.upper[free_[i]] = z_upper[i] * factor;
  }
}

}  // namespace verne::nlp
