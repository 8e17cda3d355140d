#include "verne/nlp/problem.h"

#include <gtest/gtest.h>

#include <random>

#include "nlp/polynomials.h"
#include "support/compare.h"

namespace verne::nlp::test {
namespace {

using verne::test::close;

Eigen::MatrixXd dense(const std::vector<Entry>& pattern, const std::vector<double>& entries, int rows, int columns) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows, columns);
  for (std::size_t k = 0; k < pattern.size(); ++k) matrix(pattern[k].row, pattern[k].column) += entries[k];
  return matrix;
}

void expect_sorted_and_unique(const std::vector<Entry>& pattern) {
  for (std::size_t k = 1; k < pattern.size(); ++k) {
    EXPECT_LT(std::pair(pattern[k - 1].row, pattern[k - 1].column), std::pair(pattern[k].row, pattern[k].column));
  }
}

/// Two costs and two constraint blocks that overlap, over two variable blocks.
/// f = 2·(x₀³ x₁) + 3·(x₁ x₂); g = (x₀ x₁; x₂²) and (x₀ + x₂).
Problem overlapping() {
  Problem problem;
  EXPECT_EQ(problem.add_variables({"angle", vector({1, 2}), vector({-9, -9}), vector({9, 9})}), 0);
  EXPECT_EQ(problem.add_variables({"time", vector({3}), vector({0}), vector({9})}), 2);
  add_cost(problem, {{1, {0, 0, 0, 1}}}, 2);
  add_cost(problem, {{1, {1, 2}}}, 3);
  auto two = std::make_unique<Polynomials>(std::vector<Polynomial>{{{1, {0, 1}}}, {{1, {2, 2}}}});
  EXPECT_EQ(problem.add_constraint({"pair", std::move(two), vector({0, 0}), vector({1, 1})}), 0);
  auto one = std::make_unique<Polynomials>(std::vector<Polynomial>{{{1, {0}}, {1, {2}}}});
  EXPECT_EQ(problem.add_constraint({"sum", std::move(one), vector({0}), vector({1})}), 2);
  return problem;
}

TEST(Problem, PutsBlocksTogether) {
  Problem problem = overlapping();
  EXPECT_EQ(problem.variables(), 3);
  EXPECT_EQ(problem.constraints(), 3);
  EXPECT_EQ(problem.initial(), vector({1, 2, 3}));
  EXPECT_EQ(problem.variable_name(1), "angle[1]");
  EXPECT_EQ(problem.variable_name(2), "time[0]");
  EXPECT_EQ(problem.constraint_name(1), "pair: row 1");
  EXPECT_EQ(problem.constraint_name(2), "sum: row 0");
}

TEST(Problem, EvaluatesByHand) {
  Problem problem = overlapping();
  const std::vector<double> x{1.5, -2, 0.5};
  EXPECT_DOUBLE_EQ(problem.cost(x), 2 * 1.5 * 1.5 * 1.5 * -2 + 3 * -2 * 0.5);
  std::vector<double> values(3, NAN);
  problem.constraints(x, values);
  EXPECT_EQ(values, (std::vector<double>{-3, 0.25, 2}));

  Eigen::VectorXd gradient = Eigen::VectorXd::Constant(3, NAN);
  problem.gradient(x, view(gradient));
  EXPECT_TRUE(close(gradient, vector({6 * 1.5 * 1.5 * -2, 2 * 1.5 * 1.5 * 1.5 + 3 * 0.5, 3 * -2}), 1e-15));

  const std::vector<Entry>& jacobian = problem.jacobian_pattern();
  EXPECT_EQ(jacobian.size(), 5u);  // x₂² has its entry twice in the pattern of the function
  expect_sorted_and_unique(jacobian);
  std::vector<double> entries(5, NAN);
  problem.jacobian(x, entries);
  EXPECT_EQ(dense(jacobian, entries, 3, 3), (Eigen::Matrix3d() << -2, 1.5, 0, 0, 0, 1, 1, 0, 1).finished());

  const std::vector<Entry>& hessian = problem.hessian_pattern();
  expect_sorted_and_unique(hessian);
  EXPECT_EQ(hessian.size(), 4u);
  entries.assign(4, NAN);
  problem.hessian(x, 0.5, std::vector<double>{10, 100, 1000}, entries);
  // 0.5·2·6x₀x₁ at (0, 0); 0.5·2·3x₀² + 10 at (1, 0); 0.5·3 at (2, 1); 2·100 at (2, 2)
  EXPECT_TRUE(close(dense(hessian, entries, 3, 3),
                    (Eigen::Matrix3d() << 6 * 1.5 * -2, 0, 0, 3 * 1.5 * 1.5 + 10, 0, 0, 0, 1.5, 200).finished(),
                    1e-15));
}

/// Everything that a solver asks for, with so many threads.
std::vector<double> all_values(int threads) {
  Problem problem = overlapping();
  problem.use_threads(threads);
  const std::vector<double> x{1.5, -2, 0.5}, multipliers{0.1, 0.7, -0.3};
  std::vector<double> gradient(3, NAN), rows(3, NAN), jacobian(problem.jacobian_pattern().size(), NAN),
      hessian(problem.hessian_pattern().size(), NAN), all{problem.cost(x)};
  problem.gradient(x, gradient), problem.constraints(x, rows), problem.jacobian(x, jacobian);
  problem.hessian(x, 0.9, multipliers, hessian);
  for (const auto* values : {&gradient, &rows, &jacobian, &hessian})
    all.insert(all.end(), values->begin(), values->end());
  return all;
}

TEST(Problem, ThreadsChangeNothing) {
  for (const int threads : {2, 3, 8}) EXPECT_EQ(all_values(threads), all_values(1)) << threads;
  Problem problem = overlapping();
  EXPECT_THROW(problem.use_threads(0), std::invalid_argument);
}

