/// Channels and their derivatives at many states, evaluated as one batch: docs/theory/motion.md, (5) and (6).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "motion/channels.h"
#include "verne/dynamics/batch_derivatives.h"

namespace verne {

class NodeValues {
 public:
  NodeValues(const Model& model, const Channels& channels, int count);

  /// y at states z, one column (4 nv rows) each.
  void evaluate(const Eigen::MatrixXd& z);
  const Eigen::MatrixXd& y() const { return y_; }

  /// Derivatives of y at the latest states.
  void differentiate();
  /// out (4 nv entries) += weight ∂y_channel/∂z
  void add_gradient(int node, int channel, double weight, double* out) const;

  /// Second derivatives of Σ multipliers(channel, node) y_channel; needs differentiate().
  void differentiate_twice(const Eigen::MatrixXd& multipliers);
  /// H (4 nv x 4 nv) += those of a node
  void add_hessian(int node, Eigen::MatrixXd& H) const;

 private:
  void add_arrow_hessian(int node, const ArrowChannel& arrow, Eigen::MatrixXd& H) const;
  /// Column of ∂(arrow)/∂q and the angular velocity about which the freedom turns.
  Vec3<double> arrow_column(int node, const ArrowChannel& arrow, int dof, Vec3<double>* turn) const;
  Vec3<double> rotated(int node, const ArrowChannel& arrow) const;

  Model model_;
  Channels channels_;
  int nv_;
  Batch batch_;
  Eigen::MatrixXd y_, multipliers_;
  BatchDerivatives dtau_, dwrenches_;
  BatchSecondDerivatives second_;
  LaneArray lambda_, mu_;
  std::vector<int> arrow_sites_;      // each site once
  std::vector<LaneArray> jacobians_;  // of those sites
  std::vector<int> jacobian_of_arrow_;
};

}  // namespace verne
