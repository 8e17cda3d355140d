/// Robots with closed loops [K10], sections 2.2 and 4.
///
/// Each loop is cut at one of its passive joints, k, between links i and j of the tree that is left. Two frames stand
/// for it: R_k, placed from link i with the cut joint's variable, and R_{k+B}, fixed on link j, which must coincide.
/// A joint with several freedoms is a chain of massless links with one each; R_k is the last of them. The variables are
/// those of the tree, then those of the cut joints.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "formulations/khalil.h"

namespace verne::formulations {

struct KhalilCutJoint {
  int link_i = 0, link_j = 0;
  struct Variable {
    int sigma = 0;          ///< 0 revolute, 1 prismatic
    MdhParameters frame{};  ///< in frame i, or in that of the variable before it, at variable zero
  };
  std::vector<Variable> variables;  ///< none: the joint is rigid, and R_k is frame i
  MdhParameters on_j{};             ///< R_{k+B} in frame j
};

struct KhalilClosedRobot {
  MdhTree tree;
  std::vector<KhalilCutJoint> cuts;
  std::vector<bool> active;  ///< by variable of the tree: motorized
};

/// Positions that satisfy (3), the active ones as in `guess`. Throws InputError when Newton's method finds none.
Eigen::VectorXd khalil_closed_positions(const KhalilClosedRobot& robot, Eigen::VectorXd guess);

/// All velocities and accelerations that (4) and its derivative ask for, from the active ones.
struct KhalilClosedMotion {
  Eigen::MatrixXd G;  ///< ∂q̇/∂q̇_a (56), with rows for the cut joints too
  Eigen::VectorXd qd, qdd;
};
KhalilClosedMotion khalil_closed_motion(const KhalilClosedRobot& robot, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& active_qd, const Eigen::VectorXd& active_qdd);

/// Torques of the active joints (55), and the accelerations that given ones cause (58).
Eigen::VectorXd khalil_closed_inverse(const KhalilClosedRobot& robot, const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& active_qd, const Eigen::VectorXd& active_qdd);
Eigen::VectorXd khalil_closed_direct(const KhalilClosedRobot& robot, const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& active_qd, const Eigen::VectorXd& torque);

}  // namespace verne::formulations
