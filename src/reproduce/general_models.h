/// Models with nothing special about them.
#pragma once

#include <random>
#include <vector>

#include "verne/model/model.h"

namespace verne::reproduce {

/// `joints` revolute joints with the four parameters that a serial robot has, the first about the base's z, as the
/// papers count; general masses, centres of mass and inertias. The same one for the same number.
Model general_arm(int joints);

struct GeneralTree {
  int joints = 3;
  bool chain = true;  ///< each link hangs on the one before; else on any before
  std::vector<JointType> kinds{JointType::revolute, JointType::prismatic};
  bool losses = false;  ///< friction and rotor inertia
  JointType root = JointType::fixed;
};
/// Joints of these kinds in any directions and places, under any gravity; link 0 is on the root.
ModelSpec general_tree(std::mt19937_64& rng, const GeneralTree& asked);

}  // namespace verne::reproduce
