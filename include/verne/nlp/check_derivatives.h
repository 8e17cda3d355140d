/// Compares a problem's derivatives with differences, for whoever writes a new Function.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/nlp/problem.h"

namespace verne::nlp {

/// A derivative that is not what differences of the function say.
struct DerivativeError {
  std::string where;                 ///< "d(effort limits: …)/d(duration[0])"
  double exact = 0, difference = 0;  ///< what the function says, and what differences say
  double error = 0;                  ///< relative to the largest entry of the function's matrix; infinite for NaN
  bool outside = false;              ///< the pattern does not have this place, though the value depends on it
};

/// What check_derivatives() found.
struct DerivativeReport {
  /// Those above the tolerance, worst first, at most ten each. `hessian`: of costs and constraints.
  std::vector<DerivativeError> gradient, jacobian, hessian;
  double largest = 0;  ///< error of all entries
  /// Whether no error is above the tolerance.
  bool good() const { return gradient.empty() && jacobian.empty() && hessian.empty(); }
};

/// Central differences, extrapolated (Richardson) from two steps that suit the variables' scales: first derivatives of
/// each cost and constraint from its values, second derivatives of a random combination of its rows from its own first
/// ones. Differences that rounding explains are no errors. `seed` makes the combinations.
VERNE_API DerivativeReport check_derivatives(Problem& problem, std::span<const double> x, double tolerance = 1e-6,
                                             unsigned seed = 1);

}  // namespace verne::nlp