TEST(Problem, EmptyIsFine) {
  Problem problem;
  EXPECT_EQ(problem.cost({}), 0);
  EXPECT_TRUE(problem.jacobian_pattern().empty());
  EXPECT_TRUE(problem.hessian_pattern().empty());
  EXPECT_EQ(problem.initial().size(), 0);
}

std::unique_ptr<Function> rows(int count) {
  return std::make_unique<Polynomials>(std::vector<Polynomial>(count, Polynomial{{1, {0}}}));
}

template <class Call>
std::string complaint(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Problem, RefusesBlocksThatDoNotFit) {
  Problem problem;
  EXPECT_EQ(complaint([&] {
              problem.add_variables({"x", vector({1}), vector({0, 0}), vector({1})});
            }),
            "nlp::Problem: 'x' has 2 lower and 1 upper bounds, 1 expected");
  EXPECT_EQ(complaint([&] {
              problem.add_variables({"x", vector({1}), vector({2}), vector({1})});
            }),
            "nlp::Problem: 'x' has the lower bound 2.000000 above the upper bound 1.000000 at 0");
  EXPECT_NE(complaint([&] { problem.add_variables({"x", vector({1}), vector({NAN}), vector({1})}); }), "no complaint");
  EXPECT_NE(complaint([&] { problem.add_variables({"x", vector({1}), vector({0}), vector({1}), 0}); }), "no complaint");
  EXPECT_NE(complaint([&] { problem.add_constraint({"g", rows(2), vector({0}), vector({1})}); }), "no complaint");
  EXPECT_NE(complaint([&] { problem.add_constraint({"g", nullptr, vector({0}), vector({1})}); }), "no complaint");
  EXPECT_NE(complaint([&] { problem.add_cost({"f", nullptr}); }), "no complaint");
  EXPECT_EQ(complaint([&] {
              problem.add_cost({"f", rows(2)});
            }),
            "nlp::Problem: the cost 'f' has 2 rows instead of one");
  EXPECT_EQ(problem.variables(), 0);
  EXPECT_EQ(problem.constraints(), 0);
}

TEST(Problem, RefusesPatternsOutsideTheMatrix) {
  Problem problem;
  add_variables(problem, vector({1, 1}));
  add_cost(problem, {{1, {2}}});
  EXPECT_EQ(complaint([&] { problem.jacobian_pattern(); }), "nlp::Problem: 'cost' has a derivative at (0, 2) of 1 x 2");

  class UpperTriangle : public Polynomials {
   public:
    using Polynomials::Polynomials;
    std::vector<Entry> hessian_pattern() const override { return {{0, 1}}; }
  };
  Problem upper;
  add_variables(upper, vector({1, 1}));
  upper.add_cost({"f", std::make_unique<UpperTriangle>(std::vector<Polynomial>{{{1, {0, 1}}}})});
  EXPECT_EQ(complaint([&] { upper.hessian_pattern(); }),
            "nlp::Problem: 'f' has a second derivative at (0, 1), above the diagonal");
}

TEST(Problem, BoundsMayMoveLater) {
  Problem problem = overlapping();
  problem.jacobian_pattern();
  problem.move_bounds(1, vector({-2}), vector({3}));
  EXPECT_EQ(problem.constraint_blocks()[1].lower, vector({-2}));
  EXPECT_EQ(problem.constraint_blocks()[1].upper, vector({3}));
  EXPECT_EQ(complaint([&] { problem.move_bounds(0, vector({-2}), vector({3})); }),
            "nlp::Problem: 'pair' has 1 lower and 1 upper bounds, 2 expected");
  EXPECT_EQ(complaint([&] { problem.move_bounds(1, vector({4}), vector({3})); }),
            "nlp::Problem: 'sum' has the lower bound 4.000000 above the upper bound 3.000000 at 0");
  EXPECT_EQ(complaint([&] { problem.move_bounds(2, vector({}), vector({})); }),
            "nlp::Problem: there is no constraint 2");
}

TEST(Problem, CostsMayWeighMoreLater) {
  Problem problem = overlapping();
  const std::vector<double> x(static_cast<std::size_t>(problem.variables()), 0.7);
  const double before = problem.cost(x);
  for (std::size_t k = 0; k < problem.costs().size(); ++k) problem.weigh_cost(k, 3 * problem.costs()[k].weight);
  EXPECT_NEAR(problem.cost(x), 3 * before, 1e-14);
  EXPECT_EQ(complaint([&] { problem.weigh_cost(9, 1); }), "nlp::Problem: there is no cost 9");
}

TEST(Problem, RefusesWrongSizesAndLateBlocks) {
  Problem problem = overlapping();
  std::vector<double> two(2), three(3), many(9);
  EXPECT_NE(complaint([&] { problem.cost(two); }), "no complaint");
  EXPECT_NE(complaint([&] { problem.gradient(three, two); }), "no complaint");
  EXPECT_NE(complaint([&] { problem.constraints(three, two); }), "no complaint");
  EXPECT_NE(complaint([&] { problem.jacobian(three, many); }), "no complaint");
  EXPECT_NE(complaint([&] { problem.hessian(three, 1, two, many); }), "no complaint");
  const std::string late = "nlp::Problem: nothing can be added after derivatives were asked for";
  EXPECT_EQ(complaint([&] { add_variables(problem, vector({1})); }), late);
  EXPECT_EQ(complaint([&] { add_cost(problem, {}); }), late);
  EXPECT_EQ(complaint([&] { add_constraint(problem, {}, 0, 0); }), late);
}

}  // namespace
}  // namespace verne::nlp::test
