#include "nlp/kkt_system.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>
#include <random>

namespace verne::nlp::test {
namespace {

constexpr double kRegularization = 1e-10;

/// A made-up motion: variables in time, inequalities and equations over neighbours, a duration that all depend on.
struct MadeUpSystem {
  int n;
  std::vector<Entry> hessian_pattern;
  SparseRows jacobian_pattern;
  std::vector<char> equation;
  std::vector<double> hessian, jacobian;
  Eigen::VectorXd diagonal, compliance;
  Eigen::MatrixXd H, J;  // dense

  MadeUpSystem(int points, int dofs, int equations, bool shuffled, unsigned seed) : n(points * dofs + 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<int> name(n);
    std::iota(name.begin(), name.end(), 0);
    if (shuffled) std::shuffle(name.begin(), name.end(), random);
    H = Eigen::MatrixXd::Zero(n, n);
    const auto near = [&](int span) {  // four control points and the duration
      std::vector<int> members;
      for (int k = span * dofs; k < (span + 4) * dofs; ++k) members.push_back(name[k]);
      members.push_back(name[n - 1]);
      std::sort(members.begin(), members.end());
      return members;
    };
    for (int span = 0; span + 4 <= points; ++span) {
      const std::vector<int> members = near(span);
      for (const int i : members) {
        for (const int k : members) {
          if (k <= i) H(i, k) = uniform(random) / (8 * dofs);
        }
      }
    }
    for (int i = 0; i < n; ++i) H(i, i) = 1;
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k <= i; ++k) {
        if (H(i, k) == 0) continue;
        hessian_pattern.push_back({i, k});
        hessian.push_back(H(i, k));
        H(k, i) = H(i, k);
      }
    }
    std::vector<std::vector<int>> rows;
    for (int span = 0; span + 4 <= points; ++span) {
      for (int r = 0; r < 3; ++r) rows.push_back(near(span)), equation.push_back(0);
      rows.push_back({near(span)[0], near(span)[dofs]}), equation.push_back(0);
    }
    std::vector<int> far(name.begin(), name.end());  // an inequality over everything
    std::sort(far.begin(), far.end());
    rows.push_back(far), equation.push_back(0);
    for (int e = 0; e < equations; ++e) rows.push_back(near(e % (points - 3))), equation.push_back(1);
    J = Eigen::MatrixXd::Zero(static_cast<int>(rows.size()), n);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      jacobian_pattern.add(rows[r]);
      for (const int column : rows[r]) jacobian.push_back(J(static_cast<int>(r), column) = uniform(random));
    }
    diagonal = Eigen::VectorXd::Random(n).cwiseAbs();
    compliance = Eigen::VectorXd::Zero(J.rows());
    for (int r = 0; r < J.rows(); ++r) {
      if (!equation[r]) compliance[r] = std::pow(10, 5 * uniform(random));
    }
  }
  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd K(n + J.rows(), n + J.rows());
    K << H + Eigen::MatrixXd(diagonal.asDiagonal()), J.transpose(), J, -Eigen::MatrixXd(compliance.asDiagonal());
    return K;
  }
};

/// The entries as the system wants them.
std::vector<double> in_order_of(const KktSystem& system, const std::vector<double>& jacobian) {
  std::vector<double> ordered;
  for (const int k : system.jacobian_order()) ordered.push_back(jacobian[k]);
  EXPECT_EQ(ordered.size(), jacobian.size());
  ordered.resize(ordered.size() + KktSystem::kRoom);
  return ordered;
}

TEST(KktSystem, SolvesWhatTheDenseSystemSays) {
  for (const bool shuffled : {false, true}) {
    for (const int dofs : {1, 2, 7}) {
      MadeUpSystem made(14, dofs, 9, shuffled, 3 + dofs);
      KktSystem system(made.n, made.hessian_pattern, made.jacobian_pattern, made.equation);
      const std::vector<double> jacobian = in_order_of(system, made.jacobian);
      system.set_jacobian(jacobian);
      system.set(made.hessian, made.diagonal, made.compliance, kRegularization);
      EXPECT_TRUE(system.factor(0));
      const Eigen::VectorXd right = Eigen::VectorXd::Random(made.n + made.J.rows());
      Eigen::VectorXd dx(made.n), dy(made.J.rows());
      EXPECT_TRUE(system.solve(right.head(made.n), right.tail(made.J.rows()), dx, dy));
      Eigen::VectorXd found(right.size());
      found << dx, dy;
      const Eigen::MatrixXd K = made.dense();
      const Eigen::VectorXd expected = K.fullPivLu().solve(right);
      EXPECT_LT((found - expected).norm(), 1e-8 * expected.norm()) << dofs;
      EXPECT_LT((K * found - right).norm(), 1e-10 * (1 + found.norm())) << dofs;
      EXPECT_LT((made.J * dx - system.along()).norm(), 1e-13 * made.J.norm() * dx.norm()) << dofs;
      Eigen::VectorXd product = Eigen::VectorXd::Ones(made.n);
      system.add_transposed_product(dy, product);
      const Eigen::VectorXd exact = made.J.transpose() * dy + Eigen::VectorXd::Ones(made.n);
      EXPECT_LT((product - exact).norm(), 1e-13 * (made.J.norm() * dy.norm() + made.n)) << dofs;
    }
  }
}

