#include "verne/trajectory/trajectory.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <random>

#include "support/compare.h"

namespace verne::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Eigen::MatrixXd random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 generator(seed);
  Eigen::MatrixXd matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = std::uniform_real_distribution(-1.0, 1.0)(generator);
  return matrix;
}

Trajectory random_trajectory(int degree, std::vector<int> multiplicities, unsigned seed) {
  SplineBasis basis(degree, std::move(multiplicities));
  const Eigen::VectorXd lengths = random_matrix(basis.spans(), 1, seed).array() + 1.4;
  Eigen::MatrixXd points = random_matrix(basis.control_points(), 2, seed + 1);
  return Trajectory(std::move(basis), lengths, points);
}

std::vector<Trajectory> trajectories() {
  return {random_trajectory(1, {1, 1}, 1),
          random_trajectory(2, {1, 2, 1}, 2),
          random_trajectory(3, {1, 1, 1, 1, 1}, 3),
          random_trajectory(3, {2, 1, 3, 1}, 4),
          random_trajectory(5, {1, 1, 2, 1, 4, 1}, 5),
          random_trajectory(4, {}, 6)};
}

/// `per_span` places in every span, from start to end.
std::vector<Place> places(const SplineBasis& basis, int per_span) {
  std::vector<Place> all;
  for (int span = 0; span < basis.spans(); ++span) {
    for (int k = 0; k < per_span; ++k) all.push_back({span, k / (per_span - 1.0)});
  }
  return all;
}

TEST(Trajectory, RefusesWhatDoesNotFit) {
  const SplineBasis basis(3, 2);
  const Eigen::MatrixXd points = Eigen::MatrixXd::Zero(5, 1);
  EXPECT_NO_THROW(Trajectory(basis, Eigen::Vector2d(1, 1), points));
  EXPECT_THROW(Trajectory(basis, Eigen::Vector3d(1, 1, 1), points), std::invalid_argument);
  EXPECT_THROW(Trajectory(basis, Eigen::Vector2d(1, 0), points), std::invalid_argument);
  EXPECT_THROW(Trajectory(basis, Eigen::Vector2d(1, std::nan("")), points), std::invalid_argument);
  EXPECT_THROW(Trajectory(basis, Eigen::Vector2d(1, kInfinity), points), std::invalid_argument);
  EXPECT_THROW(Trajectory(basis, Eigen::Vector2d(1, 1), Eigen::MatrixXd::Zero(4, 1)), std::invalid_argument);
  const Trajectory trajectory(basis, Eigen::Vector2d(1, 1), points);
  EXPECT_THROW(trajectory.at(0.5, 4), std::invalid_argument);
  EXPECT_THROW(trajectory.at(0.5, -1), std::invalid_argument);
}

TEST(Trajectory, FindsPlaces) {
  const Trajectory trajectory(SplineBasis(1, 3), Eigen::Vector3d(1, 2, 1), Eigen::MatrixXd::Zero(4, 1));
  const auto expect = [&](double time, int span, double fraction) {
    const Place place = trajectory.place(time);
    EXPECT_EQ(place.span, span) << time;
    EXPECT_EQ(place.fraction, fraction) << time;
  };
  expect(0, 0, 0);
  expect(0.25, 0, 0.25);
  expect(1, 1, 0);  // a breakpoint belongs to the span after it
  expect(2, 1, 0.5);
  expect(4, 2, 1);
  expect(-3, 0, 0);
  expect(9, 2, 1);
  EXPECT_EQ(trajectory.duration(), 4);
  for (const double time : {0.0, 0.3, 1.0, 2.9, 3.5, 4.0}) {
    EXPECT_NEAR(trajectory.time(trajectory.place(time)), time, 1e-15);
  }
}

/// Each derivative is the slope of the one below it, by extrapolated differences inside a span.
TEST(Trajectory, DerivativesAreSlopes) {
  for (const Trajectory& trajectory : trajectories()) {
    for (int span = 0; span < trajectory.basis().spans(); ++span) {
      for (int d = 1; d < kSplineOrders; ++d) {
        const auto central = [&](double h) -> Eigen::VectorXd {
          return (trajectory.at(Place{span, 0.4 + h}, d - 1) - trajectory.at(Place{span, 0.4 - h}, d - 1)) /
                 (2 * h * trajectory.lengths()[span]);
        };
        const Eigen::VectorXd slope = (4 * central(5e-3) - central(1e-2)) / 3;
        EXPECT_TRUE(close(slope, trajectory.at(Place{span, 0.4}, d), 1e-7, 1));
      }
    }
  }
}

