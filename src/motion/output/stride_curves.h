/// Curves of a gait cycle in the coordinates of OpenSim's models, to lay beside measured ones.
#pragma once

#include <string>
#include <vector>

#include "verne/motion/stride.h"

namespace verne {

/// A coordinate of OpenSim's models of walking: the sum of some freedoms of ours, with a sign. docs/gait.md has the
/// table.
struct OpenSimCoordinate {
  std::string name;
  std::vector<int> dofs;  ///< the first is that nearest to the pelvis, whose moment is the coordinate's
  double sign = 1;
  bool turns = true;  ///< an angle, not a length
};
/// Those of which the model has all freedoms; of both sides.
std::vector<OpenSimCoordinate> opensim_coordinates(const Model& model);
/// In rad or m, one entry per instant.
Eigen::VectorXd values_of(const OpenSimCoordinate& coordinate, const SampledMotion& motion);
/// In N m or N, of muscles and ligaments together, as laboratories measure them.
Eigen::VectorXd moments_of(const Model& model, const OpenSimCoordinate& coordinate, const SampledMotion& motion);

/// Angles, moments, ground reactions and joint forces of a side, `r` or `l`; those of the trunk are with the right one.
std::vector<StrideCurve> stride_curves(const Model& model, const SampledMotion& motion, char side);

}  // namespace verne
