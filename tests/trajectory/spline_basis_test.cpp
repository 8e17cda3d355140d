#include "verne/trajectory/spline_basis.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "support/allocation_guard.h"
#include "support/compare.h"
#include "trajectory/basis_at.h"
#include "trajectory/basis_functions.h"
#include "trajectory/reference_spline.h"

namespace verne::test {
namespace {

using Want = SplineBasis::Want;
using Complex = std::complex<double>;
constexpr double kImaginaryStep = 1e-40;

struct Case {
  std::string name;
  SplineBasis basis;
  Eigen::VectorXd lengths;
};

Eigen::VectorXd random_lengths(int spans, unsigned seed) {
  std::mt19937 generator(seed);
  Eigen::VectorXd lengths(spans);
  for (double& length : lengths) length = std::uniform_real_distribution(0.3, 2.0)(generator);
  return lengths;
}

/// All degrees; simple, double and full knots; fewer spans than a basis function covers.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (int degree = 1; degree <= 9; ++degree) {
    for (const int spans : {1, 2, 7, 20}) {
      all.push_back({"degree " + std::to_string(degree) + ", " + std::to_string(spans) + " spans",
                     SplineBasis(degree, spans), random_lengths(spans, 10 * degree + spans)});
    }
    all.push_back({"degree " + std::to_string(degree) + ", knots that repeat",
                   SplineBasis(degree, {1, std::min(2, degree), 1, 1, degree, 1, std::max(1, degree - 1), 1}),
                   random_lengths(9, degree)});
  }
  return all;
}

template <class Check>
void at_some_places(const Case& c, const Check& check) {
  SCOPED_TRACE(c.name);
  for (int span = 0; span < c.basis.spans(); ++span) {
    for (const double fraction : {0.0, 0.31, 0.77, 1.0}) check(span, fraction);
  }
}

BasisAt evaluated(const Case& c, int span, double fraction, Want want = Want::values) {
  BasisAt at;
  at.evaluate(c.basis, span, fraction, c.lengths, want);
  return at;
}

TEST(SplineBasis, CountsControlPointsAndKnots) {
  const SplineBasis simple(3, 5);
  EXPECT_EQ(simple.control_points(), 8);
  EXPECT_EQ(simple.spans(), 5);
  const SplineBasis repeated(2, {2, 1});
  EXPECT_EQ(repeated.control_points(), 6);
  EXPECT_EQ(repeated.knots(Eigen::Vector3d(1, 2, 4)), (std::vector<double>{0, 0, 0, 1, 1, 3, 7, 7, 7}));
  EXPECT_EQ(repeated.first_control_point(0), 0);
  EXPECT_EQ(repeated.first_control_point(1), 2);
  EXPECT_EQ(repeated.first_control_point(2), 3);
  EXPECT_EQ(repeated.first_length(2), 1);
  EXPECT_EQ(repeated.last_length(2), 2);
}

TEST(SplineBasis, RefusesWhatDoesNotFit) {
  EXPECT_THROW(SplineBasis(0, 3), std::invalid_argument);
  EXPECT_THROW(SplineBasis(10, 3), std::invalid_argument);
  EXPECT_THROW(SplineBasis(3, 0), std::invalid_argument);
  EXPECT_THROW(SplineBasis(3, {1, 0}), std::invalid_argument);
  EXPECT_THROW(SplineBasis(3, {1, 4}), std::invalid_argument);
  const SplineBasis basis(3, 2);
  BasisAt at;
  EXPECT_THROW(at.evaluate(basis, 2, 0, Eigen::Vector2d(1, 1), Want::values), std::invalid_argument);
  EXPECT_THROW(at.evaluate(basis, -1, 0, Eigen::Vector2d(1, 1), Want::values), std::invalid_argument);
  EXPECT_THROW(at.evaluate(basis, 0, 0, Eigen::Vector3d(1, 1, 1), Want::values), std::invalid_argument);
  EXPECT_THROW(basis.knots(Eigen::Vector3d(1, 1, 1)), std::invalid_argument);
}

TEST(SplineBasis, SumsToOneAndIsNotNegative) {
  for (const Case& c : cases()) {
    at_some_places(c, [&](int span, double fraction) {
      const BasisAt at = evaluated(c, span, fraction, Want::second_derivatives);
      EXPECT_NEAR(at.value.row(0).sum(), 1, 1e-14);
      EXPECT_GE(at.value.row(0).minCoeff(), 0);
      // The sum is 1 at all times and for all lengths: all its derivatives vanish.
      for (int d = 1; d < kSplineOrders; ++d) {
        EXPECT_NEAR(at.value.row(d).sum(), 0, 1e-13 * std::max(1.0, largest(at.value.row(d))));
      }
      for (const auto* derivatives : {&at.by_length, &at.by_lengths}) {
        for (const Eigen::MatrixXd& matrix : *derivatives) {
          for (int d = 0; d < kSplineOrders; ++d) {
            EXPECT_NEAR(matrix.row(d).sum(), 0, 1e-12 * std::max(1.0, largest(matrix.row(d))));
          }
        }
      }
    });
  }
}

