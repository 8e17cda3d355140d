/// Parallel robots [K10], section 5: a platform on legs, some of whose joints are motorized, that end in spherical
/// joints on the platform. The paper has legs with three joints and platforms with six degrees of freedom, as that of
/// Gough and Stewart. Legs here may branch, with a spherical joint at each end, and may leave the platform less
/// freedom, as those of the Delta do: inverses of J_i and J_p become pseudo-inverses, which are exact for the motions
/// that there are.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "formulations/khalil.h"

namespace verne::formulations {

struct KhalilLeg {
  MdhTree tree;             ///< its base is the world
  std::vector<int> active;  ///< the motorized variables
  struct Tip {
    int link = 0;                      ///< of the tree
    Vec3<double> point{0, 0, 0};       ///< centre of the spherical joint in the link's frame
    Vec3<double> attachment{0, 0, 0};  ///< the same in the frame of the platform
  };
  std::vector<Tip> tips;
};

struct KhalilParallelRobot {
  std::vector<KhalilLeg> legs;
  MdhLink platform;  ///< mass, first moment and inertia
  Vec3<double> gravity{0, 0, 0};
};

/// Pose, screw (V; ω) and acceleration of the platform's frame, world axes.
struct KhalilPlatformMotion {
  Transform<double> pose;
  Vec6<double> velocity, acceleration;
};

struct KhalilParallelInverse {
  Eigen::VectorXd torque;                   ///< of the motorized joints, leg by leg (66)
  Eigen::MatrixXd J_p;                      ///< V_p = J_p q̇_a (60)
  std::vector<Eigen::VectorXd> q, qd, qdd;  ///< of each leg
};

/// `guess`: joint positions of each leg from which its inverse kinematics is sought. Throws InputError when a leg
/// cannot reach the platform, when the robot is in a singular position, or when motors and degrees of freedom are not
/// as many.
KhalilParallelInverse khalil_parallel_inverse(const KhalilParallelRobot& robot, const KhalilPlatformMotion& motion,
                                              const std::vector<Eigen::VectorXd>& guess);

/// Accelerations of the motorized joints, leg by leg, under their torques: those at which (66) gives these. The
/// acceleration of `motion` is not read.
Eigen::VectorXd khalil_parallel_direct(const KhalilParallelRobot& robot, const KhalilPlatformMotion& motion,
                                       const std::vector<Eigen::VectorXd>& guess, const Eigen::VectorXd& torque);

}  // namespace verne::formulations