TEST(KktSystem, KnowsWhetherTheCostIsConvexAlongTheEquations) {
  MadeUpSystem made(10, 2, 3, false, 8);
  for (std::size_t k = 0; k < made.hessian.size(); ++k) {
    const auto& [row, column] = made.hessian_pattern[k];
    if (row == column) made.hessian[k] = made.H(row, row) = -0.2;
  }
  made.compliance *= 1e3;
  KktSystem system(made.n, made.hessian_pattern, made.jacobian_pattern, made.equation);
  made.diagonal.setZero();
  const std::vector<double> jacobian = in_order_of(system, made.jacobian);
  system.set_jacobian(jacobian);
  system.set(made.hessian, made.diagonal, made.compliance, kRegularization);
  bool convex = true, seen_convex = false, seen_concave = false;
  for (const double shift : {0.0, 0.05, 0.2, 0.5, 1.0, 3.0}) {
    Eigen::MatrixXd K = made.dense();
    K.diagonal().head(made.n).array() += shift;
    const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K).eigenvalues();
    convex = (eigenvalues.array() > 0).count() == made.n;
    EXPECT_EQ(system.factor(shift), convex) << shift;
    (convex ? seen_convex : seen_concave) = true;
  }
  EXPECT_TRUE(seen_convex && seen_concave);
}

/// The same equation three times: the multipliers are not unique, the step is.
TEST(KktSystem, SurvivesRedundantEquations) {
  MadeUpSystem made(10, 2, 4, false, 21);
  const int m = static_cast<int>(made.J.rows());
  const auto copy_row = [&](int from, int to, double factor) {
    made.J.row(to) = factor * made.J.row(from);
    const auto& start = made.jacobian_pattern.start;
    ASSERT_EQ(start[from + 1] - start[from], start[to + 1] - start[to]);
    for (int e = 0; e < start[to + 1] - start[to]; ++e) {
      made.jacobian_pattern.index[start[to] + e] = made.jacobian_pattern.index[start[from] + e];
      made.jacobian[start[to] + e] = factor * made.jacobian[start[from] + e];
    }
  };
  copy_row(m - 4, m - 3, 1);
  copy_row(m - 4, m - 1, -2);
  KktSystem system(made.n, made.hessian_pattern, made.jacobian_pattern, made.equation);
  const std::vector<double> jacobian = in_order_of(system, made.jacobian);
  system.set_jacobian(jacobian);
  system.set(made.hessian, made.diagonal, made.compliance, kRegularization);
  EXPECT_TRUE(system.factor(0));
  Eigen::VectorXd r_x = Eigen::VectorXd::Random(made.n), r_y = Eigen::VectorXd::Random(m), dx(made.n), dy(m);
  r_y[m - 3] = r_y[m - 4], r_y[m - 1] = -2 * r_y[m - 4];
  EXPECT_TRUE(system.solve(r_x, r_y, dx, dy));
  Eigen::VectorXd right(made.n + m), found(made.n + m);
  right << r_x, r_y;
  found << dx, dy;
  const Eigen::MatrixXd K = made.dense();
  EXPECT_LT((K * found - right).norm(), 1e-7 * right.norm());
  const Eigen::VectorXd expected = K.completeOrthogonalDecomposition().solve(right);
  EXPECT_LT((dx - expected.head(made.n)).norm(), 1e-6 * expected.head(made.n).norm());
}

/// Time is found by itself, however the variables are numbered: the band is as narrow as the motion allows.
TEST(EliminationOrder, FindsTheBand) {
  constexpr int kPoints = 40, kDofs = 3;
  std::mt19937 random(2);
  std::vector<int> name(kPoints * kDofs + 1);
  std::iota(name.begin(), name.end(), 0);
  std::shuffle(name.begin(), name.end(), random);
  Meetings meetings;
  meetings.variables = static_cast<int>(name.size());
  for (int point = 0; point + 4 <= kPoints; ++point) {
    std::vector<int> clique{name.back()};
    for (int k = point * kDofs; k < (point + 4) * kDofs; ++k) clique.push_back(name[k]);
    meetings.cliques.add(clique);
    meetings.rows.add(clique);
  }
  const EliminationOrder order = order_unknowns(meetings);
  EXPECT_EQ(order.border, 1);
  EXPECT_EQ(order.position[name.back()], meetings.variables + meetings.rows.count() - 1);
  for (std::size_t k = 0; k < order.last.size(); ++k) {
    EXPECT_LE(order.last[k] - static_cast<int>(k), 4 * (kDofs + 1) + 1);
  }
  std::vector<int> sorted = order.position;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 0; k < sorted.size(); ++k) EXPECT_EQ(sorted[k], static_cast<int>(k));
}

}  // namespace
}  // namespace verne::nlp::test
