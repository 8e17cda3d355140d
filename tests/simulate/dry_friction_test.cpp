/// Simulations with Coulomb friction without width, against closed forms, all combinations of sticking and slipping,
/// and the balance of energy.
#include <gtest/gtest.h>

#include <cmath>

#include "simulate/friction_oracle.h"
#include "structures/contacts.h"
#include "structures/random_mechanisms.h"
#include "support/real_robots.h"
#include "verne/io/model_io.h"
#include "verne/simulate/simulate.h"

namespace verne::test {
namespace {

using End = SimulatedMotion::End;

TorqueLaw law_of_time(const std::function<double(double)>& torque) {
  return [torque](double t, std::span<const double>, std::span<const double>, std::span<double> tau) {
    tau[0] = torque(t);
  };
}
const TorqueLaw kIdle = [](double, std::span<const double>, std::span<const double>, std::span<double>) {};

Model model_of(const std::string& text) {
  Diagnostics diagnostics("model.yaml");
  return build_model(read_yaml(text, "model.yaml", diagnostics));
}

/// 2 kg on a slider along x, with this for its joint.
Model block(const std::string& joint, const char* gravity = "[0, 0, 0]") {
  return model_of(std::string("format: verne-model/1\nname: block\nconvention: tree\ngravity: ") + gravity +
                  "\nlinks:\n  - {name: mass, joint: {name: x, type: prismatic, axis: [1, 0, 0], " + joint +
                  "}, mass: 2}\n");
}

/// Thrown up a slope of 3 m/s² against gravity: stops at v0 / (3 + c/m), then stays or slides back.
TEST(DryFriction, BlockOnASlope) {
  const double v0 = 1.9, pull = 3, m = 2;
  for (const double c : {8.0, 2.0}) {
    const Model model = block("friction: {coulomb: " + std::to_string(c) + "}", "[-3, 0, 0]");
    const SimulatedMotion out = simulate(Mechanism(model), Values{0.0}, Values{v0}, kIdle, {.duration = 2});
    ASSERT_EQ(out.end, End::finished) << out.message;
    const double stop = v0 / (pull + c / m), top = v0 * stop / 2, back = std::max(0.0, pull - c / m);
    for (int i = 0; i < out.time.size(); ++i) {
      const double t = out.time[i], since = t - stop;
      const double x = since < 0 ? v0 * t - (pull + c / m) * t * t / 2 : top - back * since * since / 2;
      EXPECT_NEAR(out.q(0, i), x, 1e-9);
      EXPECT_NEAR(out.a(0, i), since < 0 ? -(pull + c / m) : -back, 1e-9);
    }
    if (back == 0) {
      EXPECT_EQ(out.v(0, 200), 0);
      EXPECT_EQ(out.q(0, 200), out.q(0, 150));
    }
    EXPECT_LT(out.energy_drift, 1e-8);
    EXPECT_GT(out.energy_scale, 1);
  }
}

/// Coulomb and viscous friction together stop a block after (m / b) ln(1 + b v0 / c).
TEST(DryFriction, BlockInOil) {
  const double m = 2, b = 1.5, c = 0.7, v0 = 3;
  const Model model = block("friction: {coulomb: 0.7, viscous: 1.5}");
  const SimulatedMotion out = simulate(Mechanism(model), Values{0.0}, Values{v0}, kIdle, {.duration = 5});
  ASSERT_EQ(out.end, End::finished) << out.message;
  const double stop = m / b * std::log(1 + b * v0 / c), way = m * v0 / b - c / b * stop;
  for (int i = 0; i < out.time.size(); ++i) {
    const double t = std::min(out.time[i], stop);
    EXPECT_NEAR(out.v(0, i), (v0 + c / b) * std::exp(-b / m * t) - c / b, 1e-8);
  }
  EXPECT_NEAR(out.q(0, 200), way, 1e-8);
  EXPECT_EQ(out.v(0, 200), 0);
  EXPECT_LT(out.energy_drift, 1e-7 * out.energy_scale);
}

/// Each half period takes 2 c / k off the amplitude, until the spring pulls by less than c.
TEST(DryFriction, Oscillator) {
  const double m = 2, k = 8, c = 1.2, half = M_PI / std::sqrt(k / m);
  const Model model = block("stiffness: 8, friction: {coulomb: 1.2}");
  const SimulatedMotion out = simulate(Mechanism(model), Values{1.0}, Values{0.0}, kIdle, {.duration = 10 * half});
  ASSERT_EQ(out.end, End::finished) << out.message;
  for (int i = 0; i < out.time.size(); ++i) {
    double amplitude = 1, sign = 1, t = out.time[i];
    while (t > half && amplitude > c / k) t -= half, amplitude -= 2 * c / k, sign = -sign;
    const double x = amplitude <= c / k ? amplitude : c / k + (amplitude - c / k) * std::cos(std::sqrt(k / m) * t);
    EXPECT_NEAR(out.q(0, i), sign * x, 1e-7) << i;
  }
  EXPECT_NEAR(out.q(0, 200), -(1 - 6 * c / k), 1e-7);  // stays at its third turn, where the spring pulls by 0.8 N
  EXPECT_EQ(out.v(0, 200), 0);
  EXPECT_LT(out.energy_drift, 1e-7 * out.energy_scale);
}

/// A pull that grows slowly breaks it loose when it exceeds friction, not before and not later.
TEST(DryFriction, BreaksLoose) {
  const Model model = block("friction: {coulomb: 5}");
  const auto pull = [](double t) { return 2 * t; };
  const SimulatedMotion out = simulate(Mechanism(model), Values{0.0}, Values{0.0}, law_of_time(pull), {.duration = 4});
  ASSERT_EQ(out.end, End::finished) << out.message;
  for (int i = 0; i < out.time.size(); ++i) {
    const double since = std::max(0.0, out.time[i] - 2.5);
    EXPECT_NEAR(out.q(0, i), since * since * since / 6, 1e-8);  // 2 kg under 2 N/s
    EXPECT_EQ(out.tau(0, i), pull(out.time[i]));                // of the motor, whatever friction does
  }
}

/// While all stands nothing of the motion limits the steps: a pull that exceeds friction for a moment in each of its
/// turns, between two samples, is not leapt over.
TEST(DryFriction, SeesWhatPassesWhileItStands) {
  const double m = 2, c = 5, most = 5.1, w = 3;
  const Model model = block("friction: {coulomb: 5}");
  const auto pull = [&](double t) { return most * std::sin(w * t); };
  const SimulatedMotion out =
      simulate(Mechanism(model), Values{0.0}, Values{0.0}, law_of_time(pull), {.duration = 20, .samples = 2});
  ASSERT_EQ(out.end, End::finished) << out.message;
  // Once: loose from t0 on, until ∫ (pull − c) dt is zero again at t1, found by bisection.
  const double t0 = std::asin(c / most) / w;
  const auto speed = [&](double t) { return (most / w * (std::cos(w * t0) - std::cos(w * t)) - c * (t - t0)) / m; };
  double t1 = M_PI / w - t0, late = M_PI / w;
  while (late - t1 > 1e-15) (speed((t1 + late) / 2) > 0 ? t1 : late) = (t1 + late) / 2;
  const double since = t1 - t0;
  const double way =
      (most / w * (std::cos(w * t0) * since - (std::sin(w * t1) - std::sin(w * t0)) / w) - c * since * since / 2) / m;
  EXPECT_GT(way, 1e-4);
  // 20 s are 19.1 half turns: ten to one side, nine to the other.
  EXPECT_NEAR(out.q(0, 1), way, 1e-8);
  EXPECT_EQ(out.v(0, 1), 0);
}

/// The case that was reported: a link that friction holds against a constant torque, and an arm against gravity.
TEST(DryFriction, HoldsForever) {
  const Model link = model_of(R"(format: verne-model/1
name: link
convention: tree
gravity: [0, 0, -9.81]
links:
  - {name: rod, joint: {name: turn, type: revolute, axis: [0, 1, 0], friction: {coulomb: 6}}, mass: 1, com: [0, 0, -0.3]}
)");
  const SimulatedMotion held =
      simulate(Mechanism(link), Values{0.2}, Values{0.0}, law_of_time([](double) { return 5.0; }), {.duration = 100});
  ASSERT_EQ(held.end, End::finished) << held.message;
  EXPECT_LT((held.q.eigen().array() - 0.2).abs().maxCoeff(), 1e-9);
  EXPECT_EQ(held.a.eigen().cwiseAbs().maxCoeff(), 0);

  ModelSpec spec = load_model(source_dir() + "/models/puma560.yaml").spec();
  for (LinkSpec& part : spec.links) {
    for (DofSpec& dof : part.joint.dofs) dof.coulomb = 80, dof.friction_width = 0;
  }
  const Model arm = build_model(spec);
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(arm.nq(), 0.3), v = Eigen::VectorXd::Zero(arm.nv());
  const SimulatedMotion out = simulate(Mechanism(arm), q, v, kIdle, {.duration = 100});
  ASSERT_EQ(out.end, End::finished) << out.message;
  EXPECT_LT((out.q.eigen().colwise() - q).cwiseAbs().maxCoeff(), 1e-9);
}

/// Friction of a joint and of those that follow it adds up, each by its ratio.
TEST(DryFriction, CoupledJoints) {
  const auto moves = [](double torque) {
    const Model model = model_of(R"(format: verne-model/1
name: follower
convention: tree
gravity: [0, 0, 0]
links:
  - {name: one, joint: {name: leader, type: prismatic, axis: [1, 0, 0], friction: {coulomb: 2}}, mass: 1}
  - {name: two, parent: one, joint: {name: follower, type: prismatic, axis: [1, 0, 0], friction: {coulomb: 1.5},
     mimic: {joint: leader, ratio: -2}}, mass: 3}
)");
    const SimulatedMotion out = simulate(Mechanism(model), Values{0.0}, Values{0.0},
                                         law_of_time([&](double) { return torque; }), {.duration = 2, .samples = 3});
    EXPECT_EQ(out.end, End::finished) << out.message;
    EXPECT_LT(out.energy_drift, 1e-8);
    return out.q(0, 2);
  };
  EXPECT_EQ(moves(4.99), 0);
  EXPECT_NEAR(moves(7), (7 - 5) / (1 + 3.0) * 2, 1e-8);  // the follower moves by −1 in the world
}

/// Coulomb friction without width on some joints: bounds of all velocities, zero for the others.
Model with_dry_friction(const Model& model, std::mt19937_64& rng, double size, int every) {
  ModelSpec spec = model.spec();
  int at = 0;
  for (LinkSpec& link : spec.links) {
    if (link.joint.mimic) continue;
    const int count = velocity_count(link.joint.type);
    if (link.joint.dofs.empty()) link.joint.dofs.resize(std::size_t(count));
    for (DofSpec& dof : link.joint.dofs) {
      dof.friction_width = 0;
      dof.coulomb = at++ % every == 0 ? random_number(rng, 0.1, 1) * size : 0;
    }
  }
  return build_model(spec);
}
std::vector<int> dry_velocities(const Model& model) {
  std::vector<int> velocities;
  for (int k = 0; k < model.nv(); ++k) {
    if (model.dofs()[std::size_t(k)].coulomb > 0) velocities.push_back(k);
  }
  return velocities;
}
Eigen::VectorXd bounds_of(const Model& model, const std::vector<int>& velocities) {
  Eigen::VectorXd bounds(Eigen::Index(velocities.size()));
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    bounds[Eigen::Index(i)] = model.dofs()[std::size_t(velocities[i])].coulomb;
  }
  return bounds;
}

SimulatedMotion first_moment(const Mechanism& mechanism, const Eigen::VectorXd& q, const Eigen::VectorXd& torques) {
  const TorqueLaw law = [&](double, std::span<const double>, std::span<const double>, std::span<double> tau) {
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] = torques[Eigen::Index(k)];
  };
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(mechanism.model().nv());
  return simulate(mechanism, q, rest, law, {.duration = 1e-3, .samples = 2});
}

