#include "base/decompositions.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace verne {

namespace {

using Qr = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;

Qr pivoted(const Eigen::MatrixXd& A, double least_pivot) {
  Qr qr(A.rows(), A.cols());
  qr.setThreshold(least_pivot);
  qr.compute(A);
  return qr;
}

std::vector<int> first_columns(const Qr& qr, Eigen::Index count) {
  const auto& order = qr.colsPermutation().indices();
  return {order.begin(), order.begin() + count};
}

}  // namespace

template <class S>
Lu<S>::Lu(const Matrix& A) : lu_(A) {}

template <class S>
void Lu<S>::reserve(Eigen::Index n) {
  lu_ = Eigen::PartialPivLU<Matrix>(n);
}

template <class S>
void Lu<S>::compute(const Matrix& A) {
  lu_.compute(A);
}

template <class S>
void Lu<S>::solve_in_place(Eigen::Ref<Matrix> x) const {
  x = lu_.solve(x);
}

template <class S>
typename Lu<S>::Matrix Lu<S>::solve(Matrix right) const {
  solve_in_place(right);
  return right;
}

template <class S>
void Lu<S>::put_inverse(Matrix& out) const {
  out.setIdentity(lu_.rows(), lu_.rows());
  solve_in_place(out);
}

template <class S>
const Eigen::VectorXi& Lu<S>::places() const {
  return lu_.permutationP().indices();
}

template class Lu<double>;
template class Lu<std::complex<double>>;

SingularValues singular_values(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return {{}, Eigen::MatrixXd::Identity(A.cols(), A.cols())};
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return A.householderQr().solve(B);
}

Eigen::MatrixXd least_norm(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double least_pivot) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  if (least_pivot > 0) solver.setThreshold(least_pivot);
  return solver.compute(A).solve(B);
}

Eigen::MatrixXd solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return Lu<double>(A).solve(B);
}

Eigen::MatrixXd positive_solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return A.llt().solve(B);
}

std::vector<int> independent_columns(const Eigen::MatrixXd& A, int count) {
  return first_columns(Qr(A), count);
}

std::vector<int> independent_columns(const Eigen::MatrixXd& A, double least_pivot) {
  const Qr qr = pivoted(A, least_pivot);
  return first_columns(qr, qr.rank());
}

Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& A) {
  return A.householderQr().householderQ();
}

Eigen::MatrixXd null_space(const Eigen::MatrixXd& A, double least_pivot) {
  if (A.size() == 0) return Eigen::MatrixXd::Identity(A.cols(), A.cols());
  const Qr qr = pivoted(A.transpose(), least_pivot);
  return Eigen::MatrixXd(qr.householderQ()).rightCols(A.cols() - qr.rank());
}

}  // namespace verne
