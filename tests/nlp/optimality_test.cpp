#include <gtest/gtest.h>

#include "nlp/polynomials.h"
#include "verne/nlp/solve.h"

namespace verne::nlp::test {
namespace {

/// min x² + y² with x + y >= 2, y <= 0.5: the solution is (1.5, 0.5), multipliers −3 and 2.
Problem corner() {
  Problem problem;
  problem.add_variables({"x", vector({0, 0}), vector({-kNoBound, -kNoBound}), vector({kNoBound, 0.5})});
  add_cost(problem, {{1, {0, 0}}, {1, {1, 1}}});
  add_constraint(problem, {{1, {0}}, {1, {1}}}, 2, kNoBound);
  return problem;
}
const Point kSolution{vector({1.5, 0.5}), vector({-3}), vector({0, 0}), vector({0, 2})};

TEST(KktResidual, VanishesAtASolution) {
  Problem problem = corner();
  EXPECT_EQ(kkt_residual(problem, kSolution), 0);
}

TEST(KktResidual, SeesEachCondition) {
  Problem problem = corner();
  const auto residual = [&](auto change) {
    Point point = kSolution;
    change(point);
    return kkt_residual(problem, point);
  };
  // stationarity in x: 2·1.5 − 3 becomes ±0.1
  EXPECT_NEAR(residual([](Point& p) { p.constraints[0] = -3.1; }), 0.1, 1e-12);
  EXPECT_NEAR(residual([](Point& p) { p.upper[1] = 2.25; }), 0.25, 1e-12);
  // violation alone: 0 where 2 is the least
  EXPECT_NEAR(residual([](Point& p) { p = {vector({0, 0}), vector({0}), vector({0, 0}), vector({0, 0})}; }), 2, 1e-12);
  // all at once: products −3·(−0.5) and −3·0.4 are the largest
  EXPECT_NEAR(residual([](Point& p) { p.x[0] = 1.0; }), 1.5, 1e-12);
  EXPECT_NEAR(residual([](Point& p) { p.x[1] = 0.9; }), 1.2, 1e-12);
  // complementarity: everything stationary, but multipliers away from their bounds
  EXPECT_NEAR(residual([](Point& p) { p = {vector({2, 0}), vector({-4}), vector({0, 0}), vector({0, 4})}; }), 2, 1e-12);
  // the wrong sign, and a multiplier of a bound that does not exist
  EXPECT_NEAR(residual([](Point& p) {
                p = {vector({2, 0}), vector({-4}), vector({0, -4}), vector({0, 0})};
              }),
              4, 1e-12);
  EXPECT_NEAR(residual([](Point& p) { p.constraints[0] = 3; }), 6, 1e-12);
  EXPECT_NEAR(residual([](Point& p) { p.lower[0] = 0.5; }), 0.5, 1e-12);
}

TEST(KktResidual, DividesByLargeMultipliers) {
  Problem problem;
  add_variables(problem, vector({1}));
  add_cost(problem, {{1e6, {0}}});
  add_constraint(problem, {{1, {0}}}, 1, 1);
  // gradient off by 10; the mean over three multipliers is 1e6 / 3, hence the divisor 1e4 / 3
  const Point point{vector({1}), vector({-1e6 + 10}), vector({0}), vector({0})};
  EXPECT_NEAR(kkt_residual(problem, point), 10 / ((1e6 - 10) / 3 / 100), 1e-12);
}

TEST(KktResidual, LeavesFixedVariablesAlone) {
  Problem problem;
  add_variables(problem, vector({1}), 1, 1);
  add_cost(problem, {{5, {0}}});
  EXPECT_EQ(kkt_residual(problem, {vector({1}), vector({}), vector({0}), vector({0})}), 0);
  EXPECT_EQ(kkt_residual(problem, {vector({1.5}), vector({}), vector({0}), vector({0})}), 0.5);
}

TEST(KktResidual, IsNotANumberWhereTheProblemIsNot) {
  Problem problem = corner();
  Point point = kSolution;
  point.x[0] = NAN;
  EXPECT_TRUE(std::isnan(kkt_residual(problem, point)));
}

TEST(KktResidual, RefusesWrongSizes) {
  Problem problem = corner();
  Point point = kSolution;
  point.constraints = vector({});
  EXPECT_THROW(kkt_residual(problem, point), std::invalid_argument);
  point = kSolution;
  point.lower = vector({1});
  EXPECT_THROW(kkt_residual(problem, point), std::invalid_argument);
}

TEST(Violations, AreListedWorstFirst) {
  Problem problem = corner();
  const std::vector<Violation> found = violations(problem, view(vector({-3, 1})), 1e-9);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "g0: row 0");
  EXPECT_EQ(found[0].value, -2);
  EXPECT_EQ(found[0].bound, 2);
  EXPECT_EQ(found[0].amount, 4);
  EXPECT_EQ(found[1].name, "x[1]");
  EXPECT_EQ(found[1].bound, 0.5);
  EXPECT_EQ(found[1].amount, 0.5);
  EXPECT_EQ(violations(problem, view(vector({-3, 1})), 1).size(), 1u);
  EXPECT_TRUE(violations(problem, kSolution.x, 0).empty());
}

}  // namespace
}  // namespace verne::nlp::test
