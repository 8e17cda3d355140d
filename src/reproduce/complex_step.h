/// Derivatives by complex step: f'(x) = Im f(x + ih) / h, without the cancellation of differences.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <span>

namespace verne::reproduce {

using Complex = std::complex<double>;

/// h² is far below rounding and far above underflow.
inline constexpr double kImaginaryStep = 1e-40;

template <class Block>
auto derivative(const Eigen::MatrixBase<Block>& stepped) {
  return (stepped.imag() / kImaginaryStep).eval();
}
inline double derivative(const Complex& stepped) {
  return stepped.imag() / kImaginaryStep;
}

/// x + ih dx
inline Eigen::VectorXcd stepped(const Eigen::VectorXd& x, const Eigen::VectorXd& dx) {
  return x.cast<Complex>() + dx.cast<Complex>() * Complex(0, kImaginaryStep);
}
inline std::span<const Complex> span_of(const Eigen::VectorXcd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

}  // namespace verne::reproduce
