/// The proof of an entry of docs/errata.md.
#pragma once

#include "formulations/formulation_support.h"

namespace verne::test {

/// What was printed is clearly wrong, the correction holds to rounding. Both are relative to the truth's largest entry.
template <class Printed, class Corrected, class Truth>
void expect_erratum(const Eigen::MatrixBase<Printed>& printed, const Eigen::MatrixBase<Corrected>& corrected,
                    const Eigen::MatrixBase<Truth>& truth, double scale = 0) {
  constexpr double kClearly = 1e-3;
  EXPECT_FALSE(close(printed, truth, kClearly, scale)) << "what is printed agrees";
  EXPECT_TRUE(close(corrected, truth, kAgreement, scale));
}
inline void expect_erratum(const Vec3<double>& printed, const Vec3<double>& corrected, const Vec3<double>& truth,
                           double scale = 0) {
  expect_erratum(eigen(printed), eigen(corrected), eigen(truth), scale);
}
inline void expect_erratum(double printed, double corrected, double truth, double scale = 0) {
  using One = Eigen::Matrix<double, 1, 1>;
  expect_erratum(One(printed), One(corrected), One(truth), scale);
}

}  // namespace verne::test