/// Trees of all kinds of joints at rest: what sticks and what slips, and all accelerations.
TEST(DryFriction, TreesAtRestAsEnumerated) {
  std::mt19937_64 rng(6 + test_seed());
  int stuck = 0, slipping = 0;
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    RandomTreeOptions options;
    options.coupled_joints = i % 3 == 0, options.rotor_inertia = i % 2 == 0;
    const Model model = with_dry_friction(build_model(random_tree(rng, 1 + i % 5, options)), rng, 6, 1 + i % 2);
    const std::vector<int> dry = dry_velocities(model);
    if (dry.size() > 7) continue;
    Data<double> data(model);
    const Eigen::VectorXd q = random_state(model, rng).q, torques = random_values(rng, model.nv(), 4),
                          rest = Eigen::VectorXd::Zero(model.nv());
    const SimulatedMotion out = first_moment(Mechanism(model), q, torques);
    ASSERT_EQ(out.end, End::finished) << out.message;
    const Eigen::MatrixXd rows = Eigen::MatrixXd(Eigen::MatrixXd::Identity(model.nv(), model.nv()))(dry, Eigen::all);
    const Eigen::VectorXd expected = enumerated_accelerations(
        mass_matrix(model, data, q), torques - bias_torques(model, data, q, rest), rows, bounds_of(model, dry));
    EXPECT_LT((out.a.eigen().col(0) - expected).cwiseAbs().maxCoeff(), 1e-9 * (1 + expected.cwiseAbs().maxCoeff()));
    for (const int k : dry) (out.a(k, 0) == 0 ? stuck : slipping) += 1;
  }
  EXPECT_GT(stuck, 20);
  EXPECT_GT(slipping, 20);
}

