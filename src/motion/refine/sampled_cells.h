/// Motions as those who look for switches see them.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "motion/curve/phases.h"

namespace verne {

inline constexpr int kCellsPerSpan = 40;

/// A motion in the middle of even cells of the spans: no cell contains a breakpoint, where it may jump.
struct SampledCells {
  std::vector<double> time, width;
  Eigen::MatrixXd velocity, acceleration, jerk, effort;
  Eigen::MatrixXd mass;  ///< matrices, a column each; empty where efforts depend on more than the tree
  int count() const { return static_cast<int>(time.size()); }
};
SampledCells sample_cells(const Stage& stage, const Trajectory& trajectory);

}  // namespace verne