TEST(Trajectory, MovesFromTheFirstToTheLastControlPoint) {
  for (const Trajectory& trajectory : trajectories()) {
    const Eigen::MatrixXd& points = trajectory.control_points();
    EXPECT_TRUE(close(trajectory.at(0.0), points.row(0).transpose(), 1e-14));
    EXPECT_TRUE(close(trajectory.at(trajectory.duration()), points.bottomRows(1).transpose(), 1e-14));
  }
}

TEST(WithKnot, KeepsTheCurve) {
  for (const Trajectory& trajectory : trajectories()) {
    for (int span = 0; span < trajectory.basis().spans(); ++span) {
      for (const double fraction : {0.0, 0.2, 0.99}) {
        const bool full =
            fraction == 0 && span > 0 && trajectory.basis().multiplicities()[span - 1] == trajectory.basis().degree();
        if ((span == 0 && fraction == 0) || full) {
          EXPECT_THROW(trajectory.with_knot({span, fraction}), std::invalid_argument);
          continue;
        }
        const Trajectory finer = trajectory.with_knot({span, fraction});
        EXPECT_EQ(finer.basis().control_points(), trajectory.basis().control_points() + 1);
        EXPECT_EQ(finer.basis().spans(), trajectory.basis().spans() + (fraction > 0 ? 1 : 0));
        EXPECT_NEAR(finer.duration(), trajectory.duration(), 1e-14);
        for (int d = 0; d <= 2; ++d) {
          for (double time = 0.05; time < trajectory.duration(); time += 0.1) {  // not at breakpoints, where some jump
            const Eigen::VectorXd expected = trajectory.at(time, d);
            EXPECT_TRUE(close(finer.at(time, d), expected, d == 0 ? 1e-14 : 1e-10, 1));
          }
        }
      }
    }
  }
}

TEST(WithKnot, RefusesPlacesOutside) {
  const Trajectory trajectory = random_trajectory(3, {1}, 1);
  for (const Place& place :
       {Place{0, 0}, Place{0, 1}, Place{1, 1}, Place{2, 0.5}, Place{-1, 0.5}, Place{0, -0.1}, Place{0, std::nan("")}}) {
    EXPECT_THROW(trajectory.with_knot(place), std::invalid_argument);
  }
}

TEST(Range, BoundsHoldAndAreTight) {
  for (const Trajectory& trajectory : trajectories()) {
    for (int order = 0; order <= std::min(2, trajectory.basis().degree()); ++order) {
      for (const double tolerance : {1e-2, 1e-6, 0.0}) {
        const auto [low, high] = trajectory.range(order, 1, tolerance);
        double least = kInfinity, most = -kInfinity;
        for (const Place& place : places(trajectory.basis(), 400)) {
          const double value = trajectory.at(place, order)[1];
          least = std::min(least, value);
          most = std::max(most, value);
        }
        EXPECT_LE(low, least);
        EXPECT_GE(high, most);
        const double sampling = 1e-4 * (most - least);  // what 400 samples miss near a smooth extremum
        EXPECT_GE(low, least - tolerance - sampling);
        EXPECT_LE(high, most + tolerance + sampling);
      }
    }
  }
}

/// A parabola in one span, t (1 − t): its hull is twice as high as it is.
TEST(Range, FindsTheTopOfAParabola) {
  const Trajectory parabola(SplineBasis(2, 1), Eigen::VectorXd::Ones(1), Eigen::Vector3d(0, 0.5, 0));
  for (const double tolerance : {0.1, 1e-3, 1e-9}) {
    const auto [low, high] = parabola.range(0, 0, tolerance);
    EXPECT_GE(high, 0.25);
    EXPECT_LE(high, 0.25 + tolerance + 1e-14);
    EXPECT_NEAR(low, 0, 1e-14);
  }
  const auto [slope_low, slope_high] = parabola.range(1, 0, 0);
  EXPECT_NEAR(slope_low, -1, 1e-13);
  EXPECT_NEAR(slope_high, 1, 1e-13);
  const auto [low, high] = parabola.range(2, 0, 0);
  EXPECT_NEAR(low, -2, 1e-13);
  EXPECT_NEAR(high, -2, 1e-13);
}

TEST(Range, SeesBothSidesOfJumps) {
  // Straight pieces with slopes 1, −3 and 2: velocity jumps, and is constant in between.
  const Trajectory zigzag(SplineBasis(1, 3), Eigen::Vector3d(1, 1, 1), Eigen::Vector4d(0, 1, -2, 0));
  const auto [low, high] = zigzag.range(1, 0, 0);
  EXPECT_NEAR(low, -3, 1e-13);
  EXPECT_NEAR(high, 2, 1e-13);
}