/// What is closed at home or stands on two feet, or a random chain with a loop of some kind.
Mechanism dry_mechanism(int i, std::mt19937_64& rng) {
  const std::string name =
      std::vector<std::string>{"four_bar", "slider_crank", "five_bar", "sr400", "quadruped", ""}[i % 6];
  const LoopType closing = std::vector<LoopType>{LoopType::spherical, LoopType::revolute, LoopType::point_on_line,
                                                 LoopType::planar}[i / 6 % 4];
  const Model plain = name.empty() ? sound_chain(rng, {{closing, 1, 7}}) : shipped_model(name);
  const Model model = with_dry_friction(plain, rng, i % 2 == 0 ? 3 : 30, 1 + plain.nv() / 6);
  if (name != "quadruped") return Mechanism(model);
  Eigen::VectorXd q = neutral_configuration(model);
  for (const Joint& joint : model.joints()) {
    if (joint.spec.name.find("knee") != std::string::npos) q[joint.q] = -1.2;
  }
  return Mechanism(build_model(with_held_contacts(model, std::vector<int>{0, 3}, q)));
}

/// The same with loops, which tie joints at rest to each other, also passive ones, and with feet that are held.
TEST(DryFriction, LoopsAtRestAsEnumerated) {
  std::mt19937_64 rng(7 + test_seed());
  for (int i = 0; i < 48; ++i) {
    const Mechanism mechanism = dry_mechanism(i, rng);
    const Model& model = mechanism.model();
    SCOPED_TRACE(model.name() + " " + std::to_string(i));
    const Eigen::VectorXd q = i % 6 < 4 ? closed_state(mechanism, rng, 0.2).q : mechanism.home().eigen();
    MechanismData<double> data(mechanism);
    Data<double> tree(model);
    Eigen::VectorXd torques = Eigen::VectorXd::Zero(model.nv());
    for (const int k : mechanism.actuated()) torques[k] = random_number(rng, -10, 10);
    const SimulatedMotion out = first_moment(mechanism, q, torques);
    ASSERT_EQ(out.end, End::finished) << out.message;
    const std::vector<int> dry = dry_velocities(model);
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model.nv());
    const Eigen::MatrixXd G = closed_jacobian<double>(mechanism, data, q);
    const Eigen::VectorXd x = enumerated_accelerations(G.transpose() * mass_matrix(model, tree, q) * G,
                                                       G.transpose() * (torques - bias_torques(model, tree, q, rest)),
                                                       G(dry, Eigen::all), bounds_of(model, dry));
    const Eigen::VectorXd expected = G * x;
    EXPECT_LT((out.a.eigen().col(0) - expected).cwiseAbs().maxCoeff(), 1e-7 * (1 + expected.cwiseAbs().maxCoeff()));
  }
}

