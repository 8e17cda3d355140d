/// Simulations in which some joints move as they are told.
#include <gtest/gtest.h>

#include <cmath>

#include "structures/closed_dynamics.h"
#include "support/complaint.h"
#include "support/paths.h"
#include "verne/io/model_io.h"
#include "verne/simulate/simulate.h"

namespace verne::test {
namespace {

const TorqueLaw kNone = [](double, std::span<const double>, std::span<const double>, std::span<double>) {};

/// A rod that swings about y, hung 0.5 m below a slider along x, from its pivot.
constexpr double kCart = 3, kRod = 2, kLength = 0.5, kInertia = 0.07, kGravity = 9.81;
Model hung_rod() {
  Diagnostics diagnostics("model.yaml");
  return build_model(read_yaml(R"(format: verne-model/1
name: hung_rod
convention: tree
gravity: [0, 0, -9.81]
links:
  - {name: cart, joint: {name: slide, type: prismatic, axis: [1, 0, 0], actuated: false}, mass: 3}
  - {name: rod, parent: cart, joint: {name: swing, type: revolute, axis: [0, 1, 0], actuated: false}, mass: 2,
     com: [0, 0, -0.5], inertia: [0.07, 0.07, 0.01]}
)",
                               "model.yaml", diagnostics));
}

/// One coordinate as functions of time.
PrescribedMotion prescribed_joint(const Model& model, const char* joint,
                                  const std::function<Eigen::Vector3d(double)>& of_time) {
  return {{model.joint(joint)}, [of_time](double t, std::span<double> q, std::span<double> v, std::span<double> a) {
            const Eigen::Vector3d x = of_time(t);
            q[0] = x[0], v[0] = x[1], a[0] = x[2];
          }};
}

template <class Rate>
void runge_kutta(const Rate& rate, double from, double to, int steps, Eigen::Vector2d& x) {
  const double h = (to - from) / steps;
  for (int k = 0; k < steps; ++k) {
    const double t = from + h * k;
    const Eigen::Vector2d k1 = rate(t, x), k2 = rate(t + h / 2, x + h / 2 * k1), k3 = rate(t + h / 2, x + h / 2 * k2),
                          k4 = rate(t + h, x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
}

/// Lagrange's equations of the rod under a pivot that shakes, integrated by another method, and the force that it
/// takes.
TEST(Prescribed, PendulumOnAShakenPivot) {
  const double size = 0.1, w = 11;
  const auto pivot = [&](double t) {
    return Eigen::Vector3d(size * std::sin(w * t), size * w * std::cos(w * t), -size * w * w * std::sin(w * t));
  };
  const double inertia = kInertia + kRod * kLength * kLength;
  const auto swing = [&](double t, double angle) {
    return kRod * kLength * (pivot(t)[2] * std::cos(angle) - kGravity * std::sin(angle)) / inertia;
  };
  const Model model = hung_rod();
  SimulateOptions options{.duration = 3, .samples = 31};
  options.prescribed = prescribed_joint(model, "slide", pivot);
  const SimulatedMotion out = simulate(Mechanism(model), Values{0.0, 0.3}, Values{size * w, 0.0}, kNone, options);
  ASSERT_EQ(out.end, SimulatedMotion::End::finished) << out.message;
  Eigen::Vector2d x(0.3, 0);
  for (int i = 0; i < 31; ++i) {
    const double t = out.time[i], angle = out.q(1, i), rate = out.v(1, i);
    if (i > 0) {
      runge_kutta([&](double at, const Eigen::Vector2d& y) { return Eigen::Vector2d(y[1], swing(at, y[0])); },
                  out.time[i - 1], t, 400, x);
    }
    EXPECT_NEAR(angle, x[0], 1e-6);
    EXPECT_NEAR(out.q(0, i), pivot(t)[0], 1e-14);
    EXPECT_NEAR(out.v(0, i), pivot(t)[1], 1e-13);
    EXPECT_NEAR(out.tau(0, i),
                (kCart + kRod) * pivot(t)[2] - kRod * kLength * std::cos(angle) * swing(t, angle) +
                    kRod * kLength * std::sin(angle) * rate * rate,
                1e-9);
    EXPECT_EQ(out.tau(1, i), 0);
  }
  EXPECT_LT(out.energy_drift, 1e-7 * out.energy_scale);
  EXPECT_GT(out.energy_scale, 1);
}

/// In a pivot that is pushed evenly, gravity leans: energy about it is kept exactly.
TEST(Prescribed, PendulumUnderEvenPush) {
  const double push = 4;
  const Model model = hung_rod();
  SimulateOptions options{.duration = 4, .samples = 41};
  options.prescribed =
      prescribed_joint(model, "slide", [&](double t) { return Eigen::Vector3d(push * t * t / 2, push * t, push); });
  const SimulatedMotion out = simulate(Mechanism(model), Values{0.0, -0.8}, Values{0.0, 0.0}, kNone, options);
  ASSERT_EQ(out.end, SimulatedMotion::End::finished) << out.message;
  const auto energy = [&](int i) {
    return (kInertia + kRod * kLength * kLength) * out.v(1, i) * out.v(1, i) / 2 -
           kRod * kLength * (push * std::sin(out.q(1, i)) + kGravity * std::cos(out.q(1, i)));
  };
  for (int i = 1; i < 41; ++i) EXPECT_NEAR(energy(i), energy(0), 1e-6);
}

/// A five-bar, one crank of which turns as told: the equation of the other alone, by the mass matrix of both.
TEST(Prescribed, OneCrankOfAFiveBar) {
  const Model model = load_model(source_dir() + "/models/five_bar.yaml");
  const Mechanism mechanism(model);
  MechanismData<double> data(mechanism);
  const int told = model.joint("left_crank_joint"), other = model.joint("right_crank_joint");
  const Eigen::VectorXd home = mechanism.home().eigen();
  const int told_v = model.joints()[told].v, other_v = model.joints()[other].v;
  ASSERT_EQ(mechanism.mobility(), 2);
  ASSERT_EQ(mechanism.independent()[0], told_v);
  ASSERT_EQ(mechanism.independent()[1], other_v);
  const double size = 0.2, w = 6, torque = 0.4;
  const auto crank = [&](double t) {
    return Eigen::Vector3d(home[told_v] + size * (1 - std::cos(w * t)), size * w * std::sin(w * t),
                           size * w * w * std::cos(w * t));
  };
  const TorqueLaw law = [&](double, std::span<const double>, std::span<const double>, std::span<double> tau) {
    tau[static_cast<std::size_t>(other_v)] = torque;
    tau[static_cast<std::size_t>(told_v)] = 1e3;  // does not count
  };
  SimulateOptions options{.duration = 0.5, .samples = 6};
  options.prescribed = prescribed_joint(model, "left_crank_joint", crank);
  const SimulatedMotion out =
      simulate(mechanism, home, Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())), law, options);
  ASSERT_EQ(out.end, SimulatedMotion::End::finished) << out.message;

  Eigen::VectorXd guess = home;
  Eigen::Vector2d forces;
  const auto rate = [&](double t, const Eigen::Vector2d& x) {
    Eigen::VectorXd q(model.nq()), v(model.nv()), a(model.nv());
    Eigen::Vector2d bias;
    Eigen::MatrixXd M(2, 2);
    assemble(mechanism, data, Eigen::Vector2d(crank(t)[0], x[0]), guess, q);
    guess = q;
    closed_motion(mechanism, data, q, Eigen::Vector2d(crank(t)[1], x[1]), Eigen::Vector2d::Zero(), v, a);
    generalized_forces(mechanism, data, q, v, a, bias);
    mass_matrix(mechanism, data, q, M);
    const double found = (torque - bias[1] - M(1, 0) * crank(t)[2]) / M(1, 1);
    forces = bias + M * Eigen::Vector2d(crank(t)[2], found);
    return Eigen::Vector2d(x[1], found);
  };
  Eigen::Vector2d x(home[other_v], 0);
  for (int i = 0; i < 6; ++i) {
    if (i > 0) runge_kutta(rate, out.time[i - 1], out.time[i], 100, x);
    EXPECT_NEAR(out.q(other_v, i), x[0], 1e-7);
    EXPECT_NEAR(out.a(other_v, i), rate(out.time[i], x)[1], 1e-5);
    EXPECT_NEAR(out.tau(told_v, i), forces[0], 1e-6);
    EXPECT_EQ(out.tau(other_v, i), torque);
  }
  EXPECT_LT(out.loop_drift, 1e-11);
  EXPECT_LT(out.energy_drift, 1e-7 * out.energy_scale);
}

TEST(Prescribed, RefusesWhatCannotBe) {
  const auto none = [](double) { return Eigen::Vector3d(0.1, 0, 0); };
  SimulateOptions options{.duration = 0.1, .samples = 2};
  const auto refused = [&](const Model& model, const char* joint, const Values& q) {
    options.prescribed = prescribed_joint(model, joint, none);
    return complaint<InputError>(
        [&] { simulate(Mechanism(model), q, Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())), kNone, options); });
  };
  EXPECT_NE(refused(hung_rod(), "slide", Values{0.0, 0.0}).find("the start is not that of the prescribed motion"),
            std::string::npos);
  const Model arm = load_model(source_dir() + "/models/space_arm.yaml");
  EXPECT_NE(refused(arm, "satellite_joint", Mechanism(arm).home()).find("quaternion"), std::string::npos);
}

}  // namespace
}  // namespace verne::test
