/// What the ground does to the model, at many states: instead of the root of the tree, the supports bear the wrench
/// that holds it up. docs/theory/gait.md, (1) to (9).
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "motion/curve/ground.h"
#include "motion/curve/lane_columns.h"
#include "motion/values/span_hessians.h"
#include "verne/dynamics/batch.h"

namespace verne {

class GroundLoads {
 public:
  using Wrench = Eigen::Matrix<double, 6, 1>;  ///< force, moment about the world's origin; world axes

  /// `dofs`: of each support, the freedoms between it and the world that may move.
  GroundLoads(const Model& model, const Ground& ground, std::vector<std::vector<int>> dofs, int count);
  /// Where on the curve the states are.
  void place(const Ground& ground, const std::vector<Place>& places);

  /// Poses must be there. `root`: the wrench that the root bears without ground, one column a state.
  void evaluate(const Model& model, Batch& batch, const Eigen::Ref<const Eigen::MatrixXd>& root);

  int supports() const { return static_cast<int>(supports_.size()); }
  const std::vector<int>& dofs(int support) const { return supports_[support].dofs; }
  /// (3) What a support bears, divided by its share.
  Wrench wrench(int node, int support) const;
  /// (5) What supports take off the torque of a freedom.
  double torque(int node, int dof) const;

  /// Derivatives of the root's wrench: values[d * size + k] by the derivative of order d of freedom dofs[k], for each
  /// of six rows.
  struct RootGradient {
    std::array<const double*, 6> rows;
    int orders;
    const std::vector<int>& dofs;
  };
  /// (6), (7) Adds weight · the derivatives of torque() and of row `row` of wrench(), laid out as those of the root.
  void add_torque_gradient(int node, int dof, double weight, const RootGradient& root, double* out) const;
  void add_wrench_gradient(int node, int support, int row, double weight, const RootGradient& root, double* out) const;

  /// Multipliers of the torques (nv) and of each support's wrench(), six each, one behind the other.
  struct Multipliers {
    const double* torques;
    const double* wrenches;
  };
  /// (8) What they come to as multipliers of the root's wrench.
  Wrench root_multipliers(int node, const Multipliers& multipliers);
  /// (9) Adds all second derivatives but those of the root's wrench itself to the arrays of NodeCurvature.
  void add_curvature(int node, const Multipliers& multipliers, const RootGradient& root, const DofPairs& pairs,
                     double* curvature);

 private:
  struct Support {
    int site = 0;
    std::vector<int> dofs;
    std::vector<int> position_of_dof;  // in dofs; -1 for others, and for what contacts bear
    std::vector<LanePick> pose_rows, jacobian_rows;
    Eigen::MatrixXd pose, axes;  // one column a state; six entries a freedom: velocity of the world's origin, angular
    std::vector<double> share;
    std::vector<Vec3<double>> reference, point;  // in site axes and in the world
  };
  struct Axis {
    Vec3<double> linear, angular;
  };
  Axis axis(int node, const Support& support, int k) const;
  Vec3<double> force(int node) const;
  /// (3) The distance of both reference points, and the factor of its moment.
  Vec3<double> lever(int node) const;
  double lever_factor(int node, int support) const;
  /// By a freedom.
  Vec3<double> lever_slope(int node, int dof) const;
  /// The multiplier of a support's wrench(), and its derivatives by freedoms of the support.
  struct Pull {
    Wrench value;
    std::vector<Wrench> slopes;
  };
  void find_pulls(int node, const Multipliers& multipliers);

  int joints_;
  std::vector<Support> supports_;
  std::vector<Pull> pulls_;  // of one state
  std::vector<int> dofs_;    // of all supports
  Eigen::MatrixXd root_;     // one column a state
};

}  // namespace verne
