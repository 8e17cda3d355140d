/// A task on a given curve as a nonlinear program: docs/theory/motion.md, (17).
#pragma once

#include <memory>
#include <vector>

#include "motion/curve_variables.h"
#include "motion/integral_cost.h"
#include "motion/node_limits.h"
#include "motion/task_terms.h"
#include "verne/nlp/problem.h"

namespace verne {

/// What may change from one solve to the next.
struct Grid {
  CurveVariables curve;
  std::vector<Place> nodes;  ///< where limits are imposed
  /// By how much each path limit, in the order of path_limits(), is tightened (LimitTerm::tighten()); empty: not.
  std::vector<double> tightening;
};

struct Program {
  CurveVariables curve;
  nlp::Problem problem;
  // Owned by the problem.
  NodeLimits* limits = nullptr;  ///< path limits; null when there are none. The last constraints of the problem.
  IntegralCost* integrals = nullptr;
  int limits_first_row = 0;
  std::vector<Place> via, frames;  ///< where each via point and frame of the task holds; of no use for frames on a path
};

Program make_program(const Task& task, const Grid& grid, const Trajectory& guess);

/// Nodes at even times on a curve.
std::vector<Place> even_nodes(const Trajectory& curve, int count);
/// Where equations along the motion are imposed: as many places as the acceleration has control points (its Greville
/// abscissae, averages of knots), so that each equation takes one freedom of the curve. Curves of degree 2 and 1 have
/// those of the velocity and the position.
std::vector<Place> equation_nodes(const Trajectory& curve);

}  // namespace verne
