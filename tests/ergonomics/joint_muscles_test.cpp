// What joints bear with their muscles, against statics by hand.
#include "ergonomics/joint_muscles.h"

#include <gtest/gtest.h>

#include <cmath>

namespace verne {
namespace {

const JointMuscles& muscles_named(const std::string& name) {
  for (const JointMuscles& one : muscled_joints()) {
    if (name == one.name) return one;
  }
  throw std::invalid_argument(name);
}

/// A trunk of 40 kg bent by 60°, its centre 0.25 m up the spine, 15 kg held 0.35 m up and 0.3 m ahead of it: the back
/// muscles balance the moment at 6 cm, and press together with the weight's part along the spine.
TEST(JointMuscles, AStoopByHand) {
  const double g = 9.80665, bent = 60 * M_PI / 180, along = std::cos(bent), across = std::sin(bent);
  const double trunk = 40 * g, load = 15 * g;
  // What the pelvis exerts on the trunk, in the spine's axes: up is (−sin, cos) there.
  const double up[2] = {-across, along};
  const auto moment = [&](double x, double y, double weight) { return weight * (x * up[1] - y * up[0]); };
  const double extension = moment(0, 0.25, trunk) + moment(0.3, 0.35, load);
  const double wrench[6] = {(trunk + load) * up[0], (trunk + load) * up[1], 0, 0, 0, extension};
  const JointMuscles& back = muscles_named("l5s1");
  EXPECT_NEAR(back.compression(wrench), (trunk + load) * along + extension / 0.06 + 1 / 0.08 + 1 / 0.1, 0.1);
  // The last two are what pairs at rest are smoothed by.
  EXPECT_NEAR(extension, trunk * 0.25 * across + load * (0.35 * across + 0.3 * along), 1e-9);
  EXPECT_NEAR(back.shear(wrench), (trunk + load) * across, 1e-9);
}

TEST(JointMuscles, PairsNeverPushNorHoldAgainstEachOther) {
  for (const JointMuscles& joint : muscled_joints()) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (const double moment : {-50.0, -2.0, 0.0, 2.0, 50.0}) {
        double wrench[6] = {};
        wrench[3 + k] = moment;
        const double none[6] = {};
        const double arm = moment > 0 ? joint.pairs[k].positive : joint.pairs[k].negative;
        const double pull = arm > 0 ? std::abs(moment) / arm : 0;
        const double smooth = joint.compression(none);  // of pairs at rest: half a newton metre each
        EXPECT_GE(joint.compression(wrench), pull - 1e-9);
        EXPECT_LE(joint.compression(wrench), pull + smooth + 1e-9);
      }
    }
  }
}

TEST(JointMuscles, LeftIsTheMirrorImageOfRight) {
  const JointMuscles &right = muscles_named("hip_r"), &left = muscles_named("hip_l");
  // Forces across the plane of symmetry and moments in it change their signs.
  const double here[6] = {10, -400, 30, 25, -8, 40}, mirrored[6] = {10, -400, -30, -25, 8, 40};
  EXPECT_DOUBLE_EQ(right.compression(here), left.compression(mirrored));
  EXPECT_DOUBLE_EQ(right.shear(here), left.shear(mirrored));
}

}  // namespace
}  // namespace verne
