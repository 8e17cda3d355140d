#include "verne/report/live.h"
#include "io/named_state.h"
#include "model/one_axis_joints.h"
#include "structures/random_closures.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "verne/base/error.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/model_io.h"

namespace verne {
namespace {

using Json = nlohmann::json;

Model shipped(const std::string& name, bool floating = false) {
  LoadOptions options;
  options.floating_base = floating;
  return load_model(test::source_dir() + "/models/" + name + ".yaml", options);
}

std::string request(const Eigen::VectorXd& values) {
  return Json{{"values", std::vector<double>(values.data(), values.data() + values.size())}}.dump();
}

/// A slider for the crank alone; the rest follows, also when it turns on.
TEST(LiveModel, FourBarFollowsItsCrank) {
  LiveModel live(shipped("four_bar"));
  for (const double crank : {1.0, 1.5, 2.2, 3.0}) {
    const Json state = Json::parse(live.state(request(Eigen::VectorXd::Constant(1, crank))));
    EXPECT_NEAR(state["link_poses"]["coupler"][0], 0.1 * std::cos(crank), 1e-13);
    EXPECT_EQ(state["gravity_torques"].size(), 1u);
    EXPECT_EQ(state["mass_matrix"].size(), 1u);
    // Half of the turn of a link about z is in its quaternion: the ends of coupler and rocker meet.
    const auto end = [&](const char* link, double length) {
      const auto pose = state["link_poses"][link].get<std::vector<double>>();
      const double turn = 2 * std::atan2(pose[5], pose[6]);
      return Eigen::Vector2d(pose[0] + length * std::cos(turn), pose[1] + length * std::sin(turn));
    };
    EXPECT_NEAR((end("coupler", 0.3) - end("rocker", 0.2)).norm(), 0, 1e-12) << crank;
  }
  EXPECT_THROW(live.state(R"({"values": [1, 2, 3]})"), InputError);
}

/// Rods between balls have sliders for their spin alone, and what moves is shown from where it stands.
TEST(LiveModel, RodsHaveSlidersForWhatMoves) {
  std::mt19937_64 rng(98);
  const Model model = build_model(test::random_rod_humanoid(rng, 0));
  LiveModel live(model);
  const Mechanism mechanism(model);
  const auto begin = [&](const Json& state) { return state["link_poses"]["foot_l"].get<std::vector<double>>(); };
  Eigen::VectorXd values = Eigen::VectorXd::Zero(mechanism.mobility());
  for (Eigen::Index k = 0; k < values.size(); ++k) {  // of single coordinates their home, of quaternions nothing yet
    const int velocity = mechanism.independent()[std::size_t(k)];
    for (const Joint& joint : model.joints()) {
      if (joint.nq != joint.nv || velocity < joint.v || velocity >= joint.v + joint.nv) continue;
      values[k] = mechanism.home().eigen()[joint.q + velocity - joint.v];
    }
  }
  const Json state = Json::parse(live.state(request(values)));
  EXPECT_EQ(state["gravity_torques"].size(), std::size_t(mechanism.mobility()));
  EXPECT_EQ(state["mass_matrix"].size(), std::size_t(mechanism.mobility()));
  values[0] += 0.1;  // the base goes along x, and all with it
  const auto before = begin(state), after = begin(Json::parse(live.state(request(values))));
  EXPECT_NEAR(after[0] - before[0], 0.1, 1e-9);
  EXPECT_NEAR(after[1], before[1], 1e-9);
  EXPECT_THROW(live.state(request(Eigen::VectorXd::Zero(mechanism.mobility() + 1))), InputError);
}

TEST(LiveModel, TwoLinkClosedForm) {
  LiveModel live(shipped("two_link"));
  const Json state = Json::parse(live.state(R"({"values": [0.3, -1]})"));
  const double x = 0.4 * std::cos(0.3) + 0.4 * std::cos(-0.7), y = 0.4 * std::sin(0.3) + 0.4 * std::sin(-0.7);
  EXPECT_NEAR(state["link_poses"]["link2"][0], x, 1e-14);
  EXPECT_NEAR(state["link_poses"]["link2"][1], y, 1e-14);
  EXPECT_NEAR(state["link_poses"]["link2"][5], std::sin(-0.35), 1e-14);
  // I + m c² + m l² about the elbow and shoulder: I = 0.1, m = 0.5, c = 0.2, l = 0.4
  const double m22 = 0.1 + 0.5 * 0.04, m12 = m22 + 0.5 * 0.4 * 0.2 * std::cos(-1);
  const double m11 = 0.1 + 0.5 * 0.04 + 0.5 * 0.16 + 2 * m12 - m22;
  EXPECT_NEAR(state["mass_matrix"][0][0], m11, 1e-14);
  EXPECT_NEAR(state["mass_matrix"][0][1], m12, 1e-14);
  EXPECT_NEAR(state["mass_matrix"][1][1], m22, 1e-14);
  EXPECT_EQ(state["gravity_torques"], (Json{0.0, 0.0}));
}

/// Where motors cannot hold a mechanism still, wrenches are those while its sliders are held; each has one.
TEST(LiveModel, WrenchesOfWhatMotorsCannotHold) {
  ModelSpec spec = load_spec(test::source_dir() + "/models/four_bar.yaml");
  spec.gravity = {0, -9.81, 0};
  const auto wrenches = [](const ModelSpec& of) {
    LiveModel live(build_model(of));
    return Json::parse(live.state(R"({"values": [1.2]})"));
  };
  const Json driven = wrenches(spec);
  for (LinkSpec& link : spec.links) link.joint.actuated = false;
  const Json held = wrenches(spec);
  EXPECT_EQ(held["joint_wrenches"], driven["joint_wrenches"]);
  EXPECT_EQ(held["loop_wrenches"], driven["loop_wrenches"]);
  EXPECT_EQ(held["joint_wrenches"].size(), 4u);  // with that of the base
  ASSERT_EQ(held["loop_wrenches"].size(), 1u);
  // The rocker's weight and what the loop pulls are in balance with the wrench of its joint: forces in world axes.
  EXPECT_EQ(held["notes"], Json::array());
}

/// Each state has its posture, on its branch: the mechanism goes back to it from wherever it is.
TEST(LiveModel, StatesHaveTheirBranch) {
  LiveModel live(shipped("four_bar"));
  const Json home = Json::parse(live.state(R"({"values": [1.0], "near": 0})"));
  NamedState other{"other", {{"crank_joint", {1.0}}, {"coupler_joint", {-1.9}}, {"rocker_joint", {-0.9}}}};
  live.add_states({other});
  const Json there = Json::parse(live.state(R"({"values": [1.0], "near": 1})"));
  EXPECT_GT(std::abs(there["positions"]["rocker_joint"][0].get<double>() -
                     home["positions"]["rocker_joint"][0].get<double>()),
            0.5);
  EXPECT_NEAR(there["positions"]["crank_joint"][0], 1.0, 1e-12);
  const Json stays = Json::parse(live.state(R"({"values": [1.0]})"));
  EXPECT_EQ(stays["positions"], there["positions"]);
  EXPECT_EQ(Json::parse(live.state(R"({"values": [1.0], "near": 0})"))["positions"], home["positions"]);
}

/// Legs that are too short: which loop stays open is said, and the platform is where it was.
TEST(LiveModel, SaysWhereAMechanismCannotGo) {
  const Model model = shipped("gough_stewart");
  LiveModel live(model);
  const Eigen::VectorXd home = Mechanism(model).independent_home().eigen();
  const Json before = Json::parse(live.state(request(home)));
  try {
    live.state(request(Eigen::VectorXd::Constant(6, 0.3)));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("stays open by"), std::string::npos) << error.what();
  }
  const Json after = Json::parse(live.state(request(home)));
  for (const auto& [joint, q] : before["positions"].items()) {
    for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(after["positions"][joint][k], q[k], 1e-12) << joint;
  }
}

/// Numbers of tasks, in which a chain of joints stands for a free one: they lead to the same poses.
TEST(LiveModel, PositionsAreThoseOfTasks) {
  const Model model = shipped("arm7", true);
  LiveModel live(model);
  Eigen::VectorXd values = Eigen::VectorXd::Constant(model.nv(), 0.3);
  values.segment<3>(3) << 0.4, -0.7, 1.1;
  const Json state = Json::parse(live.state(request(values)));
  const Model chain = build_model(with_one_axis_joints(model.spec()));
  Eigen::VectorXd q = neutral_configuration(chain);
  ASSERT_EQ(state["positions"].size(), std::size_t(chain.nq()));
  for (const Joint& joint : chain.joints()) {
    if (joint.nq == 1) q[joint.q] = state["positions"][joint.spec.name][0];
  }
  Data<double> data(chain);
  Kinematics<double> kinematics(chain);
  forward_kinematics(chain, data, q, kinematics);
  for (const auto& [link, pose] : state["link_poses"].items()) {
    const Eigen::Vector3d p = kinematics.position(chain.link(link));
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(pose[std::size_t(k)], p[k], 1e-12) << link;
  }
}

/// At rest the base carries the weight of everything.
TEST(LiveModel, WrenchAtTheRootIsTheWeight) {
  const Model model = shipped("arm7");
  LiveModel live(model);
  const Json state = Json::parse(live.state(request(Eigen::VectorXd::Constant(model.nv(), 0.2))));
  const Json wrench = state["joint_wrenches"][model.joints()[0].spec.name];
  EXPECT_NEAR(wrench[2], 9.81 * model.mass(), 1e-9 * model.mass());
  EXPECT_EQ(state["joint_wrenches"].size(), model.joints().size());
}

TEST(LiveModel, FreeJointTakesPositionAndRotationVector) {
  const Model model = shipped("arm7", true);
  LiveModel live(model);
  Eigen::VectorXd values = Eigen::VectorXd::Zero(model.nv());
  values.head<6>() << 1, 2, 3, 0, 0, 0.5;
  const Values q = live.configuration(values);
  ASSERT_EQ(q.size(), model.nq());
  EXPECT_NEAR(q[0], 1, 1e-15);
  EXPECT_NEAR(q[2], 3, 1e-15);
  EXPECT_NEAR(q[5], std::sin(0.25), 1e-15);
  EXPECT_NEAR(q[6], std::cos(0.25), 1e-15);
  EXPECT_NEAR(live.configuration(Eigen::VectorXd::Zero(model.nv())).eigen().segment<4>(3).norm(), 1, 1e-15);
}

TEST(LiveModel, BadRequests) {
  LiveModel live(shipped("two_link"));
  for (const char* bad :
       {"", "{", "[]", "3", "{}", R"({"values": 1})", R"({"values": [1]})", R"({"values": [1, "x"]})",
        R"({"values": [1, null]})", R"({"values": [1, 2], "near": 1})", R"({"values": [1, 2], "near": -1})",
        R"({"values": [1, 2], "near": "home"})", R"({"values": [1, 2, 3]})", R"({"values": [1e999, 0]})"}) {
    EXPECT_THROW(live.state(bad), InputError) << bad;
  }
}

}  // namespace
}  // namespace verne
