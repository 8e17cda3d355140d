#include "peers/mujoco_model.h"

#include <gtest/gtest.h>

#include "peers/agreement.h"

namespace verne::test {
namespace {

class MujocoOnShippedModel : public testing::TestWithParam<const char*> {};

TEST_P(MujocoOnShippedModel, Agrees) {
  const Model model = frictionless(GetParam());
  auto peer = peers::MujocoModel::from(model);
  ASSERT_TRUE(peer);
  compare_with(*peer, model);
}

INSTANTIATE_TEST_SUITE_P(Peers, MujocoOnShippedModel,
                         testing::Values("two_link", "prismatic_revolute", "stanford_arm", "puma560", "rx90", "arm7",
                                         "shuttle_rms", "quadruped", "humanoid", "human55"),
                         [](const auto& test) { return std::string(test.param); });

/// The kinds that MuJoCo has below the root.
const std::vector<JointType> kMujocoJointTypes{JointType::revolute,  JointType::prismatic, JointType::cylindrical,
                                               JointType::universal, JointType::planar,    JointType::spherical};

void compare_random_trees(JointType root, bool rotor_inertia, bool springs = false) {
  std::mt19937_64 rng(13);
  for (int joints = 1; joints <= 16; ++joints) {
    RandomTreeOptions options;
    options.kinds = kMujocoJointTypes;
    options.root = root;
    options.fixed_joints = true;
    options.rotor_inertia = rotor_inertia;
    options.springs = springs;
    ModelSpec spec = random_tree(rng, joints, options);
    for (LinkSpec& link : spec.links) {  // MuJoCo has one value for all of a ball joint
      if (link.joint.type != JointType::spherical) continue;
      for (DofSpec& dof : link.joint.dofs) dof.rotor_inertia = link.joint.dofs[0].rotor_inertia;
    }
    const Model model = build_model(std::move(spec));
    auto peer = peers::MujocoModel::from(model);
    ASSERT_TRUE(peer) << joints << " joints";
    compare_with(*peer, model, 5);
  }
}

TEST(Mujoco, AgreesOnRandomFixedBaseTrees) {
  compare_random_trees(JointType::fixed, true);
}

TEST(Mujoco, AgreesOnRandomFloatingBaseTrees) {
  compare_random_trees(JointType::free, false);
}

TEST(Mujoco, AgreesOnElasticJoints) {
  compare_random_trees(JointType::planar, true, true);
}

TEST(Mujoco, HasNoHelicalOrCoupledJoints) {
  std::mt19937_64 rng(17);
  RandomTreeOptions options;
  options.kinds = {JointType::helical};
  EXPECT_FALSE(peers::MujocoModel::from(build_model(random_tree(rng, 3, options))));

  options.kinds = {JointType::revolute};
  ModelSpec coupled = random_tree(rng, 3, options);
  coupled.links[3].joint.mimic = MimicSpec{"joint_1", 2, 0};
  EXPECT_FALSE(peers::MujocoModel::from(build_model(std::move(coupled))));
}

}  // namespace
}  // namespace verne::test