TEST(Range, RefusesWhatItCannotBound) {
  const Trajectory trajectory = random_trajectory(2, {1}, 1);
  EXPECT_THROW(trajectory.range(3, 0, 0), std::invalid_argument);
  EXPECT_THROW(trajectory.range(-1, 0, 0), std::invalid_argument);
  EXPECT_THROW(trajectory.range(0, 2, 0), std::invalid_argument);
  EXPECT_THROW(trajectory.range(0, 0, -1), std::invalid_argument);
  EXPECT_THROW(trajectory.range(0, 0, std::nan("")), std::invalid_argument);
  for (const double bad : {std::nan(""), kInfinity}) {
    Eigen::MatrixXd points = trajectory.control_points();
    points(1, 0) = bad;
    const Trajectory broken(trajectory.basis(), trajectory.lengths(), points);
    EXPECT_THROW(broken.range(0, 0, 1e-3), std::invalid_argument);
    EXPECT_NO_THROW(broken.range(0, 1, 1e-3));
  }
  // Numbers near the largest: an answer or a refusal, but an end.
  const Trajectory huge(SplineBasis(2, 1), Eigen::VectorXd::Ones(1), Eigen::Vector3d(0, 1.5e308, 1.5e308));
  EXPECT_GE(huge.range(0, 0, 0).second, 1.5e308);
  EXPECT_THROW(huge.range(1, 0, 0), std::invalid_argument);
}

/// A polynomial and its derivatives, by Horner.
double polynomial(const std::vector<double>& coefficients, double t) {
  double value = 0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) value = value * t + *c;
  return value;
}

TEST(Fit, ReproducesPolynomials) {
  for (int degree = 1; degree <= 6; ++degree) {
    const SplineBasis basis(degree, {1, 1, degree, 1});
    const Eigen::VectorXd lengths = random_matrix(5, 1, degree).array() + 1.2;
    const Trajectory clock(basis, lengths, Eigen::MatrixXd::Zero(basis.control_points(), 1));
    std::vector<double> coefficients, slopes;
    for (int k = 0; k <= degree; ++k) coefficients.push_back(std::pow(-0.3, k));
    for (int k = 1; k <= degree; ++k) slopes.push_back(k * coefficients[k]);
    const std::vector<Place> samples = places(basis, degree + 2);
    Eigen::MatrixXd values(1, samples.size());
    for (std::size_t k = 0; k < samples.size(); ++k) values(0, k) = polynomial(coefficients, clock.time(samples[k]));
    const Trajectory fitted(basis, lengths, fit_control_points(basis, lengths, samples, values));
    for (const Place& place : places(basis, 9)) {
      EXPECT_NEAR(fitted.at(place)[0], polynomial(coefficients, clock.time(place)), 1e-12);
      EXPECT_NEAR(fitted.at(place, 1)[0], polynomial(slopes, clock.time(place)), 1e-11);
    }
  }
}

TEST(Fit, MeetsTheEndsAndIsTheBestInBetween) {
  const SplineBasis basis(3, 4);
  const Eigen::VectorXd lengths = Eigen::Vector4d(1, 0.5, 0.7, 1);
  const std::vector<Place> samples = places(basis, 6);
  const Eigen::MatrixXd values = random_matrix(2, static_cast<int>(samples.size()), 7);
  const Eigen::MatrixXd points = fit_control_points(basis, lengths, samples, values);
  EXPECT_EQ(points.topRows(1).transpose(), values.leftCols(1));
  EXPECT_EQ(points.bottomRows(1).transpose(), values.rightCols(1));
  const auto misfit = [&](const Eigen::MatrixXd& candidate) {
    const Trajectory trajectory(basis, lengths, candidate);
    double sum = 0;
    for (std::size_t k = 0; k < samples.size(); ++k) sum += (trajectory.at(samples[k]) - values.col(k)).squaredNorm();
    return sum;
  };
  for (int i = 1; i + 1 < basis.control_points(); ++i) {
    for (const double step : {1e-3, -1e-3}) {
      Eigen::MatrixXd moved = points;
      moved(i, 1) += step;
      EXPECT_GT(misfit(moved), misfit(points));
    }
  }
}

