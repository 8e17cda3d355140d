#include "io/principal_axes.h"

#include <Eigen/Eigenvalues>

namespace verne {

PrincipalAxes principal_axes(const Sym3<double>& I) {
  if (I.xy == 0 && I.xz == 0 && I.yz == 0) return {{I.xx, I.yy, I.zz}};
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  PrincipalAxes principal{{solver.eigenvalues()[0], solver.eigenvalues()[1], solver.eigenvalues()[2]}};
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(principal.R.m) = axes;
  return principal;
}

}  // namespace verne
