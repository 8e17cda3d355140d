// Solvers from elsewhere, in place of those of the library.
#include "verne/nlp/solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "nlp/polynomials.h"
#include "support/compare.h"

namespace verne::nlp::test {
namespace {

/// Newton's method on the cost alone, for one variable.
class Newton : public Solver {
 public:
  std::string name() const override { return "newton"; }
  Attempt solve(Problem& problem, const Options& options, Point start, bool) const override {
    Attempt attempt{Status::iteration_limit, "not there yet", std::move(start), {}};
    double gradient = 0, curvature = 0, x = attempt.point.x[0];
    for (int k = 0; k < options.max_iterations; ++k) {
      problem.gradient({&x, 1}, {&gradient, 1});
      attempt.history.push_back({k, problem.cost({&x, 1}), 0, std::abs(gradient), 0});
      if (std::abs(gradient) < options.tolerance) {
        attempt.status = Status::solved, attempt.message = "by Newton";
        break;
      }
      problem.hessian({&x, 1}, 1, {}, {&curvature, 1});
      x -= gradient / curvature;
    }
    attempt.point.x[0] = x;
    return attempt;
  }
};

Options by(std::shared_ptr<const Solver> solver) {
  Options options;
  options.solver = std::move(solver);
  return options;
}

/// (x − 1)⁴ + (x − 1)²
Problem quartic() {
  Problem problem;
  add_variables(problem, vector({3}));
  add_cost(problem, {{1, {0, 0, 0, 0}}, {-4, {0, 0, 0}}, {7, {0, 0}}, {-6, {0}}});
  return problem;
}

TEST(OwnSolver, IsUsedInPlaceOfTheMethod) {
  Problem problem = quartic();
  const Summary mine = solve(problem, by(std::make_shared<Newton>())), theirs = solve(problem);
  EXPECT_EQ(mine.status, Status::solved);
  EXPECT_EQ(mine.solver, "newton");
  EXPECT_EQ(theirs.solver, "verne");
  EXPECT_EQ(mine.message, "by Newton");
  EXPECT_GT(mine.iterations, 3);
  EXPECT_NEAR(mine.point.x[0], 1, 1e-8);
  EXPECT_NEAR(mine.cost, theirs.cost, 1e-12);
  EXPECT_LT(mine.kkt_residual, 1e-8);
}

TEST(OwnSolver, TheLibrarysOwnAreSuchSolvers) {
  for (const Method method : {Method::verne, Method::ipopt}) {
    Problem problem = quartic();
    const Summary summary = solve(problem, by(solver_of(method)));
    EXPECT_EQ(summary.status, Status::solved);
    EXPECT_EQ(summary.solver, to_string(method));
    EXPECT_NEAR(summary.point.x[0], 1, 1e-7);
  }
}

/// Ends at a point that it is given.
class Ends : public Solver {
 public:
  explicit Ends(Values x) : x_(std::move(x)) {}
  std::string name() const override { return "ends"; }
  Attempt solve(Problem&, const Options&, Point start, bool) const override {
    start.x = x_;
    return {Status::solved, "there", std::move(start), {}};
  }

 private:
  Values x_;
};

TEST(OwnSolver, ItsPointIsNotTrusted) {
  Problem problem;
  add_variables(problem, vector({3}), 0, 5);
  add_cost(problem, {{1, {0}}});
  const auto end = [&](Eigen::VectorXd x) { return solve(problem, by(std::make_shared<Ends>(Values(x)))); };
  EXPECT_THROW(end(vector({1, 2})), std::logic_error);
  EXPECT_EQ(end(vector({-7})).point.x[0], 0);  // bounds hold
  const Summary lost = end(vector({std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_EQ(lost.status, Status::failed);
  EXPECT_FALSE(lost.success());
}

}  // namespace
}  // namespace verne::nlp::test
