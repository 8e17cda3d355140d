/// Random models for tests: valid, with nothing special about them.
#pragma once

#include <random>
#include <vector>

#include "reproduce/random_parts.h"
#include "verne/model/spec.h"

namespace verne::test {

/// Every kind that moves.
inline const std::vector<JointType> kMovingJointTypes{JointType::revolute,    JointType::prismatic, JointType::helical,
                                                      JointType::cylindrical, JointType::universal, JointType::planar,
                                                      JointType::spherical,   JointType::free};

struct RandomTreeOptions {
  std::vector<JointType> kinds = kMovingJointTypes;  ///< what to draw joints from
  JointType root = JointType::fixed;                 ///< joint of link_0
  bool chain = false;                                ///< each link hangs on the one before
  bool fixed_joints = false;                         ///< insert fixed joints, some with massless links
  bool coupled_joints = false;                       ///< some one-DOF joints follow an earlier one
  bool late_leaders = false;                         ///< some one-DOF joints follow a later one
  bool uneven_masses = false;                        ///< masses between 1 g and 10 kg instead of 0.5 and 3 kg
  bool friction = false;                             ///< Coulomb (width > 0) and viscous
  bool rotor_inertia = false;
  bool springs = false;    ///< on about half of the angles and distances
  bool ligaments = false;  ///< likewise; slack in a part of the range that states are drawn from, or on one side only
};

/// link_0 (root, on joint_0), then `joints` moving joints joint_i carrying link_i; inserted fixed joints count on in
/// the same numbering. Random poses, axes (half of them along ± a coordinate axis), gravity and physically valid
/// inertias, plus two frames frame_0, frame_1 and a contact contact_0 on random links.
ModelSpec random_tree(std::mt19937_64& rng, int joints, const RandomTreeOptions& options = {});

using reproduce::random_inertia;
using reproduce::random_number;
using reproduce::random_pose;
using reproduce::random_rotation;
using reproduce::random_vector;

}  // namespace verne::test
