/// Coulomb friction without width: which joints stick, which slip, and when that changes (docs/theory/simulation.md,
/// "Coulomb friction").
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "verne/model/model.h"

namespace verne {

/// The joints with such friction and what each does until the next event: held, with an acceleration of zero; or else
/// its friction is constant, whatever rounding makes of the sign of its velocity.
class DryFriction {
 public:
  /// `prescribed` velocities move in any case: their friction is a part of the torque that is found.
  DryFriction(const Model& model, std::span<const int> prescribed);

  bool any() const { return !joints_.empty(); }
  int count() const { return static_cast<int>(joints_.size()); }
  int velocity(int joint) const { return joints_[static_cast<std::size_t>(joint)].velocity; }
  /// Velocities that stick: their accelerations are given as zero.
  std::span<const int> held() const { return held_; }

  /// What torques must add so that the model's friction, bound · sign(v), becomes that of this state; nothing for
  /// joints that are held, whose v is zero.
  void add_correction(const Eigen::Ref<const Eigen::VectorXd>& v, Eigen::VectorXd& torques) const;
  /// By how much the power that friction takes is below that of the model's bound · sign(v).
  double power_correction(const Eigen::Ref<const Eigen::VectorXd>& v) const;
  /// The torques that are needed to hold the held joints, with those that drive them: friction is the difference.
  void take_held(const Eigen::VectorXd& driving, const Eigen::VectorXd& needed);
  /// Σ (friction / bound)² of the joints that are held: changes as fast as what they are held against.
  double load() const;

  /// A function for each joint that falls below zero where what it does ends. Held joints have the friction that was
  /// taken last.
  void put_margins(const Eigen::Ref<const Eigen::VectorXd>& v, std::span<double> margins) const;

  // A decision, in this order: all joints that (nearly) rest are at rest, more of them once others stopped; those that
  // are independent stop (`held` until decided); then they are held or slip.
  void release();
  /// Adds joints that move no more. Returns whether there were any.
  bool find_resting(const Eigen::Ref<const Eigen::VectorXd>& v);
  std::vector<int> resting() const;
  void hold(std::vector<int> velocities) { held_ = std::move(velocities); }
  /// `inverse`: accelerations of the resting joints by torques at them, `a`: theirs without friction at them; `crossed`
  /// as of the margins, or empty.
  void decide(const Eigen::MatrixXd& inverse, const Eigen::VectorXd& a, std::span<const int> crossed);
  /// After a decision, with its frictions taken: what rounding lets exceed the bounds does not count.
  void settle();

 private:
  struct DryJoint {
    int velocity;
    double bound;
    double friction = 0;  ///< constant, or of a held joint what was found last
    double margin = 0;    ///< by how much the friction of a held joint may exceed its bound
    int direction = 0;    ///< of slip; 0 at rest
    bool rests = false, held = false;
  };
  static double model_friction(const DryJoint& joint, double v) {
    return v > 0 ? joint.bound : v < 0 ? -joint.bound : 0;
  }

  std::vector<DryJoint> joints_;
  std::vector<int> held_;
};

}  // namespace verne
