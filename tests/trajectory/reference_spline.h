/// B-splines by their definition on explicit knots: slow, global, and independent of the library's recursion.
#pragma once

#include <vector>

namespace verne::test {

/// The `order`-th derivative of basis function j of a degree at t. `interval` is the knot interval that t is looked at
/// from (both its ends belong to it), and 0 / 0 counts as 0.
inline double reference_basis_function(const std::vector<double>& knots, int j, int degree, int order, int interval,
                                       double t) {
  if (degree == 0) return order == 0 && j == interval ? 1 : 0;
  const double left = knots[j + degree] - knots[j], right = knots[j + degree + 1] - knots[j + 1];
  double value = 0;
  if (order > 0) {
    if (left > 0) value += degree / left * reference_basis_function(knots, j, degree - 1, order - 1, interval, t);
    if (right > 0) value -= degree / right * reference_basis_function(knots, j + 1, degree - 1, order - 1, interval, t);
    return value;
  }
  if (left > 0) value += (t - knots[j]) / left * reference_basis_function(knots, j, degree - 1, 0, interval, t);
  if (right > 0) {
    value += (knots[j + degree + 1] - t) / right * reference_basis_function(knots, j + 1, degree - 1, 0, interval, t);
  }
  return value;
}

}  // namespace verne::test
