/// Comparison of blocks of numbers, and every tolerance of the dynamics tests in one place.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>

namespace verne::test {

// All are relative to the largest entry of the block that is compared (docs/conventions.md).

/// The same sums in another order: some thousand rounded operations on up to 30 bodies.
inline constexpr double kRounding = 1e-12;
/// Complex step against analytic values: the step itself has no error, both sides round (DESIGN: 1e-12).
inline constexpr double kComplexStep = 1e-12;
/// What passes through M⁻¹: rounding times the condition number of M, which is up to about 1e3 for the models here.
inline constexpr double kSolve = 1e-10;
/// The part of it that a condition number of M brings, for models where that is larger: times the condition number.
inline constexpr double kSolvePerCondition = 1e-15;
/// Second derivatives by central differences of complex steps: the truncation of a step of 1e-3, extrapolated once.
inline constexpr double kDifference = 1e-8;
/// Numbers of other libraries (DESIGN: 1e-10).
inline constexpr double kPeer = 1e-10;

/// The scale of blocks that may vanish, such as the torques of a prismatic chain along its positions: rounding of
/// numbers of the order of one is all that is left of them.
inline constexpr double kSmall = 1e-2;

template <class Block>
double largest(const Eigen::MatrixBase<Block>& block) {
  return block.size() == 0 ? 0.0 : block.cwiseAbs().maxCoeff();
}

/// |actual − expected| <= tolerance * scale in every entry, where scale is the largest entry of the reference, or what
/// is given where large numbers cancel in it. NaN never passes.
template <class A, class B>
testing::AssertionResult close(const Eigen::MatrixBase<A>& given, const Eigen::MatrixBase<B>& reference,
                               double tolerance, double scale = 0) {
  // A product that is asked for one entry would be formed anew for each of them.
  const auto& actual = given.derived().eval();
  const auto& expected = reference.derived().eval();
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) {
    return testing::AssertionFailure() << "sizes differ: " << actual.rows() << " x " << actual.cols() << ", expected "
                                       << expected.rows() << " x " << expected.cols();
  }
  const double bound = std::max(scale, largest(expected));
  for (Eigen::Index j = 0; j < actual.cols(); ++j) {
    for (Eigen::Index i = 0; i < actual.rows(); ++i) {
      const double error = std::abs(actual(i, j) - expected(i, j));
      if (error <= tolerance * bound) continue;
      return testing::AssertionFailure() << "entry (" << i << ", " << j << ") is " << actual(i, j) << ", expected "
                                         << expected(i, j) << ": off by " << error / bound
                                         << " of the largest, allowed " << tolerance;
    }
  }
  return testing::AssertionSuccess();
}

inline testing::AssertionResult close(double actual, double expected, double tolerance, double scale = 0) {
  using One = Eigen::Matrix<double, 1, 1>;
  return close(One(actual), One(expected), tolerance, scale);
}

}  // namespace verne::test
