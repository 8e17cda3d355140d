/// What loops hold at a state, direction by direction, where equations may nearly depend on each other
/// (docs/theory/loops.md, section 9).
#pragma once

#include <span>

#include "base/singular_directions.h"
#include "structures/mechanism_parts.h"

namespace verne {

/// A mechanism is called nearly singular where the smallest singular value of the independent equations is below this
/// part of the largest, in units of its length.
inline constexpr double kNearSingular = 1e-3;

/// The singular directions of the loops' equations along the free velocities, at a state that `parts.system` was
/// evaluated at. Near a singularity they are those of all equations, as many as are independent elsewhere, and weak
/// ones are damped: they let go where they would need forces without bound.
class HeldDirections {
 public:
  enum class Equations { independent, all };
  /// `at_least`: what is taken where the mechanism is not nearly singular.
  HeldDirections(MechanismData<double>::Parts& parts, std::vector<int> free,
                 Equations at_least = Equations::independent);

  bool nearly_singular() const { return nearly_singular_; }

  /// The smallest change x of the velocities, in units of the mechanism's length, with J x = by. Entries of `by`: all
  /// equations.
  Eigen::VectorXd least_change(const Eigen::VectorXd& by) const;

  struct Balance {
    Eigen::VectorXd x;       ///< of all velocities; those that are not free are zero
    Eigen::VectorXd lambda;  ///< multipliers of all equations
  };
  /// M x = forces + Jᵀ λ and J x = by, with M of `parts.system` and x among the free velocities. Not finite where
  /// some motion has no inertia.
  Balance balance(const Eigen::VectorXd& forces, const Eigen::VectorXd& by) const;

 private:
  void take(const std::vector<int>& rows);
  Eigen::VectorXd along_held(const Eigen::VectorXd& by) const;

  MechanismData<double>::Parts& p_;
  std::vector<int> free_, rows_;
  Eigen::VectorXd column_scale_, row_scale_;
  SingularDirections held_;
  Eigen::VectorXd damping_;
  bool nearly_singular_ = false;
};

}  // namespace verne
