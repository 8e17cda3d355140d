/// Platforms on legs, leg by leg ([K10], section 5; docs/theory/loops.md, section 7): inverse and direct model of
/// mechanisms whose loops all close between one branch of the tree, the platform, and several others, the legs.
///
/// The same results as the general functions of closed_dynamics.h at a fraction of their cost, without wrenches, above
/// all where legs are alike: they are computed side by side.
#pragma once

#include <memory>
#include <optional>

#include "structures/closed_dynamics.h"

namespace verne {

/// A mechanism that was recognised as a platform on legs, and scratch memory for one thread.
class VERNE_API ParallelRobot {
 public:
  /// Nothing where the mechanism is built otherwise: legs are branches of the tree that hang on the world and that no
  /// loop joins with each other; each must be told by the platform, and the motors must be the independent coordinates.
  static std::optional<ParallelRobot> recognise(const Mechanism& mechanism);
  ParallelRobot(ParallelRobot&&) noexcept;
  ParallelRobot& operator=(ParallelRobot&&) noexcept;
  ~ParallelRobot();

  /// Number of legs.
  int legs() const;
  /// Number of motors: entries of tau.
  int motors() const;
  /// Of the branch that is the platform.
  int platform_velocities() const;

  struct Parts;
  /// The memory, for the library.
  Parts& parts() { return *parts_; }
  /// The memory, for the library.
  const Parts& parts() const { return *parts_; }

 private:
  explicit ParallelRobot(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// tau of the motors for a closed motion of the tree (19).
VERNE_API void inverse_dynamics(ParallelRobot& robot, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                                VectorOut<double> tau, LoadsIn<double> loads = nullptr);
/// All accelerations of the tree under tau (20).
VERNE_API void forward_dynamics(ParallelRobot& robot, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                                VectorOut<double> a, LoadsIn<double> loads = nullptr);

// The same with new results.
/// The torques with a new result.
inline Eigen::VectorXd inverse_dynamics(ParallelRobot& robot, VectorIn<double> q, VectorIn<double> v,
                                        VectorIn<double> a, const Loads<double>& loads = {}) {
  Eigen::VectorXd tau(robot.motors());
  inverse_dynamics(robot, q, v, a, tau, &loads);
  return tau;
}
/// The accelerations with a new result.
inline Eigen::VectorXd forward_dynamics(ParallelRobot& robot, VectorIn<double> q, VectorIn<double> v,
                                        VectorIn<double> tau, const Loads<double>& loads = {}) {
  Eigen::VectorXd a(v.size());
  forward_dynamics(robot, q, v, tau, a, &loads);
  return a;
}

}  // namespace verne
