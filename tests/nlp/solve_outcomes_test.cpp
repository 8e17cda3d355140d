/// How solutions end: infeasible, stopped, broken, and what they leave behind.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "nlp/both_methods.h"
#include "nlp/polynomials.h"
#include "support/compare.h"
#include "verne/nlp/solve.h"

namespace verne::nlp::test {
namespace {

using verne::test::close;

using SolveOutcome = BothMethods;
INSTANTIATE_TEST_SUITE_P(Methods, SolveOutcome, testing::Values(Method::verne, Method::ipopt), method_name);

Problem impossible() {
  Problem problem;
  add_variables(problem, vector({0, 0}), -10, 10);
  add_cost(problem, {{1, {0}}});
  add_constraint(problem, {{1, {0, 0}}, {1, {1, 1}}}, -kNoBound, 1);
  add_constraint(problem, {{1, {0}}, {1, {1}}}, 4, kNoBound);
  return problem;
}

TEST_P(SolveOutcome, ReportsInfeasibilityWithTheLeastInfeasiblePoint) {
  Problem problem = impossible();
  const Summary summary = solve(problem);
  EXPECT_EQ(summary.status, Status::infeasible) << summary.message;
  EXPECT_FALSE(summary.success());
  // Both minimize the sum of violations, 2s² − 1 + 4 − 2s on the diagonal: s = 1/2 would be best, where the circle
  // still holds; so it is its edge.
  const double s = std::sqrt(0.5);
  EXPECT_TRUE(close(summary.point.x.eigen(), vector({s, s}), 1e-3));
  EXPECT_NEAR(summary.constraint_violation, 4 - 2 * s, 1e-3);
  const std::vector<Violation> found = violations(problem, summary.point.x, 1e-3);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "g1: row 0");
  EXPECT_EQ(found[0].bound, 4);
  EXPECT_NEAR(found[0].value, 2 * s, 1e-3);
  EXPECT_NEAR(found[0].amount, 4 - 2 * s, 1e-3);
}

TEST_P(SolveOutcome, MoreEquationsThanVariables) {
  Problem problem;
  add_variables(problem, vector({3}));
  add_constraint(problem, {{1, {0}}}, 1, 1);
  add_constraint(problem, {{1, {0}}}, 2, 2);
  const Summary summary = solve(problem);
  if (GetParam() == Method::ipopt) {  // refuses
    EXPECT_EQ(summary.status, Status::failed);
    EXPECT_EQ(summary.message, "there are more equations than free variables");
    EXPECT_EQ(summary.point.x, vector({3}));
    EXPECT_EQ(summary.constraint_violation, 2);
  } else {  // every x between the two violates them by 1 in all
    EXPECT_EQ(summary.status, Status::infeasible) << summary.message;
    EXPECT_GT(summary.point.x[0], 1 - 1e-4);
    EXPECT_LT(summary.point.x[0], 2 + 1e-4);
  }
}

TEST_P(SolveOutcome, UnboundedProblemFails) {
  Problem problem;
  add_variables(problem, vector({1, 1}));
  add_cost(problem, {{-1, {0, 0, 1, 1}}});
  const Summary summary = solve(problem);
  EXPECT_EQ(summary.status, Status::failed) << summary.message;
  EXPECT_EQ(summary.point.x.size(), 2);
}

TEST_P(SolveOutcome, CallbackSeesEveryIterateAndCanStop) {
  Problem problem = hock_schittkowski_71();
  std::vector<Values> seen;
  Options options;
  options.progress = [&](const Iteration& iteration, std::span<const double> x) {
    EXPECT_EQ(iteration.iteration, static_cast<int>(seen.size()));
    EXPECT_EQ(iteration.cost, problem.cost(x));
    seen.push_back(std::vector<double>(x.begin(), x.end()));
    return seen.size() < 4;
  };
  const Summary summary = solve(problem, options);
  EXPECT_EQ(summary.status, Status::interrupted);
  EXPECT_EQ(seen.size(), 4u);
  EXPECT_EQ(summary.iterations, 3);
  EXPECT_EQ(summary.history.size(), 4u);
  EXPECT_EQ(summary.point.x, seen.back());
  EXPECT_NE(seen[0], seen[1]);
}

TEST_P(SolveOutcome, StopsAtLimits) {
  Problem problem = hock_schittkowski_71();
  Options options;
  options.max_iterations = 2;
  const Summary few = solve(problem, options);
  EXPECT_EQ(few.status, Status::iteration_limit);
  EXPECT_EQ(few.iterations, 2);
  EXPECT_EQ(few.point.x.size(), 4);
  options.max_seconds = 0;
  const Summary none = solve(problem, options);
  EXPECT_EQ(none.status, Status::time_limit);
  EXPECT_EQ(none.iterations, 0);
}

/// Throws, or gives NaN, from its n-th evaluation on.
class Breaking : public Polynomials {
 public:
  enum class How { exception, nan };
  Breaking(Polynomial polynomial, int good, How how)
      : Polynomials(std::vector<Polynomial>{std::move(polynomial)}), good_(good), how_(how) {}
  void evaluate(std::span<const double> x, std::span<double> values) override {
    Polynomials::evaluate(x, values);
    if (good_-- > 0) return;
    if (how_ == How::exception) throw std::runtime_error("broken");
    values[0] = std::nan("");
  }

