/// Solutions of equations whose rows are independent.
#pragma once

#include <Eigen/QR>

#include "verne/base/export.h"

namespace verne {

/// Aᵀ P = Q R of a matrix A with no more rows than columns.
class VERNE_API IndependentRows {
 public:
  explicit IndependentRows(const Eigen::MatrixXd& A);

  /// The smallest x with A x = b.
  Eigen::VectorXd least_norm(const Eigen::VectorXd& b) const;
  /// The smallest pivot over the largest: about that of singular values. 1 without rows.
  double pivot_ratio() const;

 private:
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
};

}  // namespace verne
