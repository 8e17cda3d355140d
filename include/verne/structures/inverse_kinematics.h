/// Inverse kinematics: postures in which a link or named frame is where it is wanted, within the limits of the joints
/// and with all loops closed.
///
///   InverseKinematics ik(Mechanism(model), model.site("tool"));
///   const Posture nearest = ik.solve({.position = {0.4, 0, 0.5}, .rotation = rotation_rpy({0, M_PI, 0})}, near);
///
/// Damped Newton steps from `near`, then from other postures, the same ones every time (docs/theory/kinematics.md).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "verne/base/export.h"
#include "verne/base/values.h"
#include "verne/dynamics/data.h"
#include "verne/structures/mechanism.h"

namespace verne {

/// Where a link or named frame is wanted in the world.
struct PoseGoal {
  Vec3<double> position{0, 0, 0};        ///< of its origin, m
  std::optional<Mat3<double>> rotation;  ///< of its axes, world from site; none: any will do
};

/// A posture, and by how much it misses a goal.
struct Posture {
  Values q;                   ///< of the tree
  double position_error = 0;  ///< m
  double angle_error = 0;     ///< of the shortest turn to the wanted axes, rad; 0 where none are wanted
  bool reached = false;       ///< both are below 1e-9, limits are kept, loops are closed, and it is accepted
};

/// What is found for one goal.
struct Postures {
  std::vector<Posture> found;  ///< that reach it, the nearest first
  Posture closest;             ///< that with the least error: the first of `found` where there is any
  bool isolated = false;       ///< those found have no others next to them: no joint is left over
};

/// Solves for one site of a mechanism; with room for one thread. What it finds depends on the goal and `near` alone,
/// not on earlier calls.
class VERNE_API InverseKinematics {
 public:
  /// `site` is that of a link or named frame (Model::site). Throws std::invalid_argument where there is none.
  InverseKinematics(const Mechanism& mechanism, int site);
  InverseKinematics(InverseKinematics&&) noexcept;
  InverseKinematics& operator=(InverseKinematics&&) noexcept;
  ~InverseKinematics();

  /// Postures for which this returns false do not count from now on: they collide, say.
  void accept_only(std::function<bool(std::span<const double> q)> accepts);
  /// One posture, soon: what the search from `near`, a configuration of the tree, finds; where that finds nothing, what
  /// the first of the others does. With none, that of the least error, and `reached` is false.
  Posture solve(const PoseGoal& goal, VectorIn<double> near);
  /// The same for many goals, each from `near` (one column for all, or one for each). Column k of `q` (nq rows) is that
  /// of goal k, and column k of `errors` has its position and angle errors. Returns how many are reached.
  int solve(std::span<const PoseGoal> goals, const Eigen::Ref<const Eigen::MatrixXd>& near, MatrixOut<double> q,
            MatrixOut<double> errors);
  /// The `count` nearest of all that are found. Where no joint is left over these are all isolated postures within the
  /// limits, each once: those that differ by full turns count as one. Else some joint differs by 0.3 rad (or m) from
  /// each to each. Those, and postures of mechanisms with loops, whose passive joints have many ways, are looked for
  /// until there are so many. Without `count`: all isolated ones of a tree; of others one. Throws std::invalid_argument
  /// unless `count` is positive.
  Postures solve_all(const PoseGoal& goal, VectorIn<double> near, std::optional<int> count = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace verne