 private:
  int good_;
  How how_;
};

TEST_P(SolveOutcome, ExceptionsOfFunctionsComeThrough) {
  for (const int good : {0, 1, 5, 12}) {
    Problem problem;
    add_variables(problem, vector({-1.2, 1}));
    problem.add_cost({"cost", std::make_unique<Breaking>(rosenbrock(), good, Breaking::How::exception)});
    try {
      solve(problem);
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "broken");
    }
  }
}

TEST_P(SolveOutcome, ExceptionsOfTheCallbackComeThrough) {
  Problem problem = hock_schittkowski_71();
  Options options;
  options.progress = [](const Iteration&, std::span<const double>) -> bool { throw std::runtime_error("enough"); };
  EXPECT_THROW(solve(problem, options), std::runtime_error);
}

TEST_P(SolveOutcome, NotANumberFailsAndKeepsThePoint) {
  for (const int good : {0, 6}) {
    Problem problem;
    add_variables(problem, vector({-1.2, 1}));
    problem.add_cost({"cost", std::make_unique<Breaking>(rosenbrock(), good, Breaking::How::nan)});
    const Summary summary = solve(problem);
    EXPECT_EQ(summary.status, Status::failed) << summary.message;
    EXPECT_TRUE(summary.point.x.size() == 2 && summary.point.x.eigen().allFinite());
  }
}

TEST_P(SolveOutcome, SameInputSameBytes) {
  Problem first = hock_schittkowski_71(), second = hock_schittkowski_71();
  const Summary a = solve(first), b = solve(second);
  EXPECT_EQ(std::memcmp(a.point.x.data(), b.point.x.data(), 4 * sizeof(double)), 0);
  EXPECT_EQ(std::memcmp(a.point.constraints.data(), b.point.constraints.data(), 2 * sizeof(double)), 0);
  ASSERT_EQ(a.history.size(), b.history.size());
  for (std::size_t k = 0; k < a.history.size(); ++k) EXPECT_EQ(a.history[k].cost, b.history[k].cost);
}

TEST_P(SolveOutcome, PrintsNothingAndReadsNoFile) {
  const std::filesystem::path before = std::filesystem::current_path(),
                              folder = std::filesystem::path(testing::TempDir()) / "verne_nlp_solve_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "ipopt.opt") << "max_iter 1\nprint_level 5\n";
  std::filesystem::current_path(folder);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Problem problem = hock_schittkowski_71();
  const Summary summary = solve(problem);
  const std::string out = testing::internal::GetCapturedStdout(), err = testing::internal::GetCapturedStderr();
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(out, "");
  EXPECT_EQ(err, "");
  EXPECT_EQ(summary.status, Status::solved);
}

TEST(Status, HasNames) {
  EXPECT_STREQ(to_string(Status::solved), "solved");
  EXPECT_STREQ(to_string(Status::acceptable), "acceptable");
  EXPECT_STREQ(to_string(Status::not_verified), "not_verified");
  EXPECT_STREQ(to_string(Status::infeasible), "infeasible");
  EXPECT_STREQ(to_string(Status::not_found), "not_found");
  EXPECT_STREQ(to_string(Status::iteration_limit), "iteration_limit");
  EXPECT_STREQ(to_string(Status::time_limit), "time_limit");
  EXPECT_STREQ(to_string(Status::interrupted), "interrupted");
  EXPECT_STREQ(to_string(Status::failed), "failed");
}

}  // namespace
}  // namespace verne::nlp::test