// Against a dense decomposition; of what the places leave open, the least change of the straight line.
TEST(Fit, IsThatOfADenseDecomposition) {
  for (int degree = 1; degree <= 6; ++degree) {
    for (const bool enough : {true, false}) {
      const SplineBasis basis(degree, 9);
      const Eigen::VectorXd lengths = random_matrix(9, 1, degree).array().abs() + 0.1;
      std::vector<Place> samples = places(basis, degree + 2);
      if (!enough) samples = {{0, 0}, {1, 0.3}, {5, 0.1}, {5, 0.6}, {8, 1}};
      const Eigen::MatrixXd values = random_matrix(2, static_cast<int>(samples.size()), 7);
      Eigen::MatrixXd line(basis.control_points(), 2), A(samples.size(), basis.control_points());
      const Eigen::MatrixXd ends = (Eigen::MatrixXd(2, 2) << values.leftCols(1), values.rightCols(1)).finished();
      line = fit_control_points(basis, lengths, {samples.front(), samples.back()}, ends);
      for (int i = 0; i < basis.control_points(); ++i) {
        const Trajectory one(basis, lengths, Eigen::VectorXd::Unit(basis.control_points(), i));
        for (std::size_t k = 0; k < samples.size(); ++k) A(static_cast<int>(k), i) = one.at(samples[k])[0];
      }
      const int inner = basis.control_points() - 2;
      const Eigen::MatrixXd rest = values.transpose() - A * line;
      Eigen::MatrixXd expected = line;
      expected.middleRows(1, inner) += A.middleCols(1, inner).completeOrthogonalDecomposition().solve(rest);
      const Eigen::MatrixXd found = fit_control_points(basis, lengths, samples, values);
      EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), enough ? 1e-12 : 1e-8) << degree << ' ' << enough;
    }
  }
}

// A dense matrix for these would take 13 GB.
TEST(Fit, TakesMemoryInProportion) {
  const SplineBasis basis(5, 20000 - 5);
  const Eigen::VectorXd lengths = Eigen::VectorXd::Constant(basis.spans(), 1e-4);
  const std::vector<Place> samples = places(basis, 4);
  const Trajectory clock(basis, lengths, Eigen::MatrixXd::Zero(basis.control_points(), 1));
  Eigen::MatrixXd values(1, samples.size());
  for (std::size_t k = 0; k < samples.size(); ++k) values(0, k) = std::sin(clock.time(samples[k]));
  const Trajectory fitted(basis, lengths, fit_control_points(basis, lengths, samples, values));
  for (const double time : {0.0, 0.1234, 1.0, 1.9}) EXPECT_NEAR(fitted.at(time)[0], std::sin(time), 1e-13);
}

TEST(Fit, IsAStraightLineWhereNothingElseIsSaid) {
  const SplineBasis basis(5, {1, 2, 1});
  const Eigen::VectorXd lengths = Eigen::Vector4d(1, 0.5, 0.7, 1.1);
  const Eigen::MatrixXd ends = (Eigen::MatrixXd(1, 2) << 1, 3).finished();
  const Trajectory line(basis, lengths, fit_control_points(basis, lengths, {{0, 0}, {3, 1}}, ends));
  for (const Place& place : places(basis, 5)) {
    EXPECT_NEAR(line.at(place)[0], 1 + 2 * line.time(place) / line.duration(), 1e-14);
    EXPECT_NEAR(line.at(place, 1)[0], 2 / line.duration(), 1e-13);
  }
}

TEST(Fit, RefusesWhatDoesNotFit) {
  const SplineBasis basis(3, 2);
  const Eigen::VectorXd lengths = Eigen::Vector2d(1, 1);
  const Eigen::MatrixXd two = Eigen::MatrixXd::Zero(1, 2);
  EXPECT_NO_THROW(fit_control_points(basis, lengths, {{0, 0}, {1, 1}}, two));
  EXPECT_THROW(fit_control_points(basis, lengths, {{0, 0}, {1, 1}}, Eigen::MatrixXd::Zero(1, 3)),
               std::invalid_argument);
  EXPECT_THROW(fit_control_points(basis, lengths, {{0, 0.1}, {1, 1}}, two), std::invalid_argument);
  EXPECT_THROW(fit_control_points(basis, lengths, {{0, 0}, {0, 1}}, two), std::invalid_argument);
  EXPECT_THROW(fit_control_points(basis, lengths, {{0, 0}}, Eigen::MatrixXd::Zero(1, 1)), std::invalid_argument);
  EXPECT_THROW(fit_control_points(basis, Eigen::Vector3d(1, 1, 1), {{0, 0}, {1, 1}}, two), std::invalid_argument);
}

}  // namespace
}  // namespace verne::test