/// Local support, end points and multiplicities follow from agreement with the textbook definition, which looks at all
/// control points.
TEST(SplineBasis, AgreesWithTheDefinitionOnExplicitKnots) {
  for (const Case& c : cases()) {
    const std::vector<double> knots = c.basis.knots(c.lengths);
    at_some_places(c, [&](int span, double fraction) {
      const BasisAt at = evaluated(c, span, fraction);
      for (int d = 0; d < kSplineOrders; ++d) {
        Eigen::RowVectorXd expected(c.basis.control_points()), actual = Eigen::RowVectorXd::Zero(expected.size());
        for (int j = 0; j < expected.size(); ++j) {
          expected[j] = reference_basis_function(knots, j, c.basis.degree(), d,
                                                 c.basis.first_control_point(span) + c.basis.degree(),
                                                 c.lengths.head(span).sum() + fraction * c.lengths[span]);
        }
        actual.segment(at.first_control_point, c.basis.degree() + 1) = at.value.row(d);
        EXPECT_TRUE(close(actual, expected, kRounding, kSmall)) << "order " << d << " at " << span << " + " << fraction;
      }
    });
  }
}

TEST(SplineBasis, EndsOnItsFirstAndLastControlPoint) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const int p = c.basis.degree();
    const BasisAt start = evaluated(c, 0, 0), end = evaluated(c, c.basis.spans() - 1, 1);
    const double roundings = 2 * p * std::numeric_limits<double>::epsilon();  // times length, times 1 / length
    EXPECT_NEAR(start.value(0, 0), 1, roundings);
    EXPECT_NEAR(end.value(0, p), 1, roundings);
    // The first derivative at the ends needs the last two points only: p (P1 − P0) / length
    EXPECT_NEAR(start.value(1, 1), p / c.lengths[0], 1e-12 * p / c.lengths[0]);
    EXPECT_NEAR(start.value(1, 0), -p / c.lengths[0], 1e-12 * p / c.lengths[0]);
    const double last = c.lengths[c.lengths.size() - 1];
    EXPECT_NEAR(end.value(1, p), p / last, 1e-12 * p / last);
    EXPECT_EQ(start.first_control_point, 0);
    EXPECT_EQ(end.first_control_point + p, c.basis.control_points() - 1);
  }
}

/// Each knot more at a breakpoint takes one derivative's continuity away.
TEST(SplineBasis, JumpsWhereMultiplicitiesSay) {
  const Case c{"", SplineBasis(4, {1, 2, 3, 4}), random_lengths(5, 3)};
  for (int k = 0; k < 4; ++k) {
    const BasisAt before = evaluated(c, k, 1), after = evaluated(c, k + 1, 0);
    const int continuous = 4 - c.basis.multiplicities()[k];  // highest derivative that does not jump
    for (int d = 0; d < kSplineOrders; ++d) {
      Eigen::MatrixXd both = Eigen::MatrixXd::Zero(2, c.basis.control_points());
      both.row(0).segment(before.first_control_point, 5) = before.value.row(d);
      both.row(1).segment(after.first_control_point, 5) = after.value.row(d);
      const double jump = largest(both.row(0) - both.row(1)) / largest(both);
      if (d <= continuous) {
        EXPECT_LT(jump, 1e-13) << "order " << d << " at multiplicity " << c.basis.multiplicities()[k];
      } else {
        EXPECT_GT(jump, 0.1) << "order " << d << " at multiplicity " << c.basis.multiplicities()[k];
      }
    }
  }
}

TEST(SplineBasis, ValuesDoNotDependOnWhatIsWanted) {
  for (const Case& c : cases()) {
    at_some_places(c, [&](int span, double fraction) {
      const BasisAt values = evaluated(c, span, fraction),
                    first = evaluated(c, span, fraction, Want::first_derivatives),
                    second = evaluated(c, span, fraction, Want::second_derivatives);
      EXPECT_EQ(values.value, first.value);
      EXPECT_EQ(values.value, second.value);
      EXPECT_TRUE(values.by_length.empty() && values.by_lengths.empty() && first.by_lengths.empty());
      EXPECT_EQ(first.by_length, second.by_length);
    });
  }
}

/// The kernel once more with complex lengths, from the same neighbours; `moved` is the length that has an imaginary
/// part.
Eigen::MatrixXd complex_step(const Case& c, int span, double fraction, int moved) {
  const int p = c.basis.degree(), first = c.basis.first_control_point(span);
  std::vector<int> breakpoint_of_knot(p + 1, 0);
  for (int k = 0; k < c.basis.spans() - 1; ++k) {
    breakpoint_of_knot.insert(breakpoint_of_knot.end(), c.basis.multiplicities()[k], k + 1);
  }
  breakpoint_of_knot.insert(breakpoint_of_knot.end(), p + 1, c.basis.spans());
  KnotNeighbours knots;
  for (int j = 0; j < p; ++j) {
    knots.left[j] = span - breakpoint_of_knot[first + p - j];
    knots.right[j] = breakpoint_of_knot[first + p + 1 + j] - span - 1;
  }
  const auto length = [&](int k) { return Complex(c.lengths[span + k], span + k == moved ? kImaginaryStep : 0); };
  BasisFunctions<Complex, kMaxSplineDegree> functions;
  basis_functions<Complex, kMaxSplineDegree>(p, knot_distances<Complex, kMaxSplineDegree>(p, fraction, knots, length),
                                             functions);
  Eigen::MatrixXd derivatives(kSplineOrders, p + 1);
  for (int d = 0; d < kSplineOrders; ++d) {
    for (int j = 0; j <= p; ++j) derivatives(d, j) = functions[d][j].imag() / kImaginaryStep;
  }
  return derivatives;
}

