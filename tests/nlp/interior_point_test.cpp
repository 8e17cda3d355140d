/// What our own method promises beyond what every method has to: structure, degeneracy, warm starts, threads.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <thread>

#include "nlp/polynomials.h"
#include "support/compare.h"
#include "verne/nlp/solve.h"

namespace verne::nlp::test {
namespace {

using verne::test::close;

Summary solve_alone(Problem& problem, Options options = {}, const Point* start = nullptr) {
  options.method = Method::verne;
  options.fall_back = false;
  return solve(problem, options, start);
}

/// min Σ u² with q'' = u from rest to rest over a unit of way and time, by `steps` Euler steps of positions q and
/// speeds v; |v| ≤ fastest. Fixed ends, equations in time, inequalities as bounds: a motion in small.
Problem double_integrator(int steps, double fastest) {
  Problem problem;
  const double h = 1.0 / steps;
  Eigen::VectorXd lower = Eigen::VectorXd::Constant(3 * steps + 2, -kNoBound), upper = -lower;
  const auto q = [](int k) { return 3 * k; };
  const auto v = [](int k) { return 3 * k + 1; };
  const auto u = [](int k) { return 3 * k + 2; };
  lower[q(0)] = upper[q(0)] = lower[v(0)] = upper[v(0)] = 0;
  lower[q(steps)] = upper[q(steps)] = 1;
  lower[v(steps)] = upper[v(steps)] = 0;
  Eigen::VectorXd start = Eigen::VectorXd::Constant(3 * steps + 2, 0.3);
  problem.add_variables({"motion", start, lower, upper});
  Polynomial cost;
  for (int k = 0; k < steps; ++k) {
    cost.push_back({h, {u(k), u(k)}});
    add_constraint(problem, {{1, {q(k + 1)}}, {-1, {q(k)}}, {-h, {v(k)}}}, 0, 0);
    add_constraint(problem, {{1, {v(k + 1)}}, {-1, {v(k)}}, {-h, {u(k)}}}, 0, 0);
    add_constraint(problem, {{1, {v(k)}}}, -fastest, fastest);
  }
  add_cost(problem, cost);
  return problem;
}

TEST(InteriorPoint, FindsTheMotionOfLeastEffort) {
  constexpr int kSteps = 200;
  Problem problem = double_integrator(kSteps, 10);
  const Summary summary = solve_alone(problem);
  EXPECT_EQ(summary.status, Status::solved) << summary.message;
  EXPECT_LE(summary.iterations, 8);
  // Least squares with two conditions, in closed form: Σ u h = 0 and Σ u h (1 − t − h) = 1 for t = kh.
  Eigen::MatrixXd A(2, kSteps);
  const double h = 1.0 / kSteps;
  for (int k = 0; k < kSteps; ++k) A.col(k) << h, h * (1 - (k + 1) * h);
  const Eigen::Vector2d asked(0, 1);
  const Eigen::VectorXd u = A.transpose() * (A * A.transpose()).inverse() * asked;
  EXPECT_NEAR(summary.cost, h * u.squaredNorm(), 1e-7 * summary.cost);
  EXPECT_LT(summary.kkt_residual, 1e-6);
}

TEST(InteriorPoint, AgreesWithIpoptWhereLimitsAreActive) {
  Problem ours = double_integrator(60, 1.2), theirs = double_integrator(60, 1.2);
  Options ipopt;
  ipopt.method = Method::ipopt;
  const Summary a = solve_alone(ours), b = solve(theirs, ipopt);
  EXPECT_EQ(a.status, Status::solved) << a.message;
  EXPECT_EQ(a.method, Method::verne);
  EXPECT_EQ(b.method, Method::ipopt);
  EXPECT_NEAR(a.cost, b.cost, 1e-7 * b.cost);
  EXPECT_TRUE(close(a.point.x.eigen(), b.point.x.eigen(), 1e-5));
  EXPECT_TRUE(close(a.point.constraints.eigen(), b.point.constraints.eigen(), 1e-4));
}

TEST(InteriorPoint, SurvivesEquationsThatRepeatEachOther) {
  Problem problem;
  add_variables(problem, vector({3, -1, 0.5}));
  add_cost(problem, {{1, {0, 0}}, {1, {1, 1}}, {1, {2, 2}}});
  add_constraint(problem, {{1, {0}}, {1, {1}}}, 2, 2);
  add_constraint(problem, {{1, {0}}, {1, {1}}}, 2, 2);
  add_constraint(problem, {{-3, {0}}, {-3, {1}}}, -6, -6);
  add_constraint(problem, {{1, {0}}, {1, {1}}, {1, {2}}}, 5, 5);
  const Summary summary = solve_alone(problem);
  EXPECT_EQ(summary.status, Status::solved) << summary.message;
  EXPECT_TRUE(close(summary.point.x.eigen(), vector({1, 1, 3}), 1e-6));
  EXPECT_LT(summary.kkt_residual, 1e-6);
}

TEST(InteriorPoint, FindsAMinimumWhereTheCostIsNotConvex) {
  // cos-like: −x² + x⁴/2 + 0.1 x has its best minimum left of −1; along x + y = 0.
  Problem problem;
  add_variables(problem, vector({-0.2, 0.1}), -5, 5);
  add_cost(problem, {{-1, {0, 0}}, {0.5, {0, 0, 0, 0}}, {0.1, {0}}, {-0.5, {1, 1}}, {0.5, {1, 1, 1, 1}}});
  add_constraint(problem, {{1, {0}}, {1, {1}}}, 0, 0);
  const Summary summary = solve_alone(problem);
  EXPECT_EQ(summary.status, Status::solved) << summary.message;
  EXPECT_LT(summary.kkt_residual, 1e-7);
  const double x = summary.point.x[0];
  EXPECT_GT(-3 + 12 * x * x, 0);  // curvature along the equation: a minimum, no saddle
}

/// On a circle of radius 2 with y ≥ x³ + 1, as far left as possible.
Problem circle_and_curve(double x, double y) {
  Problem problem;
  add_variables(problem, vector({x, y}), -10, 10);
  add_cost(problem, {{1, {0}}});
  add_constraint(problem, {{1, {0, 0}}, {1, {1, 1}}}, 4, 4);
  add_constraint(problem, {{1, {0, 0, 0}}, {-1, {1}}}, -kNoBound, -1);
  return problem;
}

TEST(InteriorPoint, RestoresFeasibility) {
  for (const auto& [x, y] : {std::pair(3.0, -0.5), {0.0, 0.01}, {9.0, 9.0}, {-0.1, -4.0}}) {
    Problem problem = circle_and_curve(x, y);
    const Summary summary = solve_alone(problem);
    EXPECT_EQ(summary.status, Status::solved) << x << ' ' << y << ' ' << summary.message;
    EXPECT_TRUE(close(summary.point.x.eigen(), vector({-2, 0}), 1e-6)) << x << ' ' << y;
  }
}

/// The sum of violations may have a minimum that is not zero: near the bottom of the circle, where x³ + 1 − y does not
/// change along it. With a barrier that is chosen for each step, the way from here leads past it.
TEST(InteriorPoint, StopsAtAPointOfLeastViolation) {
  Problem problem = circle_and_curve(0.01, -3);
  Options monotone;
  monotone.adaptive_barrier = false;
  EXPECT_EQ(solve_alone(problem).status, Status::solved);
  const Summary summary = solve_alone(problem, monotone);
  EXPECT_EQ(summary.status, Status::infeasible) << summary.message;
  const double x = summary.point.x[0], y = summary.point.x[1];
  EXPECT_NEAR(x * x + y * y, 4, 1e-4);
  EXPECT_NEAR(3 * x * x * y + x, 0, 1e-3);
}

/// A linear program with many bounds, where the conditions are bilinear: what distances and multipliers change together
/// is all that a step of first order misses. The cheapest half of all shares is taken, in closed form.
TEST(InteriorPoint, ForeseesProductsOfChanges) {
  constexpr int kShares = 100;
  Problem problem;
  add_variables(problem, Eigen::VectorXd::Constant(kShares, 0.1), 0, 1);
  Polynomial cost, sum;
  double cheapest = 0;
  for (int k = 0; k < kShares; ++k) {
    const int rank = k * 37 % kShares;  // every one once
    cost.push_back({(1.0 + rank) / kShares, {k}});
    sum.push_back({1, {k}});
    if (rank < kShares / 2) cheapest += (1.0 + rank) / kShares;
  }
  add_cost(problem, cost);
  add_constraint(problem, sum, kShares / 2.0, kShares / 2.0);
  const Summary summary = solve_alone(problem);
  EXPECT_EQ(summary.status, Status::solved) << summary.message;
  EXPECT_NEAR(summary.cost, cheapest, 1e-6 * cheapest);
  EXPECT_LE(summary.iterations, 10);  // 14 to first order
}

TEST(InteriorPoint, EndsWhereNothingIsFeasible) {
  Problem problem;
  add_variables(problem, vector({5, 5}));
  add_cost(problem, {{1, {0}}});
  add_constraint(problem, {{1, {0, 0}}, {1, {1, 1}}}, -kNoBound, -1);
  const Summary summary = solve_alone(problem);
  EXPECT_EQ(summary.status, Status::infeasible) << summary.message;
  EXPECT_NEAR(summary.constraint_violation, 1, 1e-3);
  EXPECT_LT(summary.iterations, 100);
}

TEST(InteriorPoint, WarmStartsTakeAFewIterations) {
  Problem first = double_integrator(60, 1.2), again = double_integrator(60, 1.2), moved = double_integrator(60, 1.201);
  const Summary cold = solve_alone(first);
  EXPECT_LE(solve_alone(again, {}, &cold.point).iterations, 2);
  const Summary warm = solve_alone(moved, {}, &cold.point);
  EXPECT_EQ(warm.status, Status::solved) << warm.message;
  EXPECT_LE(warm.iterations, cold.iterations / 2);
  EXPECT_LT(warm.kkt_residual, 1e-6);
}

/// Gives NaN for a while.
class Moody : public Polynomials {
 public:
  using Polynomials::Polynomials;
  void evaluate(std::span<const double> x, std::span<double> values) override {
    Polynomials::evaluate(x, values);
    ++calls_;
    if (calls_ > 6 && calls_ < 200) values[0] = std::nan("");
  }

