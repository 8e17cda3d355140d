// A third solver: the primal-dual interior-point method as books have it, with dense matrices and without a line
// search.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <string>
#include <vector>

#include "verne/nlp/solver.h"

class DenseSolver : public verne::nlp::Solver {
 public:
  std::string name() const override { return "dense"; }
  verne::nlp::Attempt solve(verne::nlp::Problem& problem, const verne::nlp::Options& options, verne::nlp::Point start,
                            bool warm) const override;
};

namespace dense {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Numbers between bounds, with the barrier that keeps them inside.
struct Inside {
  Vector value, lower, upper, to_lower, to_upper;  // multipliers

  Inside(const Vector& x, Vector low, Vector high, double mu)
      : value(x), lower(std::move(low)), upper(std::move(high)) {
    to_lower = to_upper = Vector::Zero(x.size());
    for (int i = 0; i < x.size(); ++i) {
      const double inside = 0.01 * std::min(1.0, upper[i] - lower[i]);
      if (below(i)) value[i] = std::max(value[i], lower[i] + inside), to_lower[i] = mu / (value[i] - lower[i]);
      if (above(i)) value[i] = std::min(value[i], upper[i] - inside), to_upper[i] = mu / (upper[i] - value[i]);
    }
  }
  bool below(int i) const { return lower[i] > -verne::nlp::kNoBound && lower[i] < upper[i]; }
  bool above(int i) const { return upper[i] < verne::nlp::kNoBound && lower[i] < upper[i]; }
  /// What the barrier adds to the gradient and to the Hessian.
  double slope(int i, double mu) const {
    return (below(i) ? -mu / (value[i] - lower[i]) : 0) + (above(i) ? mu / (upper[i] - value[i]) : 0);
  }
  double bend(int i) const {
    return (below(i) ? to_lower[i] / (value[i] - lower[i]) : 0) + (above(i) ? to_upper[i] / (upper[i] - value[i]) : 0);
  }
  double complementarity() const {
    double worst = 0;
    for (int i = 0; i < value.size(); ++i) {
      if (below(i)) worst = std::max(worst, to_lower[i] * (value[i] - lower[i]));
      if (above(i)) worst = std::max(worst, to_upper[i] * (upper[i] - value[i]));
    }
    return worst;
  }
  /// How far along `by` it stays inside, and its multipliers positive.
  double largest_step(const Vector& by, double mu) const {
    double step = 1;
    for (int i = 0; i < value.size(); ++i) {
      if (below(i) && by[i] < 0) step = std::min(step, 0.99 * (value[i] - lower[i]) / -by[i]);
      if (above(i) && by[i] > 0) step = std::min(step, 0.99 * (upper[i] - value[i]) / by[i]);
      const double a = change(i, by[i], mu, true), b = change(i, by[i], mu, false);
      if (below(i) && a < 0) step = std::min(step, 0.99 * to_lower[i] / -a);
      if (above(i) && b < 0) step = std::min(step, 0.99 * to_upper[i] / -b);
    }
    return step;
  }
  void move(const Vector& by, double mu, double step) {
    for (int i = 0; i < value.size(); ++i) {
      const double a = change(i, by[i], mu, true), b = change(i, by[i], mu, false);
      if (below(i)) to_lower[i] += step * a;
      if (above(i)) to_upper[i] += step * b;
    }
    value += step * by;
  }
  double change(int i, double by, double mu, bool low) const {
    const double gap = low ? value[i] - lower[i] : upper[i] - value[i], z = low ? to_lower[i] : to_upper[i];
    return mu / gap - z + (low ? -1 : 1) * z / gap * by;
  }
};

inline Matrix matrix(int rows, int columns, const std::vector<verne::nlp::Entry>& pattern,
                     const std::vector<double>& entries, bool symmetric) {
  Matrix full = Matrix::Zero(rows, columns);
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    const auto [row, column] = pattern[k];
    full(row, column) += entries[k];
    if (symmetric && row != column) full(column, row) += entries[k];
  }
  return full;
}

}  // namespace dense

