/// Leg by leg against the general method and virtual work.
#include "verne/structures/parallel_robot.h"

#include "structures/mechanism_support.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

struct LeggedCase {
  const char* model;
  int legs, platform;
};
class ParallelRobots : public testing::TestWithParam<LeggedCase> {};
INSTANTIATE_TEST_SUITE_P(Shipped, ParallelRobots,
                         testing::Values(LeggedCase{"gough_stewart", 6, 6}, LeggedCase{"delta", 3, 6}),
                         [](const auto& parameter) { return parameter.param.model; });

TEST_P(ParallelRobots, AsTheGeneralMethod) {
  const Model model = shipped_model(GetParam().model);
  const Mechanism mechanism(model);
  auto robot = ParallelRobot::recognise(mechanism);
  ASSERT_TRUE(robot);
  EXPECT_EQ(robot->legs(), GetParam().legs);
  EXPECT_EQ(robot->platform_velocities(), GetParam().platform);
  MechanismData<double> data(mechanism);
  Data<double> tree(model);
  std::mt19937_64 rng(11 + test_seed());
  for (int k = 0; k < 5; ++k) {
    const ClosedState s = closed_state(mechanism, rng, 0.1);
    const Loads<double> loads = random_loads(model, rng, 2);
    Eigen::VectorXd tau(s.tau.size()), expected(s.tau.size()), a(model.nv()), general(model.nv());
    inverse_dynamics(*robot, s.q, s.v, s.a, tau, &loads);
    inverse_dynamics(mechanism, data, s.q, s.v, s.a, expected, &loads);
    EXPECT_TRUE(close(tau, expected, 1e-9));
    forward_dynamics(*robot, s.q, s.v, s.tau, a, &loads);
    forward_dynamics(mechanism, data, s.q, s.v, s.tau, general, &loads);
    EXPECT_TRUE(close(a, general, 1e-9));
    EXPECT_EQ(inverse_dynamics(*robot, s.q, s.v, s.a, loads), tau);
    EXPECT_EQ(forward_dynamics(*robot, s.q, s.v, s.tau, loads), a);
    // Virtual work: what the motors do along a motion, the whole tree does.
    const Eigen::VectorXd torques = inverse_dynamics(model, tree, s.q, s.v, s.a, loads);
    double power = 0;
    for (long m = 0; m < tau.size(); ++m) power += tau[m] * s.v[mechanism.actuated()[std::size_t(m)]];
    EXPECT_NEAR(power, torques.dot(s.v), 1e-9 * std::max(1.0, largest(torques)));
  }
}

TEST(ParallelRobotsInput, OthersAreNotRecognised) {
  for (const char* const name : {"four_bar", "five_bar", "sr400", "two_link", "hybrid"}) {
    EXPECT_FALSE(ParallelRobot::recognise(Mechanism(shipped_model(name)))) << name;
  }
}

/// A platform that is turned by a right angle on legs that are twisted so loses a freedom.
TEST(ParallelRobotsInput, SingularStatesAreRefused) {
  const Model model = shipped_model("gough_stewart");
  const Mechanism mechanism(model);
  auto robot = ParallelRobot::recognise(mechanism);
  ASSERT_TRUE(robot);
  Eigen::VectorXd q = mechanism.home().eigen(), zero = Eigen::VectorXd::Zero(model.nv()), tau(6);
  // All legs lie along one line through the platform's origin: nothing holds it.
  q.setConstant(0), q[6] = 1;
  EXPECT_NE(complaint<InputError>([&] { inverse_dynamics(*robot, q, zero, zero, tau); }).find("singular here"),
            std::string::npos);
}

}  // namespace
}  // namespace verne::test
