/// One search for a posture in which a site is where it is wanted and all loops are closed: damped Newton steps
/// (docs/theory/kinematics.md).
#pragma once

#include <algorithm>
#include <optional>

#include "structures/full_turns.h"
#include "structures/loop_opening.h"
#include "structures/mechanism_contents.h"
#include "verne/structures/inverse_kinematics.h"

namespace verne {

class PoseSearch {
 public:
  PoseSearch(const Mechanism& mechanism, int site);

  void aim(const PoseGoal& goal) { goal_ = goal; }
  /// Goes from q, whose freedoms it keeps within their limits unless `beyond_limits`, to a posture that reaches the
  /// goal, or to where no step brings it nearer. Returns whether it does reach it.
  bool run(Eigen::VectorXd& q, bool beyond_limits);
  /// What q misses the goal by, and whether that is nothing and loops and limits are kept.
  Posture judged(const Eigen::VectorXd& q);
  bool keeps_limits(std::span<const double> q) const;
  /// Of the last posture that was judged: whether no other reaches the goal next to it.
  bool is_isolated();

  /// Velocities that move the site, or close loops.
  const std::vector<int>& free() const { return free_; }
  bool is_free(int velocity) const { return std::binary_search(free_.begin(), free_.end(), velocity); }
  /// Whether some of the free velocities are not rates of positions.
  bool has_quaternions() const { return !plain_; }
  const std::vector<Freedom>& freedoms() const { return freedoms_; }
  const Model& model() const { return model_; }
  Data<double>& data() { return data_; }
  /// By which lengths are divided where they stand beside angles.
  double length() const { return length_; }

 private:
  void find_free_and_length();
  void measure(const Eigen::VectorXd& q);
  void put_pose_rows();
  void hold_at_limits(const Eigen::VectorXd& q);
  void find_step(double damping);
  void take_step(Eigen::VectorXd& q, bool beyond_limits);
  Eigen::Index pose_rows() const { return goal_.rotation ? 6 : 3; }

  Mechanism mechanism_;
  const Mechanism::Contents& c_;
  const Model& model_;
  int site_;
  PoseGoal goal_;
  Data<double> data_;
  std::vector<Freedom> freedoms_;
  std::vector<int> free_;
  bool plain_ = true;  ///< all free velocities are rates of positions
  double length_ = 1;
  std::optional<LoopSystem<double>> system_;  ///< where there are loops
  std::optional<LoopOpening> opening_;
  double pose_[12];
  Vec3<double> p_miss_{0, 0, 0}, turn_miss_{0, 0, 0};
  Matrix6X<double> J_site_;
  Eigen::VectorXd r_;  ///< what is missed, in angles and units of `length_`
  Eigen::MatrixXd J_;  ///< its rate by the free velocities
  Eigen::MatrixXd square_;
  Eigen::VectorXd solved_, step_, velocity_, zero_, moved_, best_;
};

}  // namespace verne
