/// Simulated motions against closed forms, and against what they must conserve.
#include "verne/simulate/simulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "structures/closed_dynamics.h"
#include "structures/contacts.h"
#include "support/complaint.h"
#include "support/paths.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

Model simulated_model(const std::string& name) {
  return load_model(source_dir() + "/models/" + name + ".yaml");
}

const TorqueLaw kNoTorques = [](double, std::span<const double>, std::span<const double>, std::span<double>) {};

Model model_from(const std::string& text) {
  Diagnostics diagnostics("model.yaml");
  return build_model(read_yaml(text, "model.yaml", diagnostics));
}

/// A mass on a spring with a damper, on a slider.
Model oscillator(double viscous) {
  const std::string text =
      "format: verne-model/1\nname: slider\nconvention: tree\ngravity: [0, 0, 0]\n"
      "links:\n  - name: mass\n    joint: {name: x, type: prismatic, axis: [1, 0, 0], stiffness: 8, "
      "rest: 0.5, friction: {viscous: " +
      std::to_string(viscous) + "}, limits: {position: [-0.2, 3]}}\n    mass: 2\n";
  return model_from(text);
}

Model cart() {
  return model_from(
      "format: verne-model/1\nname: cart\nconvention: tree\ngravity: [0, 0, 0]\nlinks:\n  - name: mass\n    joint: "
      "{name: x, type: prismatic, axis: [1, 0, 0]}\n    mass: 2\n");
}

TEST(Simulate, DampedOscillator) {
  const double c = 0.8, m = 2, k = 8, x0 = 2.5, decay = c / (2 * m), w = std::sqrt(k / m - decay * decay);
  const Model model = oscillator(c);
  const SimulatedMotion out = simulate(Mechanism(model), Values{x0}, Values{0.0}, kNoTorques, {.duration = 7});
  ASSERT_EQ(out.end, SimulatedMotion::End::finished);
  ASSERT_EQ(out.time.size(), 201);
  EXPECT_EQ(out.time[200], 7);
  for (int i = 0; i < 201; ++i) {
    const double t = out.time[i];
    const double x = 0.5 + (x0 - 0.5) * std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
    EXPECT_NEAR(out.q(0, i), x, 1e-7);
  }
  EXPECT_LT(out.energy_drift, 1e-7 * out.energy_scale);  // friction is accounted for
  EXPECT_GT(out.energy_scale, 5);
}

TEST(Simulate, StopsAtLimits) {
  const Model model = oscillator(0);
  SimulateOptions options{.duration = 7};
  options.stop_at_limits = true;
  const SimulatedMotion out = simulate(Mechanism(model), Values{2.5}, Values{0.0}, kNoTorques, options);
  EXPECT_EQ(out.end, SimulatedMotion::End::limit);
  // 0.5 + 2 cos 2t = -0.2
  EXPECT_NEAR(out.time[out.time.size() - 1], std::acos(-0.35) / 2, 1e-7);
  EXPECT_NEAR(out.q(0, out.q.cols() - 1), -0.2, 1e-9);
  EXPECT_NE(out.message.find("'x'"), std::string::npos) << out.message;
  EXPECT_NE(complaint<InputError>([&] {
              simulate(Mechanism(model), Values{4.0}, Values{0.0}, kNoTorques, options);
            }).find("beyond a limit"),
            std::string::npos);
}

/// Who stands on a limit and moves out of it stops at once; who moves inwards, or stands there, does not.
TEST(Simulate, StopsWhereItStartsOnALimit) {
  const Model model = oscillator(0);
  SimulateOptions options{.duration = 0.5};
  options.stop_at_limits = true;
  const SimulatedMotion out = simulate(Mechanism(model), Values{3.0}, Values{0.5}, kNoTorques, options);
  EXPECT_EQ(out.end, SimulatedMotion::End::limit);
  EXPECT_LT(out.time[out.time.size() - 1], 1e-8);
  EXPECT_NEAR(out.q(0, out.q.cols() - 1), 3, 1e-9);
  const SimulatedMotion back = simulate(Mechanism(model), Values{3.0}, Values{-0.5}, kNoTorques, options);
  EXPECT_EQ(back.end, SimulatedMotion::End::finished) << back.message;
  // 0.5 + 2.5 cos 2t - 0.25 sin 2t = -0.2 with more time
  options.duration = 3;
  const SimulatedMotion other = simulate(Mechanism(model), Values{3.0}, Values{-0.5}, kNoTorques, options);
  EXPECT_EQ(other.end, SimulatedMotion::End::limit);
  const double size = std::hypot(2.5, 0.25), at = (std::acos(-0.7 / size) - std::atan2(0.25, 2.5)) / 2;
  EXPECT_NEAR(other.time[other.time.size() - 1], at, 1e-7);
}

