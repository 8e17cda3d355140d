/// How the wrenches of all joints of a tree change with its motion and with the loads on it (docs/theory/loops.md,
/// section 5): what loops and contacts exert are such loads.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

/// Of the motion of a tree, a column for each direction.
struct TreeChanges {
  Eigen::MatrixXd q, v, a;
};

class JointWrenchChanges {
 public:
  /// `at_fixed_loads`: along the coordinates of the tree.
  JointWrenchChanges(const Model& model, Data<double>& data, VectorIn<double> q,
                     WrenchDerivatives<double> at_fixed_loads);

  /// Joint k into columns k n … of `out`, n being the number of directions; `loads` are the changes of the loads on
  /// links along each of them. Components that are not determined become NaN.
  void put(const TreeChanges& motion, std::span<const Loads<double>> loads,
           const std::vector<std::array<bool, 6>>& determined, Eigen::Ref<Matrix6X<double>> out) const;

 private:
  /// A load on a link is borne by the joints on its way to the world: off column `j` of each.
  void subtract(const Loads<double>& loads, Eigen::Index j, Eigen::Index directions,
                Eigen::Ref<Matrix6X<double>> out) const;

  Model model_;
  WrenchDerivatives<double> at_fixed_loads_;
  std::vector<Transform<double>> links_, joints_;  ///< frames in the world
};

}  // namespace verne
