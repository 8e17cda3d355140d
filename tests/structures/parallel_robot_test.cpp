/// Leg by leg against the general method and virtual work.
#include "structures/parallel_robot_batch.h"

#include "structures/mechanism_batch_support.h"
#include "structures/parallel_parts.h"
#include "support/allocation_guard.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

/// Lanes against one state, and against lanes of the general method.
void expect_batches_as_states(const Mechanism& mechanism, ParallelRobot& robot, unsigned seed) {
  const Model& model = mechanism.model();
  for (const BatchOptions& options : batch_options()) {
    std::mt19937_64 rng(seed + test_seed());
    MechanismBatch batch(mechanism, kBatchStates, options), general(mechanism, kBatchStates, options);
    std::vector<ClosedState> states;
    for (int k = 0; k < kBatchStates; ++k) states.push_back(closed_state(mechanism, rng, 0.05));
    for (const Loads<double>& loads : {Loads<double>{}, random_loads(model, rng, 2)}) {
      for (MechanismBatch* const one : {&batch, &general}) {
        one->tree.set_loads(loads);
        for (int k = 0; k < kBatchStates; ++k) put_state(*one, k, states[std::size_t(k)]);
      }
      forward_dynamics(robot, batch), forward_dynamics(general);
      EXPECT_EQ(batch.singles(), 0) << options.instruction_set;
      for (int k = 0; k < kBatchStates; ++k) {
        const ClosedState& s = states[std::size_t(k)];
        EXPECT_TRUE(close(batch.tree.a.get(k), forward_dynamics(robot, s.q, s.v, s.tau, loads), 1e-12)) << k;
        EXPECT_TRUE(close(batch.tree.a.get(k), general.tree.a.get(k), 1e-9)) << k;
        put_state(batch, k, s), put_state(general, k, s);
      }
      inverse_dynamics(robot, batch), inverse_dynamics(general);
      EXPECT_EQ(batch.singles(), 0) << options.instruction_set;
      for (int k = 0; k < kBatchStates; ++k) {
        const ClosedState& s = states[std::size_t(k)];
        EXPECT_TRUE(close(batch.tau.get(k), inverse_dynamics(robot, s.q, s.v, s.a, loads), 1e-13)) << k;
        EXPECT_TRUE(close(batch.tau.get(k), general.tau.get(k), 1e-9)) << k;
      }
    }
  }
}

/// Both models, under loads and without, as the general method has them.
void expect_as_general(const Mechanism& mechanism, unsigned seed) {
  auto robot = ParallelRobot::recognise(mechanism);
  ASSERT_TRUE(robot);
  const Model& model = mechanism.model();
  MechanismData<double> data(mechanism);
  std::mt19937_64 rng(seed + test_seed());
  for (int k = 0; k < 5; ++k) {
    const ClosedState s = closed_state(mechanism, rng, 0.1);
    for (const Loads<double>& loads : {Loads<double>{}, random_loads(model, rng, 2)}) {
      EXPECT_TRUE(close(inverse_dynamics(*robot, s.q, s.v, s.a, loads),
                        inverse_dynamics(mechanism, data, s.q, s.v, s.a, loads), 1e-9));
      EXPECT_TRUE(close(forward_dynamics(*robot, s.q, s.v, s.tau, loads),
                        forward_dynamics(mechanism, data, s.q, s.v, s.tau, loads), 1e-9));
    }
  }
  expect_batches_as_states(mechanism, *robot, seed);
}

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
  expect_batches_as_states(mechanism, *robot, 12);
}

/// Where the usual order of elimination would not do, rows are exchanged; in lanes such states are computed alone.
TEST(ParallelRobotsLegs, FarFromTheReference) {
  const Mechanism mechanism(shipped_model("gough_stewart"));
  auto robot = ParallelRobot::recognise(mechanism);
  ASSERT_TRUE(robot);
  MechanismData<double> data(mechanism);
  std::mt19937_64 rng(3 + test_seed());
  for (int k = 0; k < 4; ++k) {
    const ClosedState s = closed_state(mechanism, rng, 0.4);
    const Eigen::VectorXd tau = inverse_dynamics(mechanism, data, s.q, s.v, s.a);
    EXPECT_TRUE(close(inverse_dynamics(*robot, s.q, s.v, s.a), tau, 1e-8));
    MechanismBatch batch(mechanism, 1);
    put_state(batch, 0, s);
    inverse_dynamics(*robot, batch);
    EXPECT_TRUE(close(batch.tau.get(0), tau, 1e-8));
  }
}

