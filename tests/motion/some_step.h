/// Motions of the shipped gait that nobody solved for.
#pragma once

#include <Eigen/Core>
#include <random>

#include "support/states.h"
#include "verne/motion/solution.h"

namespace verne::test {

inline constexpr double kSpan = 0.5;  // s: slow enough to stay on the ground

/// A curve that begins and ends somewhere near standing, through random control points.
inline Trajectory some_motion(const Task& task, unsigned seed) {
  std::mt19937_64 rng(seed);
  const SplineBasis basis(3, 12);
  Eigen::MatrixXd points(basis.control_points(), task.model.nv());
  for (Eigen::Index c = 0; c < points.rows(); ++c) {
    points.row(c) = random_values(rng, task.model.nv(), 0.1).transpose();
    points(c, 1) += 0.92;
  }
  return {basis, Eigen::VectorXd::Constant(12, kSpan), points};
}

inline Solution solution_on(const Task& task, const Trajectory& curve) {
  Solution solution(curve);
  for (int k = 0; k < 3; ++k) {
    solution.phases.push_back({task.phases[k].name, 4 * kSpan * k, 4 * kSpan * (k + 1), 4 * k, 4 * (k + 1)});
  }
  return solution;
}

}  // namespace verne::test