/// Rotors store energy, also those of joints that follow others; the drift is what the integration loses, no more.
TEST(Simulate, RotorsHaveEnergy) {
  const Model follower = model_from(R"(format: verne-model/1
name: follower
convention: tree
gravity: [0, 0, -9.81]
links:
  - {name: one, joint: {name: leader, type: revolute, axis: [0, 1, 0], rotor_inertia: 0.3}, mass: 1, com: [0.2, 0, 0]}
  - {name: two, parent: one, pose: {xyz: [0.4, 0, 0]}, joint: {name: follower, type: revolute, axis: [0, 1, 0],
     rotor_inertia: 0.7, mimic: {joint: leader, ratio: -2}}, mass: 0.5, com: [0.1, 0, 0]}
)");
  const auto drift = [](const Model& model) {
    Eigen::VectorXd q = neutral_configuration(model), v = Eigen::VectorXd::Zero(model.nv());
    for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = 0.3 - 0.2 * double(k % 3);
    const SimulatedMotion out = simulate(Mechanism(model), q, v, kNoTorques, {.duration = 0.5, .samples = 11});
    EXPECT_EQ(out.end, SimulatedMotion::End::finished) << out.message;
    EXPECT_GT(out.energy_scale, 0.01);
    return out.energy_drift / out.energy_scale;
  };
  EXPECT_LT(drift(follower), 1e-6);
  EXPECT_LT(drift(simulated_model("puma560")), 1e-6);
  EXPECT_LT(drift(simulated_model("elastic_arm")), 1e-6);
}

/// A mass whose push grows with its speed has an infinite one at 1 s: what was reached between samples is kept.
TEST(Simulate, KeepsTheLastGoodState) {
  const Model model = cart();
  const TorqueLaw law = [](double, std::span<const double>, std::span<const double> v, std::span<double> tau) {
    tau[0] = 2 * v[0] * v[0];
  };
  const SimulatedMotion out =
      simulate(Mechanism(model), Values{0.0}, Values{1.0}, law, {.duration = 2.9, .samples = 3});  // v = 1 / (1 - t)
  EXPECT_EQ(out.end, SimulatedMotion::End::failed);
  ASSERT_EQ(out.time.size(), 2);
  EXPECT_NEAR(out.time[1], 1, 1e-3);
  EXPECT_GT(out.v(0, 1), 1000);
}

/// Many periods between two samples take more steps than any motion that goes astray may.
TEST(Simulate, TakesAsManyStepsAsItNeeds) {
  const Model model = oscillator(0);
  const double w = 2;
  const int periods = 700;
  SimulateOptions options{.duration = periods * 2 * M_PI / w, .samples = 2};
  int asked = 0;
  options.progress = [&](double) { return ++asked > 0; };
  const SimulatedMotion out = simulate(Mechanism(model), Values{2.5}, Values{0.0}, kNoTorques, options);
  ASSERT_EQ(out.end, SimulatedMotion::End::finished) << out.message;
  EXPECT_NEAR(out.q(0, 1), 2.5, 1e-3);
  EXPECT_GT(asked, 21);  // every thousand steps
  // Which is where it can be interrupted, and what was computed so far is kept.
  options.progress = [&](double t) { return t < options.duration / 2; };
  const SimulatedMotion half = simulate(Mechanism(model), Values{2.5}, Values{0.0}, kNoTorques, options);
  EXPECT_EQ(half.end, SimulatedMotion::End::interrupted);
  ASSERT_EQ(half.time.size(), 2);
  EXPECT_GT(half.time[1], options.duration / 2);
  EXPECT_LT(half.time[1], options.duration);
}

