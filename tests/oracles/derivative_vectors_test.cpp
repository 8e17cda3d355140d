/// Derivatives against the numbers of Pinocchio 3.7.0 and against closed forms with fifty digits.
#include <gtest/gtest.h>

#include "oracles/peer_model.h"
#include "support/compare.h"
#include "support/derivatives.h"
#include "support/paths.h"
#include "support/reference.h"

namespace verne::test {
namespace {

void expect_derivatives_agree(const fs::path& json) {
  SCOPED_TRACE(json.filename());
  const Peer peer(json);
  const Model& model = peer.model;
  Data<double> data(model);
  ASSERT_FALSE(peer.numbers["states"].empty());
  for (const Json& state : peer.numbers["states"]) {
    const Eigen::VectorXd q = peer.q(state["q"]), v = peer.v(state["v"]), a = peer.v(state["a"]);
    const auto inverse = inverse_derivatives_of(model, data, q, v, a);
    EXPECT_TRUE(close(inverse.dq, peer.square(state["dtau_dq"]), kPeer));
    EXPECT_TRUE(close(inverse.dv, peer.square(state["dtau_dv"]), kPeer));
    EXPECT_TRUE(close(inverse.dx, peer.square(state["M"]), kPeer));
    const auto forward = forward_derivatives_of(model, data, q, v, peer.v(state["aba_tau_in"]));
    EXPECT_TRUE(close(forward.dq, peer.square(state["dqdd_dq"]), kPeer));
    EXPECT_TRUE(close(forward.dv, peer.square(state["dqdd_dv"]), kPeer));
    EXPECT_TRUE(close(forward.dx, peer.square(state["Minv"]), kPeer));
  }
}

class DerivativesOfStoredPeer : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, DerivativesOfStoredPeer, testing::Values("mixed_tree", "chain2"),
                         [](const auto& parameter) { return parameter.param; });
TEST_P(DerivativesOfStoredPeer, Agree) {
  expect_derivatives_agree(fs::path(source_dir() + "/tests/data/peers") / (std::string(GetParam()) + ".json"));
}

class DerivativesOfSharedPeer : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, DerivativesOfSharedPeer,
                         testing::Values("mixed_tree", "chain2", "ur5", "iiwa14", "anymal"),
                         [](const auto& parameter) { return parameter.param; });
TEST_P(DerivativesOfSharedPeer, Agree) {
  const fs::path json = fs::path(source_dir() + "/../shared/vectors") / (std::string(GetParam()) + ".json");
  if (!fs::exists(json)) GTEST_SKIP() << "these files of others are not part of the project";
  expect_derivatives_agree(json);
}

struct ArmCase {
  const char *name, *file, *key;
};
class DerivativesOfTwoLinkArm : public testing::TestWithParam<ArmCase> {
 protected:
  void SetUp() override {
    const fs::path samples = source_dir() + "/../shared/refs/two_link_samples.json";
    if (!fs::exists(samples)) GTEST_SKIP() << "the reference answers are not part of the project";
    samples_ = read_json(samples)[GetParam().key]["samples"];
    ASSERT_FALSE(samples_.empty());
  }
  Json samples_;
  const Model model_ = load_model(std::string(source_dir() + "/models/") + GetParam().file);
  Data<double> data_{model_};
};
INSTANTIATE_TEST_SUITE_P(Thesis, DerivativesOfTwoLinkArm,
                         testing::Values(ArmCase{"two_link", "two_link.yaml", "A"},
                                         ArmCase{"prismatic_revolute", "prismatic_revolute.yaml", "B_offset"}),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(DerivativesOfTwoLinkArm, Torques) {
  for (const Json& sample : samples_) {
    const auto found = inverse_derivatives_of(model_, data_, vector_in(sample["q"]), vector_in(sample["qd"]),
                                              vector_in(sample["qdd"]));
    const Json& expected = sample["d_tau"];
    EXPECT_TRUE(close(found.dq, matrix_in(expected["dq"]), kRounding));
    EXPECT_TRUE(close(found.dv, matrix_in(expected["dqd"]), kRounding));
    EXPECT_TRUE(close(found.dx, matrix_in(expected["dqdd"]), kRounding));
  }
}

/// Internal forces of the two moving joints: as vectors in world axes, and their norms.
TEST_P(DerivativesOfTwoLinkArm, InternalForces) {
  for (const Json& sample : samples_) {
    const Eigen::VectorXd q = vector_in(sample["q"]), v = vector_in(sample["qd"]), a = vector_in(sample["qdd"]);
    const Matrix6X<double> wrenches = inverse_dynamics_and_wrenches(model_, data_, q, v, a).wrenches;
    const auto found = inverse_derivatives_of(model_, data_, q, v, a);
    const std::vector<Eigen::Isometry3d> poses = link_poses(model_, q);
    for (int k = 0; k < 2; ++k) {
      const int joint = static_cast<int>(model_.joints().size()) - 2 + k, link = joint;
      const Eigen::Vector3d force = wrenches.col(joint).head(3);
      const Eigen::Matrix3d R = poses[static_cast<std::size_t>(link)].linear() *
                                to_eigen(model_.spec().links[static_cast<std::size_t>(link)].X_JL).linear().transpose();
      const Matrix6X<double> J = jacobian(model_, data_, q, link);
      const auto part = [&](const Matrix6X<double>& all) { return found.wrenches.joint(all, joint).topRows(3).eval(); };
      const Json &norm = sample["d_norm"], &in_world = sample[k == 0 ? "d_F1_base" : "d_F2_base"];
      const auto expect = [&](const Matrix6X<double>& all, const char* key, bool turns) {
        const Eigen::MatrixXd change = part(all);
        EXPECT_TRUE(close(force.normalized().transpose() * change, matrix_in(norm[key]).row(k), kRounding, 1)) << key;
        Eigen::MatrixXd world = R * change;
        for (int i = 0; i < 2 && turns; ++i) world.col(i) += J.col(i).tail<3>().cross(R * force);
        // Theirs is what the link does to its predecessor, ours the opposite.
        EXPECT_TRUE(close(-world, matrix_in(in_world[key]), kRounding, 1)) << key;
      };
      expect(found.wrenches.dq, "dq", true);
      expect(found.wrenches.dv, "dqd", false);
      expect(found.wrenches.dx, "dqdd", false);
    }
  }
}

}  // namespace
}  // namespace verne::test
