#include "verne/nlp/check_derivatives.h"

#include <gtest/gtest.h>

#include <cmath>

#include "nlp/polynomials.h"

namespace verne::nlp::test {
namespace {

/// sin(x₀ x₁), with a mistake on request.
class Wave : public Function {
 public:
  enum class Mistake { none, gradient, hessian, missing_entry, missing_second, not_a_number };
  explicit Wave(Mistake mistake) : mistake_(mistake) {}
  int rows() const override { return 1; }
  std::vector<Entry> jacobian_pattern() const override {
    if (mistake_ == Mistake::missing_entry) return {{0, 0}};
    return {{0, 0}, {0, 1}};
  }
  std::vector<Entry> hessian_pattern() const override {
    if (mistake_ == Mistake::missing_second) return {{0, 0}, {1, 1}};
    return {{0, 0}, {1, 1}, {1, 0}};
  }
  void evaluate(std::span<const double> x, std::span<double> values) override { values[0] = std::sin(x[0] * x[1]); }
  void jacobian(std::span<const double> x, std::span<double> entries) override {
    const double slope = std::cos(x[0] * x[1]);
    entries[0] = slope * x[1] * (mistake_ == Mistake::gradient ? 1 + 1e-5 : 1);
    if (mistake_ == Mistake::not_a_number) entries[0] = NAN;
    if (entries.size() > 1) entries[1] = slope * x[0];
  }
  void hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) override {
    const double slope = multipliers[0] * std::cos(x[0] * x[1]), bend = -multipliers[0] * std::sin(x[0] * x[1]);
    entries[0] = bend * x[1] * x[1];
    entries[1] = bend * x[0] * x[0];
    if (entries.size() > 2) entries[2] = bend * x[0] * x[1] + slope * (mistake_ == Mistake::hessian ? 1 + 1e-5 : 1);
  }

 private:
  Mistake mistake_;
};

DerivativeReport report(Wave::Mistake mistake, bool as_cost) {
  Problem problem;
  add_variables(problem, vector({0.7, 1.3}));
  if (as_cost) {
    problem.add_cost({"wave", std::make_unique<Wave>(mistake)});
  } else {
    problem.add_constraint({"wave", std::make_unique<Wave>(mistake), vector({0}), vector({1})});
  }
  return check_derivatives(problem, problem.initial());
}

TEST(CheckDerivatives, AcceptsRightOnes) {
  for (const bool as_cost : {true, false}) {
    const DerivativeReport right = report(Wave::Mistake::none, as_cost);
    EXPECT_TRUE(right.good());
    EXPECT_LT(right.largest, 1e-9);
  }
  Problem problem = hock_schittkowski_71();
  EXPECT_TRUE(check_derivatives(problem, view(vector({1.3, -4.7, 3.8, 0}))).good());
}

/// Differences of large constants are all rounding, which is no mistake.
TEST(CheckDerivatives, KnowsRoundingFromMistakes) {
  Problem problem;
  add_variables(problem, vector({0.1, 0.3}));
  add_cost(problem, {{1e6, {}}, {1e-7, {0}}});
  add_constraint(problem, {{1e6, {}}}, 0, 0);
  EXPECT_TRUE(check_derivatives(problem, problem.initial()).good());
}

TEST(CheckDerivatives, FindsAWrongGradient) {
  const DerivativeReport cost = report(Wave::Mistake::gradient, true);
  ASSERT_FALSE(cost.gradient.empty());
  EXPECT_TRUE(cost.jacobian.empty());
  EXPECT_EQ(cost.gradient[0].where, "d(wave: row 0)/d(x[0])");
  EXPECT_NEAR(cost.gradient[0].exact / cost.gradient[0].difference, 1 + 1e-5, 1e-9);
  EXPECT_NEAR(cost.gradient[0].error, 1e-5, 1e-7);
  EXPECT_FALSE(cost.gradient[0].outside);
  const DerivativeReport constraint = report(Wave::Mistake::gradient, false);
  ASSERT_EQ(constraint.jacobian.size(), 1u);
  EXPECT_TRUE(constraint.gradient.empty());
  EXPECT_EQ(constraint.jacobian[0].where, "d(wave: row 0)/d(x[0])");
}

TEST(CheckDerivatives, FindsAWrongHessian) {
  const DerivativeReport wrong = report(Wave::Mistake::hessian, false);
  EXPECT_TRUE(wrong.jacobian.empty());
  ASSERT_FALSE(wrong.hessian.empty());
  EXPECT_EQ(wrong.hessian[0].where, "d²(wave)/d(x[1])d(x[0])");
  EXPECT_FALSE(wrong.hessian[0].outside);
  EXPECT_GT(wrong.largest, 1e-6);
}

TEST(CheckDerivatives, FindsEntriesOutsideThePattern) {
  const DerivativeReport first = report(Wave::Mistake::missing_entry, false);
  ASSERT_EQ(first.jacobian.size(), 1u);
  EXPECT_EQ(first.jacobian[0].where, "d(wave: row 0)/d(x[1])");
  EXPECT_TRUE(first.jacobian[0].outside);
  EXPECT_EQ(first.jacobian[0].exact, 0);
  const DerivativeReport second = report(Wave::Mistake::missing_second, false);
  ASSERT_FALSE(second.hessian.empty());
  EXPECT_EQ(second.hessian[0].where, "d²(wave)/d(x[1])d(x[0])");
  EXPECT_TRUE(second.hessian[0].outside);
}

TEST(CheckDerivatives, FindsWhatIsNotANumber) {
  const DerivativeReport wrong = report(Wave::Mistake::not_a_number, true);
  ASSERT_FALSE(wrong.gradient.empty());
  EXPECT_TRUE(std::isinf(wrong.gradient[0].error));
}

TEST(CheckDerivatives, ListsTheTenWorst) {
  class Forgetful : public Polynomials {
   public:
    using Polynomials::Polynomials;
    std::vector<Entry> jacobian_pattern() const override { return {}; }
    void jacobian(std::span<const double>, std::span<double>) override {}
  };
  Problem problem;
  add_variables(problem, Eigen::VectorXd::Ones(15));
  Polynomial sum;
  for (int i = 0; i < 15; ++i) sum.push_back({1.0 + i, {i}});
  problem.add_cost({"sum", std::make_unique<Forgetful>(std::vector<Polynomial>{sum})});
  const DerivativeReport wrong = check_derivatives(problem, problem.initial());
  ASSERT_EQ(wrong.gradient.size(), 10u);
  EXPECT_EQ(wrong.gradient[0].where, "d(sum: row 0)/d(x[14])");
  EXPECT_NEAR(wrong.gradient[0].error, 1, 1e-9);
  EXPECT_NEAR(wrong.gradient[9].error, 6.0 / 15, 1e-9);
}

}  // namespace
}  // namespace verne::nlp::test
