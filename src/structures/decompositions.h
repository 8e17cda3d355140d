/// Decompositions of matrices that are not on any hot path. In a file of their own: Eigen's take long to compile.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "verne/base/export.h"

namespace verne {

struct SingularValues {
  Eigen::VectorXd values;  ///< in descending order
  Eigen::MatrixXd V;       ///< square
};
SingularValues singular_values(const Eigen::MatrixXd& A);

/// X that minimizes |A X − B|, for columns of A that are independent.
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// The smallest such X, for any A.
VERNE_API Eigen::MatrixXd least_norm(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A⁻¹ B.
VERNE_API Eigen::MatrixXd solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// The same for a symmetric positive A.
Eigen::MatrixXd positive_solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// So many columns that are as independent as can be had, the best first.
std::vector<int> independent_columns(const Eigen::MatrixXd& A, int count);

/// A square orthogonal matrix whose first columns span those of A, which are independent.
VERNE_API Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& A);

}  // namespace verne