inline verne::nlp::Attempt DenseSolver::solve(verne::nlp::Problem& problem, const verne::nlp::Options& options,
                                              verne::nlp::Point start, bool) const {
  using namespace dense;
  using verne::nlp::view;
  const int n = problem.variables(), m = problem.constraints();
  Vector low(n), high(n), row_low(m), row_high(m), g(m), gradient(n);
  for (const auto& block : problem.variable_blocks()) {
    low.segment(block.first, block.lower.size()) = block.lower.eigen();
    high.segment(block.first, block.upper.size()) = block.upper.eigen();
  }
  for (const auto& block : problem.constraint_blocks()) {
    row_low.segment(block.first, block.lower.size()) = block.lower.eigen();
    row_high.segment(block.first, block.upper.size()) = block.upper.eigen();
  }
  double mu = 0.1;
  Inside x(start.x.eigen(), low, high, mu);
  problem.constraints(view(x.value), view(g));
  Inside s(g, row_low, row_high, mu);  // what rows are, apart from equations
  Vector y = Vector::Zero(m);
  std::vector<double> jacobian(problem.jacobian_pattern().size()), hessian(problem.hessian_pattern().size());
  verne::nlp::Attempt attempt{verne::nlp::Status::iteration_limit, "not there yet", std::move(start), {}};
  for (int k = 0; k <= options.max_iterations; ++k) {
    problem.gradient(view(x.value), view(gradient));
    problem.constraints(view(x.value), view(g));
    problem.jacobian(view(x.value), jacobian);
    problem.hessian(view(x.value), 1, view(y), hessian);
    const Matrix J = matrix(m, n, problem.jacobian_pattern(), jacobian, false);
    Matrix K = Matrix::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = matrix(n, n, problem.hessian_pattern(), hessian, true);
    Vector rhs = Vector::Zero(n + m), gap(m), rest(m);
    rhs.head(n) = -gradient - J.transpose() * y;
    double worst = 0;
    for (int i = 0; i < m; ++i) {
      const bool equation = row_low[i] == row_high[i];
      gap[i] = g[i] - (equation ? row_low[i] : s.value[i]);
      rest[i] = equation ? 0 : -y[i] + s.slope(i, mu);
      worst = std::max(worst, std::abs(gap[i]));
      if (equation) {
        K.row(n + i).head(n) = J.row(i), K.col(n + i).head(n) = J.row(i).transpose(), rhs[n + i] = -gap[i];
      } else {
        K.topLeftCorner(n, n) += s.bend(i) * J.row(i).transpose() * J.row(i), K(n + i, n + i) = 1;
        rhs.head(n) -= (s.bend(i) * gap[i] + rest[i]) * J.row(i).transpose();
      }
    }
    for (int i = 0; i < n; ++i) {
      rhs[i] -= x.slope(i, mu);
      K(i, i) += x.bend(i);
      if (low[i] == high[i]) K.row(i).setZero(), K.col(i).setZero(), K(i, i) = 1, rhs[i] = 0;
    }
    worst = std::max({worst, x.complementarity(), s.complementarity()});
    attempt.history.push_back({k, problem.cost(view(x.value)), worst, rhs.head(n).lpNorm<Eigen::Infinity>(), 0});
    if (worst < options.tolerance && rhs.head(n).lpNorm<Eigen::Infinity>() < 100 * options.tolerance) {
      attempt.status = verne::nlp::Status::solved, attempt.message = "by dense matrices";
      break;
    }
    if (options.progress && !options.progress(attempt.history.back(), view(x.value))) {
      attempt.status = verne::nlp::Status::interrupted;
      break;
    }
    const Vector step = K.partialPivLu().solve(rhs);
    const Vector dx = step.head(n), ds = J * dx + gap;
    const double length = std::min(x.largest_step(dx, mu), s.largest_step(ds, mu));
    for (int i = 0; i < m; ++i) {
      y[i] += length * (row_low[i] == row_high[i] ? step[n + i] : s.bend(i) * ds[i] + rest[i]);
    }
    x.move(dx, mu, length), s.move(ds, mu, length);
    mu = std::max(0.1 * options.tolerance, std::min(0.3 * mu, std::max(x.complementarity(), s.complementarity())));
  }
  attempt.point = {x.value, y, x.to_lower, x.to_upper};
  return attempt;
}
