/// What a platform on legs is made of, and its equations at a state (docs/theory/loops.md, section 7).
#pragma once

#include <Eigen/LU>
#include <vector>

#include "structures/mechanism_parts.h"
#include "verne/dynamics/kinematics.h"
#include "verne/structures/parallel_robot.h"

namespace verne {

/// Velocities and equations that a leg or the platform may have; what is larger is left to the general method.
inline constexpr int kMostOfALeg = 12;

struct ParallelRobot::Parts {
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostOfALeg, kMostOfALeg>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostOfALeg, 1>;

  /// Velocities that stand together in the tree.
  struct Branch {
    int first = 0, count = 0;
  };
  struct Leg : Branch {
    std::vector<int> loops;          ///< that close it
    std::vector<int> solved, spare;  ///< its equations that tell its velocities, and those that are left
    Block by_platform, by_leg;       ///< J of its equations
    Column drift;                    ///< of its equations
    Block G;                         ///< its velocities along the platform's
    Column offset;                   ///< its accelerations where the platform has none
  };
  /// An equation of a leg that holds the platform.
  struct Constraint {
    int leg, spare;
  };

  explicit Parts(const Mechanism& mechanism);
  /// Finds platform and legs. Returns whether the mechanism is made so.
  bool recognise();

  /// The legs' equations, and what they say of the platform: K ẍ + offset = (accelerations of motors, 0). Also M.
  void evaluate(VectorIn<double> q, VectorIn<double> v);
  /// The same without offset and M, which torques of a known motion do not need.
  void evaluate(VectorIn<double> q);
  /// Forces along the platform's velocities in place of torques of the whole tree.
  Column gathered(const Eigen::VectorXd& of_tree) const;

  MechanismData<double> closed;
  MechanismData<double>::Parts& p;
  const Mechanism::Contents& c;
  const Model& model;
  Branch platform;
  std::vector<Leg> legs;
  std::vector<int> leg_of;  ///< of each velocity; −1: the platform's
  std::vector<Constraint> constraints;
  ControlTerms<double> terms;
  Kinematics<double> kinematics;
  Block K;
  Eigen::PartialPivLU<Block> K_lu;
  Column offset;
  Eigen::VectorXd torques, motion, velocities;

 private:
  bool split_into_branches();
  bool choose_equations(Leg& leg);
  bool choose_constraints();
  void put_rows(Leg& leg);
  void put_drifts(Leg& leg);
  void put_platform(VectorIn<double> q);
  void solve_leg(Leg& leg);
  FrameMotion<double> link_of(const LoopLayout::End& end) const;
  FrameMotion<double> moving_link_of(const LoopLayout::End& end) const;
  const Branch& branch_of(const LoopLayout::End& end) const;
};

}  // namespace verne