/// An interrupt is noticed soon also where rates take long: between two questions are so many of them at most, with
/// contacts that are held and either method.
TEST(Simulate, AsksOften) {
  const Model model = simulated_model("humanoid");
  const Eigen::VectorXd q = neutral_configuration(model), v = Eigen::VectorXd::Zero(model.nv());
  std::vector<int> feet;
  for (std::size_t k = 0; k < model.contacts().size(); ++k) {
    if (model.contacts()[k].name.starts_with("stance_")) feet.push_back(static_cast<int>(k));
  }
  const Mechanism mechanism(build_model(with_held_contacts(model, feet, q)));
  for (const SimulationMethod method : {SimulationMethod::explicit_only, SimulationMethod::implicit_only}) {
    int rates = 0, most = 0, asked = 0;
    const TorqueLaw law = [&](double, auto, auto, auto) { ++rates; };
    SimulateOptions options{.duration = 100, .samples = 2, .method = method};
    options.progress = [&](double) {
      most = std::max(most, std::exchange(rates, 0));
      return ++asked < 4;
    };
    const SimulatedMotion out = simulate(mechanism, q, v, law, options);
    EXPECT_EQ(out.end, SimulatedMotion::End::interrupted) << out.message;
    EXPECT_GT(most, 50);
    EXPECT_LT(most, 1500);
  }
}

/// What many periods at a rough tolerance make of the energy is not called simulated.
TEST(Simulate, FailsWhereEnergyIsLost) {
  const SimulatedMotion out =
      simulate(Mechanism(oscillator(0)), Values{2.5}, Values{0.0}, kNoTorques,
               {.duration = 3000, .samples = 11, .tolerance = 1e-5, .method = SimulationMethod::implicit_only});
  EXPECT_GT(out.energy_drift, 1e-2 * out.energy_scale);
  EXPECT_EQ(out.end, SimulatedMotion::End::failed);
  EXPECT_NE(out.message.find("energy is off by"), std::string::npos) << out.message;
  ASSERT_EQ(out.time.size(), 11);  // all of it is given out
  EXPECT_EQ(out.time[10], 3000);
}

/// A jump of the torques that is told is met exactly: a mass that is pushed for a second.
TEST(Simulate, KnowsOfJumps) {
  const Model model = cart();
  const TorqueLaw law = [](double t, std::span<const double>, std::span<const double>, std::span<double> tau) {
    tau[0] = t < 1 ? 6 : 0;
  };
  SimulateOptions options{.duration = 3};
  options.jumps = {1.0};
  const SimulatedMotion out = simulate(Mechanism(model), Values{0.0}, Values{0.0}, law, options);
  EXPECT_NEAR(out.q(0, 200), 1.5 + 2 * 3, 1e-7);
  // Also where rounding puts it beside a sample.
  options.jumps = {std::nextafter(1.5, 0), std::nextafter(1.0, 2), 1.0, std::nextafter(1.5, 2)};
  options.samples = 7;
  const SimulatedMotion again = simulate(Mechanism(model), Values{0.0}, Values{0.0}, law, options);
  ASSERT_EQ(again.end, SimulatedMotion::End::finished) << again.message;
  EXPECT_NEAR(again.q(0, 6), 1.5 + 2 * 3, 1e-7);
}

/// What floats without torques keeps energy and momentum, with quaternions of length one.
TEST(Simulate, FreeBaseKeepsMomentum) {
  const Model model = simulated_model("space_arm");
  Eigen::VectorXd q = neutral_configuration(model), v = Eigen::VectorXd::Zero(model.nv());
  for (Eigen::Index k = 3; k < v.size(); ++k) v[k] = 0.1 * double(k % 4) - 0.15;
  const SimulatedMotion out = simulate(Mechanism(model), q, v, kNoTorques, {.duration = 5, .samples = 6});
  ASSERT_EQ(out.end, SimulatedMotion::End::finished) << out.message;
  Data<double> data(model);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  const WholeBodyState<double> first = whole_body_state(model, data, q, v, zero);
  for (int k = 1; k < 6; ++k) {
    const Eigen::VectorXd at = out.q.eigen().col(k), speed = out.v.eigen().col(k);
    const WholeBodyState<double> now = whole_body_state(model, data, at, speed, zero);
    EXPECT_NEAR((now.momentum - first.momentum).norm(), 0, 1e-6);
    EXPECT_NEAR((now.angular_momentum - first.angular_momentum).norm(), 0, 1e-6);
    EXPECT_NEAR(at.segment<4>(3).norm(), 1, 1e-12);
  }
  EXPECT_LT(out.energy_drift, 1e-7 * out.energy_scale + 1e-7);
}