/// In motion: energy that friction takes is accounted for, through all changes between sticking and slipping, and what
/// has come to rest stays where it is.
TEST(DryFriction, KeepsTheBalanceOfEnergy) {
  std::mt19937_64 rng(8 + test_seed());
  for (int i = 0; i < 6; ++i) {
    SCOPED_TRACE(i);
    RandomTreeOptions options;
    if (i % 2 == 0) options.kinds = {JointType::revolute, JointType::prismatic};
    const Model model = with_dry_friction(build_model(random_tree(rng, 3 + int(test_seed() % 10), options)), rng, 6, 1);
    const State s = random_state(model, rng);
    const SimulatedMotion out = simulate(Mechanism(model), s.q, s.v, kIdle, {.duration = 2, .samples = 41});
    ASSERT_EQ(out.end, End::finished) << out.message;
    EXPECT_LT(out.energy_drift, 1e-6 * out.energy_scale + 1e-9);
  }
  for (const char* name : {"four_bar", "five_bar", "slider_crank"}) {
    SCOPED_TRACE(name);
    const Mechanism mechanism(with_dry_friction(shipped_model(name), rng, 0.2, 1));
    const ClosedState s = closed_state(mechanism, rng, 0.1);
    const SimulatedMotion out = simulate(mechanism, s.q, s.v, kIdle, {.duration = 2, .samples = 41});
    ASSERT_EQ(out.end, End::finished) << out.message;
    EXPECT_LT(out.energy_drift, 1e-6 * out.energy_scale + 1e-9);
    EXPECT_LT(out.loop_drift, 1e-10);
  }
}

