/// Forces of the ground along a motion that is known; in programs they are those of ground_loads.h.
#pragma once

#include "motion/curve/phases.h"
#include "motion/values/ground_loads.h"
#include "verne/dynamics/batch.h"

namespace verne {

/// The loads of a task, what the ground does and what second hands do, as loads of a batch.
class GroundForces {
 public:
  /// Gives the batch, whose states are at these places and have their poses, its loads.
  GroundForces(const Stage& stage, const Trajectory& trajectory, const std::vector<Place>& places, Batch& batch);

  int supports() const { return supports_; }
  /// What a support bears: force, and moment about the world's origin; world axes.
  GroundLoads::Wrench wrench(int node, int support) const { return wrenches_[support].col(node); }
  /// What the second hand of a grip bears: force and moment at the grip, in its axes on the object.
  GroundLoads::Wrench grip(int node, int grip) const { return grips_[grip].col(node); }
  /// Adds what the ground does to a state of the batch.
  void add_to(Loads<double>& loads, const Batch& batch, int node) const;

 private:
  void bear_contacts(const Stage& stage, const ContactCurve& contacts, const std::vector<Place>& places,
                     const Batch& batch);
  void bear_grips(const Stage& stage, const ContactCurve& contacts, const std::vector<Place>& places,
                  const Batch& batch);
  void bear_left_over(const Task& task, const ChannelLayout& channels, const std::vector<Place>& places, Batch& batch);

  /// As loads of the batch.
  void put_loads(Batch& batch) const;

  int constant_ = 0;  // loads of the task
  int supports_ = 0;
  std::vector<int> sites_;  // of loads behind these: supports, then hand and object of each grip
  std::vector<Eigen::Matrix<double, 6, Eigen::Dynamic>> wrenches_, grips_;  // one column a state
};

/// Where the moment of all supports together is vertical, docs/theory/gait.md (12a), one column an instant.
Eigen::MatrixXd zero_moment_points(const Model& model, const SampledMotion& motion);

}  // namespace verne
