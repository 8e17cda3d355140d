/// Torques and internal forces of the thesis's two arms against closed forms with fifty digits.
#include <gtest/gtest.h>

#include "oracles/peer_numbers.h"
#include "support/compare.h"
#include "support/paths.h"
#include "support/reference.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

namespace fs = std::filesystem;

struct Arm {
  const char *name, *file, *key;
};

class TwoLinkArm : public testing::TestWithParam<Arm> {};
// Of the two readings of the second arm's table, the model has the one in which the joint variable adds to the table's.
INSTANTIATE_TEST_SUITE_P(Thesis, TwoLinkArm,
                         testing::Values(Arm{"two_link", "two_link.yaml", "A"},
                                         Arm{"prismatic_revolute", "prismatic_revolute.yaml", "B_offset"}),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(TwoLinkArm, TorquesAndInternalForces) {
  const fs::path samples = source_dir() + "/../shared/refs/two_link_samples.json";
  if (!fs::exists(samples)) GTEST_SKIP() << "the reference answers are not part of the project";
  const Model model = load_model(std::string(source_dir() + "/models/") + GetParam().file);
  Data<double> data(model);
  const Json numbers = read_json(samples)[GetParam().key]["samples"];
  ASSERT_FALSE(numbers.empty());
  for (const Json& sample : numbers) {
    const Eigen::VectorXd q = vector_in(sample["q"]), v = vector_in(sample["qd"]), a = vector_in(sample["qdd"]);
    const auto [tau, wrenches] = inverse_dynamics_and_wrenches(model, data, q, v, a);
    EXPECT_TRUE(close(tau, vector_in(sample["tau"]), kRounding));
    const std::vector<Eigen::Isometry3d> poses = link_poses(model, q);
    for (int k = 0; k < 2; ++k) {
      const int joint = static_cast<int>(model.joints().size()) - 2 + k;
      const double norm = number_in(sample["norm"][static_cast<std::size_t>(k)]);
      EXPECT_TRUE(close(wrenches.col(joint).head(3).norm(), norm, kRounding));
      // Theirs is what the link does to its predecessor, ours the opposite.
      const Eigen::VectorXd force = vector_in(sample[k == 0 ? "F1_base" : "F2_base"]);
      EXPECT_TRUE(close(-joint_wrench(model, joint, wrenches, poses).force, force, kRounding));
    }
    const Wrench first = joint_wrench(model, static_cast<int>(model.joints().size()) - 2, wrenches, poses);
    const Eigen::VectorXd moment = vector_in(sample["n_joint1_about_O0_base"]);
    EXPECT_TRUE(close(-first.moment, moment, kRounding, 1));
  }
}

}  // namespace
}  // namespace verne::test
