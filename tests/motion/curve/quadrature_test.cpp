#include "motion/curve/quadrature.h"

#include <gtest/gtest.h>

#include <cmath>

namespace verne {
namespace {

TEST(Quadrature, IsExactForPolynomialsUpToItsDegree) {
  for (int points = 1; points <= 10; ++points) {
    const Quadrature gauss = gauss_quadrature({0, 2}, points);
    ASSERT_EQ(gauss.places.size(), 2u * points);
    for (int power = 0; power <= 2 * points; ++power) {
      double sum = 0;
      for (int k = 0; k < points; ++k) {
        EXPECT_EQ(gauss.places[k].span, 0);
        EXPECT_EQ(gauss.places[points + k].span, 1);
        EXPECT_EQ(gauss.places[points + k].fraction, gauss.places[k].fraction);
        sum += gauss.weights[k] * std::pow(gauss.places[k].fraction, power);
      }
      const double error = std::abs(sum - 1.0 / (power + 1));
      if (power < 2 * points) {
        EXPECT_LT(error, 1e-14) << points << " points, power " << power;
      } else if (points <= 6) {
        EXPECT_GT(error, 1e-10);  // and no further
      }
    }
  }
}

/// Of polynomials through as many places as there are: ∫ (xᵃ)' (xᵇ)' = a b / (a + b − 1).
TEST(Quadrature, SquaredRatesOfPolynomials) {
  for (int points = 1; points <= 7; ++points) {
    const Quadrature gauss = gauss_quadrature({0, 2}, points);
    const Eigen::MatrixXd form = squared_rate_form(gauss);
    const auto power = [&](int n) -> Eigen::VectorXd {
      return Eigen::VectorXd::NullaryExpr(
          points, [&](Eigen::Index k) { return std::pow(gauss.places[static_cast<std::size_t>(k)].fraction, n); });
    };
    for (int a = 0; a < points; ++a) {
      for (int b = 0; b < points; ++b) {
        const double exact = a * b == 0 ? 0 : static_cast<double>(a * b) / (a + b - 1);
        EXPECT_NEAR(power(a).dot(form * power(b)), exact, 1e-11) << points << " points, " << a << ", " << b;
      }
    }
  }
}

}  // namespace
}  // namespace verne