TEST(SplineBasis, LengthDerivativesAgreeWithComplexSteps) {
  for (const Case& c : cases()) {
    at_some_places(c, [&](int span, double fraction) {
      const BasisAt at = evaluated(c, span, fraction, Want::first_derivatives);
      for (int k = 0; k < c.basis.spans(); ++k) {
        const Eigen::MatrixXd expected = complex_step(c, span, fraction, k);
        const int local = k - at.first_length;
        if (local < 0 || local >= at.lengths) {
          EXPECT_EQ(largest(expected), 0) << "length " << k << " of span " << span;  // the others do not matter
          continue;
        }
        for (int d = 0; d < kSplineOrders; ++d) {
          EXPECT_TRUE(close(at.by_length[local].row(d), expected.row(d), kComplexStep, largest(at.value.row(d))));
        }
      }
    });
  }
}

/// The first derivatives, just proven, differentiated by extrapolated central differences.
TEST(SplineBasis, SecondLengthDerivativesAgreeWithDifferences) {
  for (const Case& c : cases()) {
    at_some_places(c, [&](int span, double fraction) {
      const BasisAt at = evaluated(c, span, fraction, Want::second_derivatives);
      ASSERT_EQ(at.by_lengths.size(), static_cast<std::size_t>(at.lengths * at.lengths));
      for (int l = 0; l < at.lengths; ++l) {
        const auto stepped = [&](double step) {
          Case moved = c;
          moved.lengths[at.first_length + l] += step;
          return evaluated(moved, span, fraction, Want::first_derivatives).by_length;
        };
        const double h = 1e-3;
        const auto right = stepped(h), left = stepped(-h), near_right = stepped(h / 2), near_left = stepped(-h / 2);
        for (int k = 0; k < at.lengths; ++k) {
          const Eigen::MatrixXd coarse = (right[k] - left[k]) / (2 * h), fine = (near_right[k] - near_left[k]) / h;
          const Eigen::MatrixXd& exact = at.by_lengths[k * at.lengths + l];
          for (int d = 0; d < kSplineOrders; ++d) {
            const double scale = std::max(largest(exact.row(d)), largest(at.value.row(d)));
            EXPECT_TRUE(close((4 * fine.row(d) - coarse.row(d)) / 3, exact.row(d), kDifference, scale));
          }
          EXPECT_EQ(exact, at.by_lengths[l * at.lengths + k]);
        }
      }
    });
  }
}

/// f(cL) = c^-d f(L) for order d; by Euler, Σ L_k ∂f/∂L_k = −d f and Σ L_k L_l ∂²f/∂L_k∂L_l = d (d + 1) f.
TEST(SplineBasis, ScalesWithTheDuration) {
  for (const Case& c : cases()) {
    at_some_places(c, [&](int span, double fraction) {
      const BasisAt at = evaluated(c, span, fraction, Want::second_derivatives);
      const BasisAt twice = evaluated({c.name, c.basis, 2 * c.lengths}, span, fraction);
      const Eigen::VectorXd lengths = c.lengths.segment(at.first_length, at.lengths);
      Eigen::MatrixXd first = Eigen::MatrixXd::Zero(kSplineOrders, c.basis.degree() + 1), second = first;
      for (int k = 0; k < at.lengths; ++k) {
        first += lengths[k] * at.by_length[k];
        for (int l = 0; l < at.lengths; ++l) second += lengths[k] * lengths[l] * at.by_lengths[k * at.lengths + l];
      }
      for (int d = 0; d < kSplineOrders; ++d) {
        EXPECT_EQ(twice.value.row(d), std::pow(0.5, d) * at.value.row(d));  // powers of two are exact
        EXPECT_TRUE(close(first.row(d), -d * at.value.row(d), 1e-11, largest(at.value.row(d))));
        EXPECT_TRUE(close(second.row(d), d * (d + 1) * at.value.row(d), 1e-10, largest(at.value.row(d))));
      }
    });
  }
}

TEST(SplineBasis, EvaluatesWithoutAllocating) {
  if (allocation_count() < 0) GTEST_SKIP() << "allocations are not counted here";
  const Case c{"", SplineBasis(5, 12), random_lengths(12, 1)};
  for (const Want want : {Want::values, Want::first_derivatives, Want::second_derivatives}) {
    BasisAt at = evaluated(c, 5, 0.5, want);
    const long before = allocation_count();
    at.evaluate(c.basis, 6, 0.25, c.lengths, want);
    EXPECT_EQ(allocation_count(), before);
  }
}

}  // namespace
}  // namespace verne::test