/// The crank of a four-bar under gravity and no torque goes round; loops stay closed and energy is kept.
TEST(Simulate, LoopsStayClosed) {
  for (const char* const name : {"four_bar", "five_bar", "delta"}) {
    const Model model = simulated_model(name);
    const Mechanism mechanism(model);
    MechanismData<double> data(mechanism);
    const Eigen::VectorXd q = mechanism.home().eigen();
    Eigen::VectorXd v(model.nv()), a(model.nv());
    const Eigen::VectorXd speed = Eigen::VectorXd::Constant(mechanism.mobility(), 0.2),
                          none = Eigen::VectorXd::Zero(mechanism.mobility());
    closed_motion(mechanism, data, q, speed, none, v, a);
    const SimulatedMotion out = simulate(mechanism, q, v, kNoTorques, {.duration = 0.1, .samples = 11});
    ASSERT_EQ(out.end, SimulatedMotion::End::finished) << name << ": " << out.message;
    EXPECT_LT(out.loop_drift, 1e-11) << name;
    EXPECT_LT(out.energy_drift, 1e-6 * out.energy_scale + 1e-8) << name;
    EXPECT_GT(out.energy_scale, 0.01) << name;
  }
}

/// As its independent coordinate alone: the equation of motion of a slider-crank in one variable.
TEST(Simulate, AsInIndependentCoordinates) {
  const Model model = simulated_model("slider_crank");
  const Mechanism mechanism(model);
  MechanismData<double> data(mechanism);
  const Eigen::VectorXd home = mechanism.home().eigen();
  const SimulatedMotion out = simulate(mechanism, home, Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())), kNoTorques,
                                       {.duration = 0.5, .samples = 3});
  ASSERT_EQ(out.end, SimulatedMotion::End::finished);
  // Runge and Kutta's method of fourth order on (q, v) of the crank.
  const int crank = mechanism.independent()[0];
  Eigen::VectorXd guess = home;
  const auto rate = [&](const Eigen::Vector2d& x) {
    Eigen::VectorXd q(model.nq()), v(model.nv()), a(model.nv());
    const Eigen::VectorXd tau = Eigen::VectorXd::Zero(1);
    assemble(mechanism, data, Eigen::VectorXd::Constant(1, x[0]), guess, q);
    guess = q;
    closed_motion(mechanism, data, q, Eigen::VectorXd::Constant(1, x[1]), Eigen::VectorXd::Zero(1), v, a);
    forward_dynamics(mechanism, data, q, v, tau, a);
    return Eigen::Vector2d(x[1], a[crank]);
  };
  Eigen::Vector2d x(home[crank], 0);
  const int steps = 500;
  const double h = 0.5 / steps;
  for (int k = 0; k < steps; ++k) {
    const Eigen::Vector2d k1 = rate(x), k2 = rate(x + h / 2 * k1), k3 = rate(x + h / 2 * k2), k4 = rate(x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  EXPECT_NEAR(out.q(crank, 2), x[0], 1e-7);
  EXPECT_NEAR(out.v(crank, 2), x[1], 1e-6);
}

/// A foot that is held stays where it is while the rest falls.
TEST(Simulate, HeldContactsStay) {
  const Model model = simulated_model("quadruped");
  Eigen::VectorXd q = neutral_configuration(model);
  for (const Joint& joint : model.joints()) {
    if (joint.spec.name.find("knee") != std::string::npos) q[joint.q] = -1.2;
  }
  const std::vector<int> held{0, 3};
  const Mechanism mechanism(build_model(with_held_contacts(model, held, q)));
  const SimulatedMotion out = simulate(mechanism, q, Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())), kNoTorques,
                                       {.duration = 0.1, .samples = 3});
  ASSERT_EQ(out.end, SimulatedMotion::End::finished) << out.message;
  EXPECT_LT(out.loop_drift, 1e-11);
  EXPECT_LT(out.energy_drift, 1e-6);
  EXPECT_EQ(out.loop_wrenches.rows(), 12);
  Eigen::VectorXd fast = Eigen::VectorXd::Constant(model.nv(), 0.1);
  EXPECT_NE(complaint<InputError>([&] { simulate(mechanism, q, fast, kNoTorques); }).find("move a contact"),
            std::string::npos);
}

