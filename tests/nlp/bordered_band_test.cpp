#include "nlp/bordered_band.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "nlp/polynomials.h"

namespace verne::nlp::test {
namespace {

/// A random symmetric matrix with a band and a border, kept twice: dense, and as BorderedBand wants it.
struct RandomBand {
  Eigen::MatrixXd dense;
  BorderedBand band;
  std::vector<double> values;

  /// `negative`: the share of unknowns whose diagonal is negative, which makes the matrix quasi-definite.
  RandomBand(int size, int widest, int border, double negative, std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::uniform_int_distribution<int> width(0, widest);
    std::vector<int> last(size);
    for (int j = 0; j < size; ++j) last[j] = std::min(size - 1, j + width(random));
    band = BorderedBand(last, border);
    const int all = size + border;
    dense = Eigen::MatrixXd::Zero(all, all);
    values.assign(band.values().size(), 0.0);
    Eigen::VectorXd sign(all);
    for (double& s : sign) s = uniform(random) < 2 * negative - 1 ? -1 : 1;
    const auto set = [&](int i, int j, double value) {
      dense(i, j) = dense(j, i) = value;
      values[band.slot(i, j)] = value;
    };
    for (int j = 0; j < all; ++j) {
      for (int i = j + 1; i < all; ++i) {
        if (i < size && i > last[j]) continue;
        // Within each of the two definite blocks the diagonal dominates; between them anything goes.
        set(i, j, sign[i] == sign[j] ? uniform(random) / (widest + border + 1) : 3 * uniform(random));
      }
      set(j, j, sign[j] * (1.5 + uniform(random) / 4));
    }
  }
};

TEST(BorderedBand, AgreesWithDenseFactorization) {
  std::mt19937 random(11);
  for (const int size : {1, 5, 23, 24, 25, 61, 140}) {
    for (const int widest : {0, 3, 17, 40}) {
      for (const int border : {0, 1, 6, 30}) {
        for (const double negative : {0.0, 0.3, 1.0}) {
          RandomBand matrix(size, widest, border, negative, random);
          const Inertia inertia = matrix.band.factor(matrix.values);
          const Eigen::VectorXd eigenvalues =
              Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix.dense).eigenvalues();
          EXPECT_EQ(inertia.positive, (eigenvalues.array() > 0).count());
          EXPECT_EQ(inertia.negative, (eigenvalues.array() < 0).count());
          EXPECT_EQ(inertia.zero, 0);
          const Eigen::VectorXd right = Eigen::VectorXd::Random(size + border);
          Eigen::VectorXd x = right;
          matrix.band.solve(view(x));
          const Eigen::VectorXd expected = matrix.dense.partialPivLu().solve(right);
          EXPECT_LT((x - expected).norm(), 1e-11 * (1 + expected.norm()))
              << size << ' ' << widest << ' ' << border << ' ' << negative;
        }
      }
    }
  }
}

/// Inertia without quasi-definiteness: pivots have signs of their own, but as many of each as there are eigenvalues.
TEST(BorderedBand, CountsTheSignsOfIndefiniteMatrices) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int k = 0; k < 20; ++k) {
    RandomBand matrix(50, 9, 3, 0.5, random);
    for (int i = 0; i < matrix.dense.rows(); ++i) {
      matrix.dense(i, i) = matrix.values[matrix.band.slot(i, i)] = uniform(random);
    }
    const Inertia inertia = matrix.band.factor(matrix.values);
    const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix.dense).eigenvalues();
    EXPECT_EQ(inertia.positive, (eigenvalues.array() > 0).count());
    EXPECT_EQ(inertia.negative, (eigenvalues.array() < 0).count());
  }
}

TEST(BorderedBand, SeesPivotsThatVanish) {
  BorderedBand band({1, 1, 2}, 1);
  std::vector<double> values(band.values().size(), 0.0);
  for (const auto& [i, j, value] : {std::tuple(0, 0, 1.0), {1, 0, 1.0}, {1, 1, 1.0}, {2, 2, -1.0}, {3, 3, 1.0}}) {
    values[band.slot(i, j)] = value;
  }
  const Inertia inertia = band.factor(values);
  EXPECT_EQ(inertia.zero, 1);
  EXPECT_EQ(inertia.positive, 2);
  EXPECT_EQ(inertia.negative, 1);
  values[band.slot(0, 0)] = std::nan("");
  EXPECT_GT(band.factor(values).zero, 0);
}

}  // namespace
}  // namespace verne::nlp::test
