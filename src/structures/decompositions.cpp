#include "structures/decompositions.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace verne {

SingularValues singular_values(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return {{}, Eigen::MatrixXd::Identity(A.cols(), A.cols())};
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return A.householderQr().solve(B);
}

Eigen::MatrixXd least_norm(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return A.completeOrthogonalDecomposition().solve(B);
}

Eigen::MatrixXd solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return A.partialPivLu().solve(B);
}

Eigen::MatrixXd positive_solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return A.llt().solve(B);
}

std::vector<int> independent_columns(const Eigen::MatrixXd& A, int count) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  const auto& order = qr.colsPermutation().indices();
  return {order.begin(), order.begin() + count};
}

Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& A) {
  return A.householderQr().householderQ();
}

}  // namespace verne