/// Legs are computed side by side only where nothing but their places differs.
TEST(ParallelRobotsLegs, MayDiffer) {
  const auto changed = [](auto&& change) {
    ModelSpec spec = shipped_model("gough_stewart").spec();
    for (LinkSpec& link : spec.links) change(link);
    return build_model(spec);
  };
  expect_as_general(Mechanism(changed([](LinkSpec& link) {
                      if (link.name == "piston2" || link.name == "piston5") link.mass *= 3;
                    })),
                    1);
  expect_as_general(Mechanism(changed([](LinkSpec& link) {
                      link.joint.dofs.resize(std::size_t(velocity_count(link.joint.type)));
                      if (link.name != "piston3") return;
                      DofSpec& motor = link.joint.dofs[0];
                      motor.rotor_inertia = 5, motor.viscous = 40, motor.coulomb = 3, motor.friction_width = 0.1;
                      motor.stiffness = 700, motor.rest = 1;
                    })),
                    2);
  expect_as_general(Mechanism(changed([](LinkSpec& link) {
                      if (link.name == "cylinder4") link.joint.axis = {0, 1, 0}, link.joint.axis2 = {1, 0, 0};
                    })),
                    3);
  // All alike, with everything that joints can have.
  expect_as_general(Mechanism(changed([](LinkSpec& link) {
                      link.joint.dofs.resize(std::size_t(velocity_count(link.joint.type)));
                      if (link.joint.type == JointType::free) return;
                      for (DofSpec& dof : link.joint.dofs) {
                        dof.rotor_inertia = 0.3, dof.viscous = 2, dof.coulomb = 1, dof.friction_width = 0.1;
                        dof.stiffness = 20, dof.rest = 0.2, dof.ligament = 5, dof.slack_lower = -0.1,
                        dof.slack_upper = 0.1;
                      }
                    })),
                    4);
  // Nothing at right angles, through one point or symmetric; the balls are beside the pistons.
  ModelSpec skew = changed([](LinkSpec& link) {
                     if (link.joint.type == JointType::free) return;
                     link.com = {0.03, -0.02, link.com.z};
                     link.inertia = {0.09, 0.004, -0.003, 0.07, 0.002, 0.03};
                     if (link.joint.type == JointType::prismatic) link.X_PJ.p = {0.02, 0.01, 0.03};
                     if (link.joint.type == JointType::prismatic) link.joint.axis = {0.1, -0.05, 1};
                     if (link.joint.type == JointType::universal) link.joint.axis = {1, 0.2, 0.1};
                   }).spec();
  for (LoopSpec& loop : skew.loops) loop.a.X_LF.p = {0.02, -0.03, 0.01};
  expect_as_general(Mechanism(build_model(skew)), 5);
  // Screws in place of sliding joints.
  expect_as_general(Mechanism(changed([](LinkSpec& link) {
                      if (link.joint.type != JointType::prismatic) return;
                      link.joint.type = JointType::helical, link.joint.pitch = 0.8;
                    })),
                    6);
}

/// Universal joints with a slider have formulas of their own, wherever they stand; what is not quite one has not.
TEST(ParallelRobotsLegs, OfAUniversalJointAndASlider) {
  const auto changed = [](auto&& change, double along = 0) {
    ModelSpec spec = shipped_model("gough_stewart").spec();
    spec.gravity = {2, -3, -9};
    for (LinkSpec& link : spec.links) {
      if (link.joint.type != JointType::free) change(link, link.joint.type == JointType::prismatic);
    }
    for (LoopSpec& loop : spec.loops) loop.a.X_LF.p = {0, 0, along};
    return Mechanism(build_model(spec));
  };
  const auto has_formulas = [](const Mechanism& mechanism) {
    return ParallelRobot::recognise(mechanism)->parts().plan.packs[0].slider != nullptr;
  };
  const Mechanism made_so[] = {
      // First axes in other directions, and the ball beside the piston's origin.
      changed(
          [](LinkSpec& link, bool slides) {
            if (!slides) link.joint.axis = {0.6, 0.8, 0}, link.joint.axis2 = {-0.8, 0.6, 0};
          },
          0.1),
      changed([](LinkSpec& link, bool slides) {
        if (!slides) link.joint.axis = {0, -1, 0}, link.joint.axis2 = {1, 0, 0};
      }),
      // Bodies with three moments of inertia.
      changed([](LinkSpec& link, bool slides) { link.inertia = {slides ? 0.06 : 0.09, 0, 0, 0.05, 0, 0.03}; }),
  };
  for (const Mechanism& mechanism : made_so) {
    EXPECT_TRUE(has_formulas(mechanism));
    expect_as_general(mechanism, 7);
  }
  EXPECT_FALSE(has_formulas(changed([](LinkSpec& link, bool slides) {
    if (slides) link.com.x = 1e-6;
  })));
  EXPECT_FALSE(has_formulas(changed([](LinkSpec& link, bool slides) {
    if (slides) link.joint.axis = {0, 1e-6, 1};
  })));
  EXPECT_FALSE(has_formulas(changed([](LinkSpec& link, bool slides) {
    if (!slides) link.joint.axis = {1, 1e-6, 0};
  })));
}

