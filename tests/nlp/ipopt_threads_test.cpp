/// Ipopt in several threads, and asked for by a function of a problem that it solves.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <thread>

#include "nlp/polynomials.h"
#include "support/complaint.h"
#include "verne/nlp/solve.h"

namespace verne::nlp::test {
namespace {

/// (x − target)⁴ + x² as a polynomial.
Problem quartic(double target) {
  Problem problem;
  problem.add_variables({"x", {0.0}, {-10.0}, {10.0}});
  const double t = target;
  problem.add_cost({"cost", std::make_unique<Polynomials>(std::vector<Polynomial>{{{1, {0, 0, 0, 0}},
                                                                                   {-4 * t, {0, 0, 0}},
                                                                                   {6 * t * t + 1, {0, 0}},
                                                                                   {-4 * t * t * t, {0}},
                                                                                   {t * t * t * t, {}}}})});
  return problem;
}

Options by_ipopt() {
  Options options;
  options.method = Method::ipopt;
  options.tolerance = 1e-9;
  return options;
}

TEST(Ipopt, RunsInThreads) {
  constexpr int kThreads = 6, kSolves = 5;
  std::vector<std::vector<Summary>> results(kThreads);
  std::vector<std::thread> threads;
  for (int k = 0; k < kThreads; ++k) {
    threads.emplace_back([k, &results] {
      for (int i = 0; i < kSolves; ++i) {
        Problem problem = quartic(1 + k);
        results[static_cast<std::size_t>(k)].push_back(solve(problem, by_ipopt()));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < kThreads; ++k) {
    for (const Summary& result : results[static_cast<std::size_t>(k)]) {
      EXPECT_EQ(result.method, Method::ipopt);
      ASSERT_TRUE(result.success());
      const double x = result.point.x[0], d = x - (1 + k);
      EXPECT_NEAR(4 * d * d * d + 2 * x, 0, 1e-6);
    }
  }
}

/// x², and something else to do at every value.
class Asking : public Polynomials {
 public:
  explicit Asking(std::function<void()> what) : Polynomials({{{1, {0, 0}}}}), what_(std::move(what)) {}
  void evaluate(std::span<const double> x, std::span<double> values) override {
    what_();
    Polynomials::evaluate(x, values);
  }

 private:
  std::function<void()> what_;
};

TEST(Ipopt, InsideOfItselfIsRefused) {
  const auto solve_asking = [](const Options& inner) {
    Problem problem;
    problem.add_variables({"x", {1.0}, {-10.0}, {10.0}});
    problem.add_cost({"cost", std::make_unique<Asking>([&inner] {
                        Problem other = quartic(2);
                        EXPECT_TRUE(solve(other, inner).success());
                      })});
    return solve(problem, by_ipopt());
  };
  EXPECT_EQ(verne::test::complaint<std::logic_error>([&] { solve_asking(by_ipopt()); }),
            "nlp::solve: Ipopt is asked for by a function of a problem that Ipopt solves");
  EXPECT_TRUE(solve_asking({}).success());  // our own method may be
  Problem problem = quartic(2);
  EXPECT_TRUE(solve(problem, by_ipopt()).success());  // its turn has ended
}

}  // namespace
}  // namespace verne::nlp::test
