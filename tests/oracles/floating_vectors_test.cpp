/// Agreement with stored numbers of MuJoCo 2.2 for a floating base (tests/data/peers/README.md).
#include <gtest/gtest.h>

#include "oracles/peer_numbers.h"
#include "support/compare.h"
#include "support/paths.h"
#include "support/states.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

/// MuJoCo's forward dynamics goes through a Cholesky factorization of its own and adds rounding to that of M.
constexpr double kMujoco = 1e-9;

TEST(FloatingPeer, Agrees) {
  const std::string folder = source_dir() + "/tests/data/peers/";
  const Json numbers = read_json(folder + "floating_mixed_tree.json");
  const Model model = load_model(folder + "mixed_tree.urdf", {.floating_base = true});
  std::vector<std::string> joints;
  for (const Joint& joint : model.joints()) {
    if (joint.nv > 0) joints.push_back(joint.spec.name);
  }
  ASSERT_EQ(numbers["joints"].get<std::vector<std::string>>(), joints);
  Data<double> data(model);
  ASSERT_EQ(numbers["states"].size(), 5u);
  for (const Json& state : numbers["states"]) {
    const auto values = [&](const char* key) { return vector_in(state[key]); };
    const Eigen::VectorXd q = values("q"), v = values("v"), M = values("M");
    EXPECT_TRUE(close(inverse_dynamics(model, data, q, v, values("a")), values("tau"), kMujoco));
    EXPECT_TRUE(close(mass_matrix(model, data, q), M.reshaped(model.nv(), model.nv()).eval(), kMujoco));
    EXPECT_TRUE(close(forward_dynamics(model, data, q, v, values("push")), values("response"), kMujoco));
  }
}

}  // namespace
}  // namespace verne::test