/// A rocker that is driven, and drives two cranks: the motor is the platform's.
TEST(ParallelRobotsLegs, ThePlatformMayHaveTheMotor) {
  ModelSpec spec = shipped_model("four_bar").spec();
  const std::vector<LinkSpec> links = spec.links;
  for (LinkSpec& link : spec.links) link.joint.actuated = link.name == "rocker";
  for (LinkSpec link : links) {
    if (link.name != "crank" && link.name != "coupler") continue;
    link.joint.actuated = false;
    link.name += "2", link.joint.name += "2", link.mass *= 1.5;
    if (link.parent == "crank") link.parent += "2";
    spec.links.push_back(link);
  }
  LoopSpec loop = spec.loops.at(0);
  loop.name += "2";
  for (LoopEnd* end : {&loop.a, &loop.b}) {
    if (end->link == "coupler") end->link += "2";
  }
  spec.loops.push_back(loop);
  const std::vector<HomeSpec> home = spec.home;
  for (HomeSpec at : home) {
    if (at.joint.starts_with("rocker")) continue;
    at.joint += "2";
    spec.home.push_back(at);
  }
  spec.independent.clear();
  expect_as_general(Mechanism(build_model(spec)), 5);
}

TEST(ParallelRobotsMemory, NothingIsAllocatedAndOutputsMayBeInputs) {
  const Mechanism mechanism(shipped_model("gough_stewart"));
  auto robot = ParallelRobot::recognise(mechanism);
  ASSERT_TRUE(robot);
  std::mt19937_64 rng(6);
  ClosedState s = closed_state(mechanism, rng, 0.1);
  const Loads<double> loads = random_loads(mechanism.model(), rng, 2);
  Eigen::VectorXd tau(6), a(mechanism.model().nv());
  const long before = allocation_count();
  for (LoadsIn<double> given : {static_cast<LoadsIn<double>>(nullptr), &loads}) {
    inverse_dynamics(*robot, s.q, s.v, s.a, tau, given);
    forward_dynamics(*robot, s.q, s.v, s.tau, a, given);
  }
  EXPECT_EQ(allocation_count(), before);
  forward_dynamics(*robot, s.q, s.v, s.tau, s.v, &loads);
  EXPECT_EQ(s.v, a);
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
  MechanismBatch batch(mechanism, 3);
  for (int k = 0; k < 3; ++k) batch.tree.q.set(k, k == 1 ? q : mechanism.home().eigen());
  for (const auto call : {+[](ParallelRobot&r, MechanismBatch&b) { inverse_dynamics(r, b); },
                          +[](ParallelRobot&r, MechanismBatch&b) { forward_dynamics(r, b); }}) {
    const std::string text = complaint<InputError>([&] { call(*robot, batch); });
    EXPECT_NE(text.find("state 1: "), std::string::npos) << text;
  }
}

TEST(ParallelRobotsInput, BatchesAreOfTheSameMechanism) {
  const auto robot = ParallelRobot::recognise(Mechanism(shipped_model("gough_stewart")));
  ASSERT_TRUE(robot);
  MechanismBatch batch(Mechanism(shipped_model("delta")), 3);
  EXPECT_NE(complaint<std::invalid_argument>([&] { inverse_dynamics(*robot, batch); }).find("robot's mechanism"),
            std::string::npos);
}

}  // namespace
}  // namespace verne::test
