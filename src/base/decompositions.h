/// Decompositions of dense matrices of any size. In a file of their own: Eigen's take long to compile, and each of them
/// is compiled here once.
#pragma once

#include <Eigen/LU>
#include <vector>

#include "verne/base/export.h"

namespace verne {

/// P A = L U of a square matrix of real or complex numbers.
template <class S>
class VERNE_API Lu {
 public:
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  Lu() = default;
  explicit Lu(const Matrix& A);

  void reserve(Eigen::Index n);  ///< room for n x n
  void compute(const Matrix& A);
  void solve_in_place(Eigen::Ref<Matrix> x) const;  ///< x := A⁻¹ x
  Matrix solve(Matrix right) const;
  void put_inverse(Matrix& out) const;
  S pivot(Eigen::Index k) const { return lu_.matrixLU()(k, k); }
  const Eigen::VectorXi& places() const;  ///< to which row each is exchanged

 private:
  Eigen::PartialPivLU<Matrix> lu_;
};

struct SingularValues {
  Eigen::VectorXd values;  ///< in descending order
  Eigen::MatrixXd V;       ///< square
};
SingularValues singular_values(const Eigen::MatrixXd& A);

/// Of a symmetric matrix, in ascending order.
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& A);

/// X that minimizes |A X − B|, for columns of A that are independent.
VERNE_API Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// The smallest such X, for any A. Pivots below this part of the largest are zero; by default, those that are rounding.
VERNE_API Eigen::MatrixXd least_norm(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double least_pivot = 0);

/// A⁻¹ B.
VERNE_API Eigen::MatrixXd solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// The same for a symmetric positive A.
VERNE_API Eigen::MatrixXd positive_solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// So many columns that are as independent as can be had, the best first.
std::vector<int> independent_columns(const Eigen::MatrixXd& A, int count);
/// As many as have pivots above this part of the largest.
VERNE_API std::vector<int> independent_columns(const Eigen::MatrixXd& A, double least_pivot);

/// A square orthogonal matrix whose first columns span those of A, which are independent.
VERNE_API Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& A);
/// An orthonormal basis of what the rows of A leave free; pivots below this part of the largest are zero.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& A, double least_pivot);

}  // namespace verne