/// A mass is pushed for a second, then carries three more kilograms and something pulls back: closed form.
TEST(Simulate, PhasesCarryAndPull) {
  const Model light = cart();
  ModelSpec spec = light.spec();
  spec.links[1].mass = 5;
  const TorqueLaw push = [](double, std::span<const double>, std::span<const double>, std::span<double> tau) {
    tau[0] = 4;
  };
  SimulationPhase loaded{Mechanism(build_model(spec)), push};
  loaded.loads.add({1, {-14, 0, 0}, {0, 0, 0}, {0, 0, 0}, At::link});
  const double nearly_one = std::nextafter(1.0, 0.0);  // as rounding leaves the end of a phase
  const SimulatedMotion out = simulate({{Mechanism(light), push, {}, nearly_one}, loaded}, Values{0.0}, Values{0.0},
                                       {.duration = 2, .samples = 9});
  ASSERT_EQ(out.end, SimulatedMotion::End::finished) << out.message;
  for (int i = 0; i < 9; ++i) {
    const double t = out.time[i], since = t - 1;
    EXPECT_NEAR(out.q(0, i), since < 0 ? t * t : 1 + 2 * since - since * since, 1e-9);
    EXPECT_NEAR(out.a(0, i), since < 0 ? 2 : -2, 1e-12);  // at one second the later phase counts
  }
  EXPECT_LT(out.energy_drift, 1e-8);
  EXPECT_NEAR(out.energy_scale, 10, 1e-6);  // of five kilograms at 2 m/s, and the work that takes it away
}

/// A mass that is held for a second, then falls: what the contact bears is its weight, then nothing.
TEST(Simulate, PhasesHoldAndLetGo) {
  const Model model = model_from(
      "format: verne-model/1\nname: lift\nconvention: tree\ngravity: [0, 0, -10]\nlinks:\n"
      "  - {name: slide, joint: {name: x, type: prismatic, axis: [1, 0, 0], actuated: false}, mass: 1}\n"
      "  - {name: mass, parent: slide, joint: {name: z, type: prismatic, axis: [0, 0, 1], actuated: false}, mass: 2}\n"
      "  - {name: wheel, parent: mass, joint: {name: spin, type: revolute, axis: [0, 1, 0], actuated: false}, mass: "
      "1,\n"
      "     inertia: [1, 1, 1]}\n"
      "contacts: [{name: hook, link: mass, type: point}]\n");
  const std::vector<int> hook{0};
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(3);
  const Mechanism held(build_model(with_held_contacts(model, hook, q)));
  const SimulatedMotion out = simulate({{held, kNoTorques, {}, 1.0}, {Mechanism(model), kNoTorques}}, q,
                                       Values{0.0, 0.0, 3.0}, {.duration = 2, .samples = 9});
  ASSERT_EQ(out.end, SimulatedMotion::End::finished) << out.message;
  ASSERT_EQ(out.loops, std::vector<std::string>{"hook"});
  for (int i = 0; i < 9; ++i) {
    const double since = std::max(0.0, out.time[i] - 1);
    EXPECT_NEAR(out.q(1, i), -5 * since * since, 1e-9);
    EXPECT_NEAR(out.q(2, i), 3 * out.time[i], 1e-9);
    EXPECT_NEAR(out.loop_wrenches(2, i), out.time[i] < 1 ? 30 : 0, 1e-9);
  }
  // What is held again has to be where the contact is.
  const SimulatedMotion back = simulate({{Mechanism(model), kNoTorques, {}, 1.0}, {held, kNoTorques}}, q,
                                        Values{0.5, 0.0, 3.0}, {.duration = 2});
  EXPECT_EQ(back.end, SimulatedMotion::End::failed);
  EXPECT_NEAR(back.time[back.time.size() - 1], 1, 1e-12);
  EXPECT_NE(back.message.find("open by 5"), std::string::npos) << back.message;
}

/// Torques that grow with the speed end it; what was computed is kept.
TEST(Simulate, BlowsUpGracefully) {
  const Model model = simulated_model("two_link");
  const TorqueLaw law = [](double, std::span<const double>, std::span<const double> v, std::span<double> tau) {
    tau[0] = 50 * v[0] * v[0] + 1;
  };
  const SimulatedMotion out =
      simulate(Mechanism(model), Values{0.0, 0.3}, Values{0.0, 0.0}, law, {.duration = 10, .samples = 1001});
  EXPECT_EQ(out.end, SimulatedMotion::End::failed);
  EXPECT_FALSE(out.message.empty());
  EXPECT_GT(out.time.size(), 2);
  EXPECT_LT(out.time[out.time.size() - 1], 10);
  EXPECT_TRUE(out.q.eigen().allFinite());
}

}  // namespace
}  // namespace verne::test