/// A mechanism whose joints all stick, more of them than it can move, stays as it is.
TEST(DryFriction, HoldsLoops) {
  std::mt19937_64 rng(9 + test_seed());
  for (const char* name : {"four_bar", "five_bar", "delta"}) {
    const Mechanism mechanism(with_dry_friction(shipped_model(name), rng, 100, 1));
    const Eigen::VectorXd q = closed_state(mechanism, rng, 0.1).q, v = Eigen::VectorXd::Zero(mechanism.model().nv());
    const SimulatedMotion out = simulate(mechanism, q, v, kIdle, {.duration = 100, .samples = 11});
    ASSERT_EQ(out.end, End::finished) << name << ": " << out.message;
    EXPECT_LT((out.q.eigen().colwise() - q).cwiseAbs().maxCoeff(), 1e-9) << name;
  }
}

/// A joint that moves as it is told does so whatever its friction, which is a part of the torque that this takes; what
/// hangs on it sticks until it is shaken loose.
TEST(DryFriction, PrescribedJoints) {
  const Model model = model_of(R"(format: verne-model/1
name: carried
convention: tree
gravity: [0, 0, 0]
links:
  - {name: cart, joint: {name: base, type: prismatic, axis: [1, 0, 0], friction: {coulomb: 0.5}}, mass: 3}
  - {name: load, parent: cart, joint: {name: slide, type: prismatic, axis: [1, 0, 0], friction: {coulomb: 4}}, mass: 2}
)");
  SimulateOptions options{.duration = 2, .samples = 201};
  // x = t³/3: the load, which needs 4 t newtons, slips from 1 s on and then accelerates by 2 m/s².
  options.prescribed = {{model.joint("base")},
                        [](double t, std::span<double> q, std::span<double> v, std::span<double> a) {
                          q[0] = t * t * t / 3, v[0] = t * t, a[0] = 2 * t;
                        }};
  const SimulatedMotion out = simulate(Mechanism(model), Values{0.0, 0.0}, Values{0.0, 0.0}, kIdle, options);
  ASSERT_EQ(out.end, End::finished) << out.message;
  for (int i = 1; i < 201; ++i) {
    const double t = out.time[i], since = std::max(0.0, t - 1);
    EXPECT_NEAR(out.q(1, i), -since * since * since / 3, 1e-8);
    EXPECT_NEAR(out.tau(0, i), 3 * 2 * t + (since > 0 ? 4 : 4 * t) + 0.5, 1e-6);
  }
  EXPECT_LT(out.energy_drift, 1e-7);
}

/// Laws of torques that no steps follow end a motion, which says why: one that jumps with the sign of the speed, and
/// one that shakes a joint loose more often than can be waited for.
TEST(DryFriction, EndsWhereNoStepLeadsOn) {
  const TorqueLaw relay = [](double, std::span<const double>, std::span<const double> v, std::span<double> tau) {
    tau[0] = v[0] > 0 ? -3 : 3;
  };
  const auto expect_end = [](const char* friction, const TorqueLaw& law, double v, double at, const char* why) {
    const SimulatedMotion out = simulate(Mechanism(block(friction)), Values{0.0}, Values{v}, law, {.duration = 20});
    EXPECT_EQ(out.end, End::failed);
    EXPECT_NEAR(out.time[out.time.size() - 1], at, 1e-6);
    EXPECT_NE(out.message.find(why), std::string::npos) << out.message;
  };
  expect_end("friction: {viscous: 0.1}", relay, 1, 20 * std::log1p(0.1 / 3), "000 steps took it on by");
  expect_end("friction: {coulomb: 1}", relay, 1, 0.5, "200 changes between sticking and slipping of 'x' took it on by");
  expect_end("friction: {coulomb: 1}", law_of_time([](double t) { return 1e5 * std::sin(2e11 * t); }), 0, 0,
             "200 changes between sticking and slipping of 'x' took it on by");
}

/// Robots as their makers publish them, under gravity: some have friction without width in each joint.
TEST(DryFriction, RealRobots) {
  std::vector<std::string> files = real_urdf_files();
  VERNE_SKIP_WITHOUT_ROBOTS(files);
  int tried = 0;
  for (const std::string& file : files) {
    const Model model = load_model(file);
    if (dry_velocities(model).empty()) continue;
    SCOPED_TRACE(file);
    const SimulatedMotion out =
        simulate(Mechanism(model), neutral_configuration(model), Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())),
                 kIdle, {.duration = 1, .samples = 21, .tolerance = 1e-6});
    EXPECT_EQ(out.end, End::finished) << out.message;
    EXPECT_LT(out.energy_drift, 1e-3 * out.energy_scale + 1e-6);
    ++tried;
  }
  EXPECT_GT(tried, 3);
}

}  // namespace
}  // namespace verne::test
