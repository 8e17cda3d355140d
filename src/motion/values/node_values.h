/// Channels and their derivatives at many states, evaluated as one batch: docs/theory/motion.md, (5) to (6b).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <utility>
#include <vector>

#include "motion/curve/lane_columns.h"
#include "motion/terms/channels.h"
#include "motion/terms/tree_axes.h"
#include "motion/values/carried_point.h"
#include "motion/values/contact_loads.h"
#include "motion/values/grip_loads.h"
#include "motion/values/ground_loads.h"
#include "motion/values/loop_reactions.h"
#include "verne/dynamics/batch_derivatives.h"

namespace verne {

class NodeValues {
 public:
  /// Only channels that were asked for have derivatives. `pairs`: for second derivatives, whose curved ones must hold
  /// Channels::curved().
  NodeValues(const Model& model, const ChannelLayout& channels, int count, const DofPairs* pairs = nullptr);

  /// Where on the curve the states are, which the ground's shares depend on.
  void place(const std::vector<Place>& places);
  /// Of the motion, for the channel of that name.
  void set_duration(double duration) {
    if (channels_.known_duration() >= 0) y_.row(channels_.known_duration()).setConstant(duration);
  }
  /// y at states z, one column (4 nv rows) each.
  void evaluate(const Eigen::MatrixXd& z);
  const Eigen::MatrixXd& y() const { return y_; }

  /// Derivatives of y at the latest states.
  void differentiate();
  /// ∂y/∂z of a channel that is not a state: values[d * dofs.size() + k] by the derivative of order d of freedom
  /// dofs[k]; by others and by higher orders it is zero.
  struct Gradient {
    const double* values;
    int orders;
    const std::vector<int>& dofs;
  };
  Gradient gradient(int node, int channel) const {
    const Derived& d = derived_[slot_[channel]];
    return {gradients_.col(node).data() + d.first, d.orders, d.dofs};
  }
  /// out (4 nv entries) += weight ∂y_channel/∂z
  void add_gradient(int node, int channel, double weight, double* out) const;

  /// Second derivatives of Σ multipliers(channel, node) y_channel; needs differentiate().
  void differentiate_twice(const Eigen::MatrixXd& multipliers);
  /// The arrays of NodeCurvature, to be added to and read.
  double* curvature(int node) { return curvatures_.col(node).data(); }

 private:
  /// A channel with derivatives, and where they are in a column of gradients_.
  struct Derived {
    int first, orders;
    std::vector<int> dofs;
  };
  /// A site that points or directions are fixed in.
  struct Site {
    Site(int index, std::vector<int> moving) : site(index), dofs(std::move(moving)) {}
    int site;
    std::vector<int> dofs;       // that move it
    bool moves = false;          // velocities are asked for
    std::vector<TreeAxis> axes;  // of these
    std::vector<LanePick> pose_rows, velocity_rows, jacobian_rows, axis_rows;
    // One column per node: position and rotation; velocity; six entries a freedom of the Jacobian and of the velocity's
    // derivatives by q; where freedoms are several axes, the Jacobian by these
    Eigen::MatrixXd pose, velocity, jacobian, velocity_dq, twists;
  };
  static constexpr int kTwistRows = 6;
  bool of_tree(const WrenchChannel& wrench) const { return wrench.joint < static_cast<int>(model_.joints().size()); }
  void pick_derivatives();
  void add_contacts();
  void bear_contacts();
  void differentiate_contacts();
  void add_ground();
  void bear_ground();
  void differentiate_ground();
  GroundLoads::RootGradient root_gradient(int node) const;
  GroundLoads::Multipliers ground_multipliers(int node, const Eigen::MatrixXd& multipliers);
  void bear_loops();
  void differentiate_loops();
  LoopReactions::Multipliers loop_multipliers(int node, const Eigen::MatrixXd& multipliers);
  /// Where nothing is differentiated twice, as for slopes of the cost by parameters, none is taken.
  void make_room_for_curvatures();
  void pick_curvatures();
  void add_sites();
  Vec3<double> rotated(int node, const ArrowChannel& arrow, const Site& site) const;
  Vec3<double> value_of(int node, const ArrowChannel& arrow, const Site& site) const;
  void differentiate_site(Site& site);
  void differentiate_arrow(int node, const ArrowChannel& arrow, const Site& site);
  void carry(int node, const ArrowChannel& arrow, const Site& site);
  void add_arrow_curvature(int node, const ArrowChannel& arrow, const Site& site, const Vec3<double>& multiplier);
  void add_velocity_curvature(int node, const ArrowChannel& arrow, const Site& site, const Vec3<double>& multiplier);

  Model model_;
  ChannelLayout channels_;
  const DofPairs* pairs_;
  int joints_, nv_;  // freedoms of the model, and with what contacts bear
  Batch batch_;
  TreeAxes axes_;
  Eigen::MatrixXd y_, gradients_, curvatures_;  // one column per node
  Eigen::Index gradient_size_ = 0;
  std::vector<Derived> derived_;
  std::vector<int> slot_;  // in derived_, of each channel
  std::vector<LanePick> tau_rows_, wrench_rows_;
  std::vector<int> wrench_joints_;
  BatchDerivatives dtau_, dwrenches_;
  std::vector<LanePick> dtau_rows_[3], dwrench_rows_[3];  // by q, v, a
  BatchSecondDerivatives second_;
  std::vector<LanePick> qq_rows_, vv_rows_, qv_rows_, qa_rows_;
  LaneArray lambda_, mu_;
  std::optional<ContactLoads> contacts_;
  std::optional<GripLoads> grips_;
  std::vector<int> touched_;  // freedoms whose torques contacts and grips take part in, and that were asked for
  Eigen::MatrixXd left_over_multipliers_;
  std::optional<GroundLoads> ground_;
  std::vector<int> borne_;  // freedoms whose torques the ground takes part in, and that were asked for
  Eigen::VectorXd ground_multipliers_;
  std::optional<LoopReactions> loops_;
  Eigen::VectorXd loop_multipliers_;
  std::vector<Site> sites_;         // each once
  std::vector<int> site_of_arrow_;  // in sites_
  std::vector<Carrying> carrying_;  // of one arrow, by the axes of its site
  BatchSiteDerivatives moving_;     // of one site at a time
};

}  // namespace verne
