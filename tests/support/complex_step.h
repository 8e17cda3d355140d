/// Derivatives by complex step: f'(x) = Im f(x + ih) / h, without the cancellation of differences.
#pragma once

#include <complex>

#include "reproduce/complex_step.h"
#include "support/states.h"

namespace verne::test {

using reproduce::Complex;
using reproduce::derivative;
using reproduce::kImaginaryStep;
using reproduce::stepped;
using ComplexVector = Vector<Complex>;

/// q ⊕ ih dq
inline ComplexVector stepped_configuration(const Model& model, Data<std::complex<double>>& data,
                                           const Eigen::VectorXd& q, const Eigen::VectorXd& dq) {
  const ComplexVector step = stepped(Eigen::VectorXd::Zero(dq.size()), dq);
  return integrate(model, data, q.cast<std::complex<double>>(), step);
}

}  // namespace verne::test
