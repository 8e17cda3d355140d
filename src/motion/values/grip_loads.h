/// What a second hand does to the model through the thing that it holds, at many states: docs/theory/gait.md,
/// section 8.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "motion/curve/dof_pairs.h"
#include "motion/curve/lane_columns.h"
#include "motion/terms/channels.h"
#include "verne/dynamics/batch.h"

namespace verne {

class GripLoads {
 public:
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  /// `dofs`: freedoms by which gradients are given, in their order.
  GripLoads(const ChannelLayout& channels, const std::vector<int>& dofs, int count);

  /// Poses must be there. `components`: of all that is borne, one column a state.
  void evaluate(const Model& model, Batch& batch, const Eigen::Ref<const Eigen::MatrixXd>& components);
  /// (28) What grips take off the torque of a freedom.
  double torque(int node, int dof) const;
  /// (29) Takes the derivatives of torque() off `out`; what it writes for components of grips replaces what was there.
  void take_torque_gradient(int node, int dof, double* out) const;
  /// (30) Takes the second derivatives of Σ torques · torque() off the arrays of NodeCurvature.
  void take_curvature(int node, const double* torques, const DofPairs& pairs, double* curvature) const;

 private:
  /// The way from the world to a hand or to what is held, without what moves both: six entries a freedom.
  struct Way {
    int site = 0;
    std::vector<int> dofs;          // outwards
    std::vector<int> place_of_dof;  // in dofs; −1 for others
    std::vector<LanePick> pose_rows, jacobian_rows;
    Eigen::MatrixXd pose, jacobian;          // one column a state
    std::vector<std::vector<Vector6>> axes;  // of each state: velocity of the world's origin, angular
    int size() const { return static_cast<int>(dofs.size()); }
  };
  struct Grip {
    Way hand, object;
    Transform<double> X_OG;                    // where the wrench is given, on the object
    int first = 0;                             // of its components
    std::vector<std::array<Vector6, 6>> unit;  // wrenches of components that are one: force, moment about the origin
    std::vector<Vector6> wrench;               // on the hand
  };
  Way way_of(const ChannelLayout& channels, int site, const std::vector<int>& without, int count) const;
  void place(const Model& model, Batch& batch, Way& way) const;

  ContactCurve curve_;
  int joints_;
  std::vector<Grip> grips_;
  std::vector<int> place_;  // of each freedom, in gradients
};

}  // namespace verne
