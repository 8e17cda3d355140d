/// What tests of the Lie algebra form share.
#pragma once

#include <Eigen/Core>

#include "formulations/lie.h"

namespace verne::test {

inline Eigen::Matrix<double, 6, 6> eigen6(const formulations::Mat6<double>& M) {
  return Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(M.m);
}

}  // namespace verne::test
