/// Derivatives by complex step: f'(x) = Im f(x + ih) / h, without the cancellation of differences.
#pragma once

#include <complex>

#include "support/states.h"

namespace verne::test {

using Complex = std::complex<double>;
using ComplexVector = Vector<Complex>;

/// h² is far below rounding and far above underflow.
inline constexpr double kImaginaryStep = 1e-40;

template <class Block>
auto derivative(const Eigen::MatrixBase<Block>& stepped) {
  return (stepped.imag() / kImaginaryStep).eval();
}
inline double derivative(const std::complex<double>& stepped) {
  return stepped.imag() / kImaginaryStep;
}

/// x + ih dx
inline ComplexVector stepped(const Eigen::VectorXd& x, const Eigen::VectorXd& dx) {
  return x.cast<std::complex<double>>() + dx.cast<std::complex<double>>() * std::complex<double>(0, kImaginaryStep);
}
/// q ⊕ ih dq
inline ComplexVector stepped_configuration(const Model& model, Data<std::complex<double>>& data,
                                           const Eigen::VectorXd& q, const Eigen::VectorXd& dq) {
  const ComplexVector step = stepped(Eigen::VectorXd::Zero(dq.size()), dq);
  return integrate(model, data, q.cast<std::complex<double>>(), step);
}

}  // namespace verne::test
