/// Agreement with the numbers of Pinocchio 3.7.0 in tests/data/peers, and in ../shared/vectors where that is present.
#include <gtest/gtest.h>

#include "oracles/peer_model.h"
#include "support/compare.h"
#include "support/paths.h"
#include "support/states.h"

namespace verne::test {
namespace {

void expect_agreement(const Peer& peer, const Json& state) {
  const Model& model = peer.model;
  Data<double> data(model);
  const Eigen::VectorXd q = peer.q(state["q"]), v = peer.v(state["v"]), a = peer.v(state["a"]);
  EXPECT_TRUE(close(inverse_dynamics(model, data, q, v, a), peer.v(state["tau"]), kPeer));
  EXPECT_TRUE(close(bias_torques(model, data, q, v), peer.v(state["nle"]), kPeer));
  EXPECT_TRUE(close(gravity_torques(model, data, q), peer.v(state["g"]), kPeer));
  EXPECT_TRUE(close(mass_matrix(model, data, q), peer.square(state["M"]), kPeer));
  EXPECT_TRUE(close(inverse_mass_matrix(model, data, q), peer.square(state["Minv"]), kPeer));
  EXPECT_TRUE(close(coriolis_matrix(model, data, q, v) * v, peer.square(state["C"]) * v, kPeer));
  EXPECT_TRUE(close(forward_dynamics(model, data, q, v, peer.v(state["aba_tau_in"])), peer.v(state["aba_qdd"]), kPeer));

  const int link = peer.ours(peer.numbers["joints"].back()).child_link;
  Kinematics<double> kinematics(model);
  forward_kinematics(model, data, q, kinematics);
  const Eigen::Matrix3d R = kinematics.rotation(link);
  EXPECT_TRUE(close(R, matrix_in(state["last_joint_pose_R"]), kPeer));
  EXPECT_TRUE(close(kinematics.position(link), vector_in(state["last_joint_pose_p"]), kPeer));
  Matrix6X<double> local = jacobian(model, data, q, link);
  local.topRows(3) = R.transpose() * local.topRows(3);
  local.bottomRows(3) = R.transpose() * local.bottomRows(3);
  EXPECT_TRUE(close(local, peer.columns(state["last_joint_J_local"]), kPeer));
}

void expect_agreement(const fs::path& json) {
  SCOPED_TRACE(json.filename());
  const Peer peer(json);
  ASSERT_EQ(peer.model.nq(), peer.numbers["nq"].get<int>());
  ASSERT_EQ(peer.model.nv(), peer.numbers["nv"].get<int>());
  ASSERT_FALSE(peer.numbers["states"].empty());
  for (const Json& state : peer.numbers["states"]) expect_agreement(peer, state);
}

class StoredPeer : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, StoredPeer, testing::Values("mixed_tree", "chain2"),
                         [](const auto& parameter) { return parameter.param; });
TEST_P(StoredPeer, Agrees) {
  expect_agreement(fs::path(source_dir() + "/tests/data/peers") / (std::string(GetParam()) + ".json"));
}

class SharedPeer : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, SharedPeer, testing::Values("mixed_tree", "chain2", "ur5", "iiwa14", "anymal"),
                         [](const auto& parameter) { return parameter.param; });
TEST_P(SharedPeer, Agrees) {
  const fs::path json = fs::path(source_dir() + "/../shared/vectors") / (std::string(GetParam()) + ".json");
  if (!fs::exists(json)) GTEST_SKIP() << "these files of others are not part of the project";
  expect_agreement(json);
}

}  // namespace
}  // namespace verne::test
