#include "verne/nlp/solve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nlp/both_methods.h"
#include "nlp/polynomials.h"
#include "support/compare.h"

namespace verne::nlp::test {
namespace {

using verne::test::close;

using Solve = BothMethods;
INSTANTIATE_TEST_SUITE_P(Methods, Solve, testing::Values(Method::verne, Method::ipopt), method_name);

/// The solver's own tolerance, a little wider for what lies between scaled and unscaled conditions.
constexpr double kSolved = 1e-7;

void expect_optimal(Problem& problem, const Summary& summary) {
  EXPECT_EQ(summary.status, Status::solved) << summary.message;
  EXPECT_TRUE(summary.success());
  EXPECT_LT(summary.kkt_residual, kSolved);
  EXPECT_EQ(summary.kkt_residual, kkt_residual(problem, summary.point));
  EXPECT_LT(summary.constraint_violation, kSolved);
  EXPECT_EQ(summary.iterations, summary.history.back().iteration);
  EXPECT_NEAR(summary.history.back().cost, summary.cost, kSolved * (1 + std::abs(summary.cost)));
}

// Optima as published by Hock and Schittkowski (1981), under the same numbers.

TEST_P(Solve, HockSchittkowski71) {
  Problem problem = hock_schittkowski_71();
  const Summary summary = solve(problem);
  expect_optimal(problem, summary);
  EXPECT_NEAR(summary.cost, 17.0140173, 1e-6);
  EXPECT_TRUE(close(summary.point.x.eigen(), vector({1, 4.7429994, 3.8211503, 1.3794082}), 1e-7));
  EXPECT_LT(summary.point.constraints[0], -0.1);  // a lower bound that is active
  EXPECT_GT(summary.point.lower[0], 0.1);         // and one of a variable
  EXPECT_LT(summary.point.upper.eigen().maxCoeff(), 1e-6);
}

TEST_P(Solve, HockSchittkowski6) {
  Problem problem;
  add_variables(problem, vector({-1.2, 1}));
  add_cost(problem, {{1, {}}, {-2, {0}}, {1, {0, 0}}});
  add_constraint(problem, {{10, {1}}, {-10, {0, 0}}}, 0, 0);
  const Summary summary = solve(problem);
  expect_optimal(problem, summary);
  EXPECT_TRUE(close(summary.point.x.eigen(), vector({1, 1}), kSolved));
  EXPECT_NEAR(summary.cost, 0, kSolved);
}

/// As a new problem with these bounds would be, also where a limit becomes an equation, and back.
TEST_P(Solve, AgainWithBoundsThatMoved) {
  Problem problem = hock_schittkowski_71();
  solve(problem);
  const struct {
    double product, sum_below, sum_above;
  } cases[] = {{30, 40, 40}, {20, 30, 50}, {25, 40, 40}, {25, 45, kNoBound}};
  for (const auto& [product, sum_below, sum_above] : cases) {
    Problem other = hock_schittkowski_71();
    for (Problem* each : {&problem, &other}) {
      each->move_bounds(0, vector({product}), vector({kNoBound}));
      each->move_bounds(1, vector({sum_below}), vector({sum_above}));
    }
    const Summary again = solve(problem), once = solve(other);
    expect_optimal(problem, again);
    EXPECT_EQ(again.cost, once.cost);
    EXPECT_EQ(again.point.x, once.point.x);
    EXPECT_EQ(again.iterations, once.iterations);
  }
}

Problem hock_schittkowski_35(double upper = 3, double scale = 1) {
  Problem problem;
  add_variables(problem, vector({0.5, 0.5, 0.5}), 0);
  add_cost(problem,
           {{9, {}}, {-8, {0}}, {-6, {1}}, {-4, {2}}, {2, {0, 0}}, {2, {1, 1}}, {1, {2, 2}}, {2, {0, 1}}, {2, {0, 2}}});
  add_constraint(problem, {{1, {0}}, {1, {1}}, {2, {2}}}, -kNoBound, upper, scale);
  return problem;
}

TEST_P(Solve, HockSchittkowski35) {
  Problem problem = hock_schittkowski_35();
  const Summary summary = solve(problem);
  expect_optimal(problem, summary);
  EXPECT_NEAR(summary.cost, 1.0 / 9, kSolved);
  EXPECT_TRUE(close(summary.point.x.eigen(), vector({4.0 / 3, 7.0 / 9, 4.0 / 9}), 1e-6));
  EXPECT_NEAR(summary.point.constraints[0], 2.0 / 9, 1e-6);
}

TEST_P(Solve, MultiplierIsTheSlopeOfTheOptimalCost) {
  const double h = 1e-3;
  Problem middle = hock_schittkowski_35(), more = hock_schittkowski_35(3 + h), less = hock_schittkowski_35(3 - h);
  const double slope = (solve(more).cost - solve(less).cost) / (2 * h);
  EXPECT_NEAR(slope, -solve(middle).point.constraints[0], 1e-5);
}

TEST_P(Solve, HockSchittkowski2RosenbrockWithABound) {
  Problem problem;
  problem.add_variables({"x", vector({-2, 1}), vector({-kNoBound, 1.5}), vector({kNoBound, kNoBound})});
  add_cost(problem, rosenbrock());
  Options options;
  options.tolerance = 1e-9;  // of the scaled problem: the cost is steep at the start
  const Summary summary = solve(problem, options);
  const double a = std::sqrt(598.0 / 1200), b = 400 * a * a * a;
  const double other = 2 * a * std::cos(std::acos(-1 / b) / 3);  // the worse of the two minima has the other sign
  const double best = 2 * a * std::cos(std::acos(1 / b) / 3);
  expect_optimal(problem, summary);
  EXPECT_NEAR(summary.point.x[1], 1.5, kSolved);
  EXPECT_LT(std::min(std::abs(summary.point.x[0] - best), std::abs(summary.point.x[0] + other)), 1e-6);
  EXPECT_GT(summary.point.lower[1], 1e-3);
}

/// max x + 2y with x + y <= 4, x + 3y <= 6, x, y >= 0: the corner (3, 1).
Problem linear_program() {
  Problem problem;
  add_variables(problem, vector({1, 1}), 0);
  add_cost(problem, {{1, {0}}, {2, {1}}}, -1);
  add_constraint(problem, {{1, {0}}, {1, {1}}}, -kNoBound, 4);
  add_constraint(problem, {{1, {0}}, {3, {1}}}, -kNoBound, 6);
  return problem;
}

TEST_P(Solve, LinearProgramWithItsDual) {
  Problem problem = linear_program();
  const Summary summary = solve(problem);
  expect_optimal(problem, summary);
  EXPECT_TRUE(close(summary.point.x.eigen(), vector({3, 1}), 1e-6));
  EXPECT_TRUE(close(summary.point.constraints.eigen(), vector({0.5, 0.5}), 1e-6));
  EXPECT_NEAR(summary.cost, -5, 1e-6);
}

TEST_P(Solve, BoundsOfVariablesHoldExactly) {
  Problem problem = linear_program();
  EXPECT_GE(solve(problem).point.x.eigen().minCoeff(), 0);
  Problem hs71 = hock_schittkowski_71();
  const Eigen::VectorXd x = solve(hs71).point.x.eigen();
  EXPECT_GE(x.minCoeff(), 1);
  EXPECT_LE(x.maxCoeff(), 5);
}

TEST_P(Solve, FixedVariablesStayAndHaveMultipliers) {
  Problem problem;
  problem.add_variables({"x", vector({7, 0}), vector({2, -10}), vector({2, 10})});
  add_cost(problem, {{1, {0, 0}}, {1, {0, 1}}, {1, {1, 1}}});  // at x₀ = 2: x₁ = −1, slope 2x₀ + x₁ = 3
  const Summary summary = solve(problem);
  expect_optimal(problem, summary);
  EXPECT_TRUE(close(summary.point.x.eigen(), vector({2, -1}), kSolved));
  EXPECT_EQ(summary.point.x[0], 2);
  EXPECT_NEAR(summary.point.lower[0], 3, 1e-6);
  EXPECT_EQ(summary.point.upper[0], 0);
}

TEST_P(Solve, NothingFree) {
  Problem problem;
  add_variables(problem, vector({0, 0}), 2, 2);
  add_cost(problem, {{1, {0, 1}}});
  add_constraint(problem, {{1, {0}}, {1, {1}}}, -kNoBound, 4);
  const Summary summary = solve(problem);
  EXPECT_EQ(summary.status, Status::solved);
  EXPECT_EQ(summary.cost, 4);
  EXPECT_EQ(summary.point.lower, vector({2, 2}));
  EXPECT_EQ(summary.kkt_residual, 0);

  Problem impossible;
  add_variables(impossible, vector({0}), 2, 2);
  add_constraint(impossible, {{1, {0}}}, 3, 3);
  const Summary bad = solve(impossible);
  EXPECT_EQ(bad.status, Status::infeasible);
  EXPECT_EQ(bad.constraint_violation, 1);
}

TEST_P(Solve, WithoutCostFindsAFeasiblePoint) {
  Problem problem;
  add_variables(problem, vector({3, 1}));
  add_constraint(problem, {{1, {0, 0}}, {1, {1, 1}}}, 2, 2);
  add_constraint(problem, {{1, {0}}, {-1, {1}}}, 0, 0);
  const Summary summary = solve(problem);
  EXPECT_TRUE(summary.success()) << summary.message;
  EXPECT_TRUE(close(summary.point.x.eigen(), vector({1, 1}), kSolved));
}

TEST_P(Solve, ScalesChangeTheWayButNotTheResult) {
  for (const double scale : {1e-4, 1e4}) {
    Problem problem;
    problem.add_variables({"x", vector({0.5, 0.5}) * scale, vector({0, 0}), vector({kNoBound, kNoBound}), scale});
    add_cost(problem, {{1 / scale / scale, {0, 0}}, {-2 / scale, {0}}, {1 / scale / scale, {1, 1}}});
    add_constraint(problem, {{1, {0}}, {1, {1}}}, 2 * scale, kNoBound, scale);
    Eigen::VectorXd last;
    Options options;
    options.progress = [&](const Iteration&, std::span<const double> x) {
      last = Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
      return true;
    };
    const Summary summary = solve(problem, options);
    EXPECT_TRUE(close(last, summary.point.x.eigen(), 1e-12));  // unscaled
    EXPECT_EQ(summary.status, Status::solved) << summary.message;
    EXPECT_TRUE(close(summary.point.x.eigen(), vector({1.5, 0.5}) * scale, 1e-6));
    EXPECT_TRUE(close(summary.point.constraints.eigen(), vector({-1 / scale}), 1e-6));
    EXPECT_LT(summary.kkt_residual, 1e-7 * std::max(1.0, 1 / scale));
  }
}

/// Functions that are too steep become equally steep: a further power of two, which is exact, changes no iterate. (Only
/// the last test of convergence also looks at unscaled numbers.)
TEST_P(Solve, SteepFunctionsAreScaledDown) {
  const auto solved = [](double factor) {
    Problem problem;
    add_variables(problem, vector({2, 1}));
    Polynomial steep = rosenbrock();
    for (Monomial& m : steep) m.coefficient *= factor;
    add_cost(problem, steep);
    add_constraint(problem, {{factor, {0, 0}}, {factor, {1}}}, factor, kNoBound);
    Options options;
    options.adaptive_barrier =
        false;  // one that is chosen may at once be the least, which is of the unscaled tolerance
    return solve(problem, options);
  };
  const Summary steep = solved(std::exp2(10)), steeper = solved(std::exp2(18));
  EXPECT_TRUE(steep.success()) << steep.message;
  EXPECT_TRUE(close(steep.point.x.eigen(), vector({1, 1}), 1e-5));
  ASSERT_LE(steep.history.size(), steeper.history.size());
  for (std::size_t k = 0; k < steep.history.size(); ++k) {
    EXPECT_EQ(steeper.history[k].cost, std::exp2(8) * steep.history[k].cost) << "iteration " << k;
  }
}

TEST_P(Solve, WarmStartTakesFewerIterations) {
  Problem first = hock_schittkowski_35(), second = hock_schittkowski_35(3.01), cold = hock_schittkowski_35(3.01);
  const Point start = solve(first).point;
  const Summary warm = solve(second, {}, &start), reference = solve(cold);
  expect_optimal(second, warm);
  EXPECT_TRUE(close(warm.point.x.eigen(), reference.point.x.eigen(), 1e-6));
  EXPECT_LT(warm.iterations, reference.iterations);
  Point x_only;
  x_only.x = start.x;
  Problem third = hock_schittkowski_35(3.01);
  expect_optimal(third, solve(third, {}, &x_only));
  x_only.x = vector({1});
  EXPECT_THROW(solve(third, {}, &x_only), std::invalid_argument);
}

/// Has no second derivatives to give.
class FirstOrderOnly : public Polynomials {
 public:
  using Polynomials::Polynomials;
  void hessian(std::span<const double>, std::span<const double>, std::span<double>) override {
    throw std::logic_error("no second derivatives");
  }
};

TEST_P(Solve, LimitedMemoryReachesTheSameWithoutSecondDerivatives) {
  Problem exact, approximate;
  add_variables(exact, vector({-1.2, 1}));
  add_cost(exact, rosenbrock());
  add_variables(approximate, vector({-1.2, 1}));
  approximate.add_cost({"cost", std::make_unique<FirstOrderOnly>(std::vector<Polynomial>{rosenbrock()})});
  Options options;
  options.exact_hessian = false;
  const Summary a = solve(exact), b = solve(approximate, options);
  expect_optimal(approximate, b);
  EXPECT_TRUE(close(b.point.x.eigen(), a.point.x.eigen(), 1e-6));
}

TEST_P(Solve, BarrierStartIsUsed) {
  Problem usual = hock_schittkowski_71(), small = hock_schittkowski_71();
  Options options;
  options.barrier_start = 1e-6;
  const Summary a = solve(usual), b = solve(small, options);
  expect_optimal(small, b);
  EXPECT_TRUE(close(b.point.x.eigen(), a.point.x.eigen(), 1e-6));
  EXPECT_NE(a.history.back().iteration, b.history.back().iteration);
}

}  // namespace
}  // namespace verne::nlp::test
