/// Singular values with both of their directions.
#pragma once

#include <Eigen/Core>

#include "verne/base/export.h"

namespace verne {

/// The first of A = Σ value_i U_i V_iᵀ, values in descending order.
struct SingularDirections {
  Eigen::VectorXd values;
  Eigen::MatrixXd U, V;
};
VERNE_API SingularDirections singular_directions(const Eigen::MatrixXd& A, Eigen::Index count);

}  // namespace verne
