/// The complementarity step against all combinations of sticking and slipping.
#include "simulate/friction_step.h"

#include <gtest/gtest.h>

#include "simulate/friction_oracle.h"
#include "support/states.h"

namespace verne::test {
namespace {

struct RestProblem {
  Eigen::MatrixXd M, rows;  ///< of x; joints are rows of it
  Eigen::VectorXd force, bound;
  Eigen::MatrixXd W() const { return rows * M.ldlt().solve(rows.transpose()); }
  Eigen::VectorXd unresisted() const { return rows * M.ldlt().solve(force); }
};

/// Some joints cannot move, some are multiples of others, some depend on several: as loops tie them.
RestProblem random_problem(std::mt19937_64& rng, int freedoms, int joints) {
  RestProblem problem;
  const auto random_matrix = [&](int n, int m) {
    return Eigen::MatrixXd(Eigen::MatrixXd::NullaryExpr(n, m, [&] { return random_number(rng, -1, 1); }));
  };
  const Eigen::MatrixXd half = random_matrix(freedoms, freedoms);
  problem.M = half * half.transpose() + 0.05 * Eigen::MatrixXd::Identity(freedoms, freedoms);
  problem.rows = random_matrix(joints, freedoms);
  for (int k = 1; k < joints; ++k) {
    const double draw = random_number(rng, 0, 1);
    if (draw < 0.2) problem.rows.row(k) = problem.rows.row(k - 1) * random_number(rng, -2, 2);
    if (draw > 0.9) problem.rows.row(k).setZero();
  }
  problem.force = random_values(rng, freedoms, 3);
  problem.bound = random_values(rng, joints, 2).cwiseAbs().array() + 0.01;
  return problem;
}

void expect_complementary(const RestProblem& problem, const FrictionStep& step) {
  const Eigen::VectorXd a = problem.unresisted() - problem.W() * step.friction;
  const double small = 1e-9 * (1 + problem.unresisted().cwiseAbs().maxCoeff());
  for (int k = 0; k < a.size(); ++k) {
    EXPECT_LE(std::abs(step.friction[k]), problem.bound[k]);
    if (a[k] > small) {
      EXPECT_EQ(step.friction[k], problem.bound[k]);
    }
    if (a[k] < -small) {
      EXPECT_EQ(step.friction[k], -problem.bound[k]);
    }
    if (std::abs(a[k]) > small) {
      EXPECT_EQ(step.direction[std::size_t(k)], a[k] > 0 ? 1 : -1);
    }
  }
  if (step.held.empty()) return;
  const Eigen::MatrixXd held = problem.W()(step.held, step.held);
  EXPECT_GT(held.ldlt().vectorD().minCoeff(), 1e-12 * held.diagonal().maxCoeff());
  for (const int k : step.held) EXPECT_LT(std::abs(a[k]), small);
}

TEST(FrictionStep, IsTheBestCombination) {
  std::mt19937_64 rng(3 + test_seed());
  int stuck = 0, slipping = 0;
  for (int i = 0; i < 400; ++i) {
    const int freedoms = 1 + i % 4, joints = 1 + (i / 4) % 6;
    const RestProblem problem = random_problem(rng, freedoms, joints);
    const FrictionStep step = solve_friction(problem.W(), problem.unresisted(), problem.bound,
                                             std::vector<char>(std::size_t(joints), char{0}));
    SCOPED_TRACE(i);
    expect_complementary(problem, step);
    const Eigen::VectorXd x = enumerated_accelerations(problem.M, problem.force, problem.rows, problem.bound);
    const Eigen::VectorXd a = problem.unresisted() - problem.W() * step.friction;
    EXPECT_LT((a - problem.rows * x).cwiseAbs().maxCoeff(), 1e-8 * (1 + a.cwiseAbs().maxCoeff()));
    for (int k = 0; k < joints; ++k) (step.direction[std::size_t(k)] == 0 ? stuck : slipping) += 1;
  }
  EXPECT_GT(stuck, 300);
  EXPECT_GT(slipping, 300);
}

/// Loads at which friction is exactly at its bound, or zero: whole numbers, where ties of all kinds occur.
TEST(FrictionStep, EndsWhereItIsDegenerate) {
  std::mt19937_64 rng(4 + test_seed());
  const auto whole = [&](int n, int m, int size) {
    return Eigen::MatrixXd(
        Eigen::MatrixXd::NullaryExpr(n, m, [&] { return std::round(random_number(rng, -size, size)); }));
  };
  for (int i = 0; i < 400; ++i) {
    const int freedoms = 1 + i % 4, joints = 1 + (i / 4) % 6;
    RestProblem problem;
    problem.M = Eigen::MatrixXd::Identity(freedoms, freedoms);
    problem.rows = whole(joints, freedoms, 1);
    problem.force = whole(freedoms, 1, 3);
    problem.bound = whole(joints, 1, 2).cwiseAbs().array() + 1;
    const FrictionStep step = solve_friction(problem.W(), problem.unresisted(), problem.bound,
                                             std::vector<char>(std::size_t(joints), char{0}));
    SCOPED_TRACE(i);
    expect_complementary(problem, step);
    const Eigen::VectorXd x = enumerated_accelerations(problem.M, problem.force, problem.rows, problem.bound);
    EXPECT_LT((problem.unresisted() - problem.W() * step.friction - problem.rows * x).cwiseAbs().maxCoeff(), 1e-9);
  }
}

/// As many joints as a robot with hands has: conditions that are necessary and sufficient, as W is positive.
TEST(FrictionStep, ManyJoints) {
  std::mt19937_64 rng(5 + test_seed());
  for (int i = 0; i < 20; ++i) {
    const RestProblem problem = random_problem(rng, 40, 80);
    expect_complementary(
        problem, solve_friction(problem.W(), problem.unresisted(), problem.bound, std::vector<char>(80, char{0})));
  }
}

/// A joint that has broken loose slips although it does not accelerate yet.
TEST(FrictionStep, WhatBrokeLooseSlips) {
  const Eigen::MatrixXd W = Eigen::MatrixXd::Constant(1, 1, 2);
  const Eigen::VectorXd bound = Eigen::VectorXd::Constant(1, 3), pull = Eigen::VectorXd::Constant(1, 6 + 1e-12);
  EXPECT_EQ(solve_friction(W, pull, bound, {0}).held.size(), 1);
  const FrictionStep loose = solve_friction(W, pull, bound, {1});
  EXPECT_TRUE(loose.held.empty());
  EXPECT_EQ(loose.direction[0], 1);
}

}  // namespace
}  // namespace verne::test
