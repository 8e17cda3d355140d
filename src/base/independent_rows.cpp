#include "base/independent_rows.h"

namespace verne {

IndependentRows::IndependentRows(const Eigen::MatrixXd& A) : qr_(A.transpose()) {}

Eigen::VectorXd IndependentRows::least_norm(const Eigen::VectorXd& b) const {
  const Eigen::Index rows = qr_.cols();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(qr_.rows());
  x.head(rows) = qr_.matrixR().topRows(rows).triangularView<Eigen::Upper>().transpose().solve(
      qr_.colsPermutation().transpose() * b);
  x.applyOnTheLeft(qr_.householderQ());
  return x;
}

double IndependentRows::pivot_ratio() const {
  if (qr_.cols() == 0) return 1;
  const auto pivots = qr_.matrixR().diagonal().cwiseAbs();
  return pivots.minCoeff() / pivots.maxCoeff();
}

}  // namespace verne
