/// Functions for tests: polynomials, with derivatives by the rule for products. Entries of a pattern repeat, since
/// every monomial brings its own.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "verne/nlp/problem.h"

namespace verne::nlp::test {

/// coefficient · Π x[factor]; a factor may repeat.
struct Monomial {
  double coefficient = 0;
  std::vector<int> factors;
};
using Polynomial = std::vector<Monomial>;

class Polynomials : public Function {
 public:
  explicit Polynomials(std::vector<Polynomial> rows) : polynomials_(std::move(rows)) {}

  int rows() const override { return static_cast<int>(polynomials_.size()); }
  std::vector<Entry> jacobian_pattern() const override {
    std::vector<Entry> pattern;
    for_each([&](int row, const Monomial& m) {
      for (const int i : m.factors) pattern.push_back({row, i});
    });
    return pattern;
  }
  std::vector<Entry> hessian_pattern() const override {
    std::vector<Entry> pattern;
    for_each([&](int, const Monomial& m) {
      for_pairs(m, [&](std::size_t p, std::size_t q) {
        pattern.push_back({std::max(m.factors[p], m.factors[q]), std::min(m.factors[p], m.factors[q])});
      });
    });
    return pattern;
  }
  void evaluate(std::span<const double> x, std::span<double> values) override {
    std::fill(values.begin(), values.end(), 0.0);
    for_each([&](int row, const Monomial& m) { values[row] += product(m, x, m.factors.size(), m.factors.size()); });
  }
  void jacobian(std::span<const double> x, std::span<double> entries) override {
    std::size_t k = 0;
    for_each([&](int, const Monomial& m) {
      for (std::size_t p = 0; p < m.factors.size(); ++p) entries[k++] = product(m, x, p, p);
    });
  }
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override {
    std::size_t k = 0;
    for_each([&](int row, const Monomial& m) {
      for_pairs(m, [&](std::size_t p, std::size_t q) {
        const double both_orders = m.factors[p] == m.factors[q] ? 2 : 1;
        entries[k++] = multipliers[row] * both_orders * product(m, x, p, q);
      });
    });
  }

 private:
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (int row = 0; row < rows(); ++row) {
      for (const Monomial& m : polynomials_[row]) visit(row, m);
    }
  }
  template <class Visit>
  static void for_pairs(const Monomial& m, const Visit& visit) {
    for (std::size_t p = 0; p < m.factors.size(); ++p) {
      for (std::size_t q = 0; q < p; ++q) visit(p, q);
    }
  }
  /// Without the factors at p and q.
  static double product(const Monomial& m, std::span<const double> x, std::size_t p, std::size_t q) {
    double value = m.coefficient;
    for (std::size_t i = 0; i < m.factors.size(); ++i) {
      if (i != p && i != q) value *= x[m.factors[i]];
    }
    return value;
  }

  std::vector<Polynomial> polynomials_;
};

inline Eigen::VectorXd vector(std::initializer_list<double> values) {
  Eigen::VectorXd x(static_cast<int>(values.size()));
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

inline void add_variables(Problem& problem, const Eigen::VectorXd& initial, double lower = -kNoBound,
                          double upper = kNoBound) {
  const auto n = initial.size();
  problem.add_variables({"x", initial, Eigen::VectorXd::Constant(n, lower), Eigen::VectorXd::Constant(n, upper)});
}
inline void add_cost(Problem& problem, Polynomial polynomial, double weight = 1) {
  problem.add_cost({"cost", std::make_unique<Polynomials>(std::vector<Polynomial>{std::move(polynomial)}), weight});
}
inline void add_constraint(Problem& problem, Polynomial polynomial, double lower, double upper, double scale = 1) {
  problem.add_constraint({"g" + std::to_string(problem.constraints()),
                          std::make_unique<Polynomials>(std::vector<Polynomial>{std::move(polynomial)}),
                          vector({lower}), vector({upper}), scale});
}

/// Problem 71 of Hock and Schittkowski, "Test Examples for Nonlinear Programming Codes", 1981.
inline Problem hock_schittkowski_71() {
  Problem problem;
  add_variables(problem, vector({1, 5, 5, 1}), 1, 5);
  add_cost(problem, {{1, {0, 0, 3}}, {1, {0, 1, 3}}, {1, {0, 2, 3}}, {1, {2}}});
  add_constraint(problem, {{1, {0, 1, 2, 3}}}, 25, kNoBound);
  add_constraint(problem, {{1, {0, 0}}, {1, {1, 1}}, {1, {2, 2}}, {1, {3, 3}}}, 40, 40);
  return problem;
}

/// 100 (x₁ − x₀²)² + (1 − x₀)²
inline Polynomial rosenbrock() {
  return {{100, {1, 1}}, {-200, {0, 0, 1}}, {100, {0, 0, 0, 0}}, {1, {}}, {-2, {0}}, {1, {0, 0}}};
}

}  // namespace verne::nlp::test
