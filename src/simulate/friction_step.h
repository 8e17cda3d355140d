/// Which of the joints at rest does Coulomb friction hold? (docs/theory/simulation.md, "Coulomb friction")
#pragma once

#include <Eigen/Core>
#include <vector>

namespace verne {

/// The friction f of joints at rest, whose accelerations are a = unresisted − W f: |f_k| <= bound_k, a_k > 0 only where
/// f_k = bound_k, a_k < 0 only where f_k = −bound_k.
struct FrictionStep {
  Eigen::VectorXd friction;
  std::vector<int> direction;  ///< of joints that start to slip, the sign of a_k; else 0
  /// Joints without acceleration that can be given as such: W is positive among them. What else neither slips nor is
  /// held is tied to these; its friction is one of several that do.
  std::vector<int> held;
};

/// W: accelerations by unit torques, symmetric and positive semidefinite. It is 0 of joints that cannot move. A joint
/// that broke loose (1, else 0) is not held by all of its friction.
/// Throws InputError when rounding hides the answer.
FrictionStep solve_friction(const Eigen::MatrixXd& W, const Eigen::VectorXd& unresisted, const Eigen::VectorXd& bound,
                            const std::vector<char>& broke_loose);

}  // namespace verne