 private:
  int calls_ = 0;
};

TEST(InteriorPoint, FallsBackToIpoptAndSaysSo) {
  Problem problem;
  add_variables(problem, vector({-1.2, 1}));
  problem.add_cost({"cost", std::make_unique<Moody>(std::vector<Polynomial>{rosenbrock()})});
  int last = -1;
  Options options;
  options.progress = [&](const Iteration& now, std::span<const double>) {
    EXPECT_EQ(now.iteration, last + 1);
    last = now.iteration;
    return true;
  };
  const Summary summary = solve(problem, options);
  EXPECT_EQ(summary.method, Method::ipopt);
  EXPECT_NE(summary.message.find("by Ipopt"), std::string::npos) << summary.message;
  EXPECT_EQ(summary.history.back().iteration, last);
  EXPECT_EQ(summary.history.size(), static_cast<std::size_t>(last) + 1);
}

TEST(InteriorPoint, RunsInThreads) {
  std::vector<Summary> results(4);
  std::vector<std::thread> threads;
  for (Summary& result : results) {
    threads.emplace_back([&result] {
      Problem problem = double_integrator(60, 1.2);
      result = solve_alone(problem);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Summary& result : results) {
    EXPECT_EQ(result.status, Status::solved);
    EXPECT_EQ(result.point.x, results[0].point.x);
  }
}

}  // namespace
}  // namespace verne::nlp::test
