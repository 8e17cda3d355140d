/// Parallel robots with six degrees of freedom [K10], section 5: a platform on legs, each with three joints and one of
/// them motorized, that end in spherical joints on the platform (as the Gough-Stewart platform has them).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "formulations/khalil.h"

namespace verne::formulations {

struct KhalilLeg {
  MdhTree tree;                      ///< serial, three variables, its base is the world
  int active = 2;                    ///< the motorized variable
  Vec3<double> tip{0, 0, 0};         ///< centre of the spherical joint in the leg's last frame
  Vec3<double> attachment{0, 0, 0};  ///< the same in the frame of the platform
};

struct KhalilParallelRobot {
  std::vector<KhalilLeg> legs;  ///< six
  MdhLink platform;             ///< mass, first moment and inertia
  Vec3<double> gravity{0, 0, 0};
};

/// Pose, screw (V; ω) and acceleration of the platform's frame, world axes.
struct KhalilPlatformMotion {
  Transform<double> pose;
  Vec6<double> velocity, acceleration;
};

struct KhalilParallelInverse {
  Eigen::VectorXd torque;                   ///< of the motorized joints, leg by leg (66)
  Eigen::Matrix<double, 6, 6> J_p;          ///< V_p = J_p q̇_a (60)
  std::vector<Eigen::Vector3d> q, qd, qdd;  ///< of each leg
};

/// `guess`: three joint positions a leg from which its inverse kinematics is sought. Throws InputError when a leg
/// cannot reach the platform or the robot is in a singular position.
KhalilParallelInverse khalil_parallel_inverse(const KhalilParallelRobot& robot, const KhalilPlatformMotion& motion,
                                              const std::vector<Eigen::Vector3d>& guess);

/// Accelerations of the motorized joints, leg by leg, under their torques: those of the platform at which (66) gives
/// these. The acceleration of `motion` is not read.
Eigen::VectorXd khalil_parallel_direct(const KhalilParallelRobot& robot, KhalilPlatformMotion motion,
                                       const std::vector<Eigen::Vector3d>& guess, const Eigen::VectorXd& torque);

}  // namespace verne::formulations
