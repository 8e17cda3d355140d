#include "base/singular_directions.h"

#include <Eigen/SVD>

namespace verne {

SingularDirections singular_directions(const Eigen::MatrixXd& A, Eigen::Index count) {
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.singularValues().head(count), svd.matrixU().leftCols(count), svd.matrixV().leftCols(count)};
}

}  // namespace verne
