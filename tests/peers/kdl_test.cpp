#include "peers/kdl_model.h"

#include <gtest/gtest.h>

#include "peers/agreement.h"

namespace verne::test {
namespace {

class KdlOnShippedArm : public testing::TestWithParam<const char*> {};

TEST_P(KdlOnShippedArm, Agrees) {
  const Model model = frictionless(GetParam());
  auto peer = peers::KdlModel::from(model);
  ASSERT_TRUE(peer);
  compare_with(*peer, model);
}

INSTANTIATE_TEST_SUITE_P(Peers, KdlOnShippedArm,
                         testing::Values("two_link", "prismatic_revolute", "stanford_arm", "puma560", "rx90", "arm7",
                                         "shuttle_rms"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Kdl, AgreesOnRandomChains) {
  std::mt19937_64 rng(11);
  for (int joints = 1; joints <= 12; ++joints) {
    RandomTreeOptions options;
    options.kinds = {JointType::revolute, JointType::prismatic};
    options.chain = options.fixed_joints = options.rotor_inertia = true;
    const Model model = build_model(random_tree(rng, joints, options));
    auto peer = peers::KdlModel::from(model);
    ASSERT_TRUE(peer);
    compare_with(*peer, model, 5);
  }
}

TEST(Kdl, HasNoTrees) {
  EXPECT_FALSE(peers::KdlModel::from(frictionless("humanoid")));
}

}  // namespace
}  // namespace verne::test
