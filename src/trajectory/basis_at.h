/// Basis functions at a place of a curve.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "verne/trajectory/spline_basis.h"

namespace verne {

/// The basis functions that do not vanish at a place, and their derivatives. They belong to the control points
/// first_control_point … first_control_point + degree, and depend on the lengths first_length … first_length + lengths
/// - 1.
struct BasisAt {
  int first_control_point = 0, first_length = 0, lengths = 0;
  /// value(d, j): d-th time derivative of basis function j, kSplineOrders x (degree + 1)
  Eigen::MatrixXd value;
  /// by_length[k](d, j): its derivative with respect to length first_length + k; empty when not asked for
  std::vector<Eigen::MatrixXd> by_length;
  /// by_lengths[k * lengths + l](d, j): second derivatives, both (k, l) and (l, k)
  std::vector<Eigen::MatrixXd> by_lengths;

  /// Fills all of it for `fraction` (0…1) of `span`. All lengths must be positive. Throws std::invalid_argument for a
  /// span that does not exist or another number of lengths. Allocates only while this grows.
  ///
  /// With `multiples`, lengths are linear functions of two variables, and derivatives are by these instead: of each
  /// length (row) by either.
  VERNE_API void evaluate(const SplineBasis& basis, int span, double fraction,
                          const Eigen::Ref<const Eigen::VectorXd>& lengths, SplineBasis::Want want,
                          const Eigen::MatrixX2d* multiples = nullptr);
};

}  // namespace verne
