/// What explicit and implicit steps are good for: published references, chaos and stiffness.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "verne/io/model_io.h"
#include "verne/simulate/simulate.h"

namespace verne::test {
namespace {

using End = SimulatedMotion::End;
using enum SimulationMethod;

const TorqueLaw kIdleLaw = [](double, std::span<const double>, std::span<const double>, std::span<double>) {};

Model model_of_text(const std::string& text) {
  Diagnostics diagnostics("model.yaml");
  return build_model(read_yaml(text, "model.yaml", diagnostics));
}

/// Andrews' squeezing mechanism: seven bodies, four of which meet in E; [MM08] gives its data and its state at 0.03 s.
Model squeezer() {
  return model_of_text(R"(format: verne-model/1
name: squeezer
convention: tree
gravity: [0, 0, 0]
base: {type: fixed, name: ground}
links:
  - {name: K1, parent: ground, joint: {name: beta, type: revolute, axis: [0, 0, 1]}, mass: 0.04325, com: [0.00092, 0, 0],
     inertia: [2.194e-6, 2.194e-6, 2.194e-6]}
  - {name: K2, parent: K1, pose: {xyz: [0.007, 0, 0]}, joint: {name: Theta, type: revolute, axis: [0, 0, 1], actuated: false},
     mass: 0.00365, com: [-0.0115, 0, 0], inertia: [4.410e-7, 4.410e-7, 4.410e-7]}
  - {name: K3, parent: ground, pose: {xyz: [-0.03635, 0.03273, 0]}, joint: {name: gamma, type: revolute, axis: [0, 0, 1]},
     mass: 0.02373, com: [0.01043, -0.01874, 0], inertia: [5.255e-6, 5.255e-6, 5.255e-6]}
  - {name: K5, parent: ground, pose: {xyz: [-0.06934, -0.00227, 0]}, joint: {name: delta, type: revolute, axis: [0, 0, 1], actuated: false},
     mass: 0.07050, com: [0.02308, 0.00916, 0], inertia: [1.169e-5, 1.169e-5, 1.169e-5]}
  - {name: K4, parent: K5, pose: {xyz: [0.04, 0, 0]}, joint: {name: Phi, type: revolute, axis: [0, 0, 1], actuated: false},
     mass: 0.00706, com: [0, -0.00579, 0], inertia: [5.667e-7, 5.667e-7, 5.667e-7]}
  - {name: K7, parent: ground, pose: {xyz: [-0.06934, -0.00227, 0]}, joint: {name: epsilon, type: revolute, axis: [0, 0, 1], actuated: false},
     mass: 0.05498, com: [0.00449, -0.01228, 0], inertia: [1.912e-5, 1.912e-5, 1.912e-5]}
  - {name: K6, parent: K7, pose: {xyz: [0, -0.04, 0]}, joint: {name: Omega, type: revolute, axis: [0, 0, 1], actuated: false},
     mass: 0.00706, com: [0.00579, 0, 0], inertia: [5.667e-7, 5.667e-7, 5.667e-7]}
loops:
  - {name: E3, type: revolute, a: {link: K2, pose: {xyz: [-0.028, 0, 0]}}, b: {link: K3, pose: {xyz: [0, -0.035, 0]}}}
  - {name: E4, type: revolute, a: {link: K2, pose: {xyz: [-0.028, 0, 0]}}, b: {link: K4, pose: {xyz: [0, -0.02, 0]}}}
  - {name: E6, type: revolute, a: {link: K2, pose: {xyz: [-0.028, 0, 0]}}, b: {link: K6, pose: {xyz: [0.02, 0, 0]}}}
independent: [beta]
home: {beta: -0.0617138900142764, Theta: 0, gamma: 0.45527981916307, Phi: 0.222668390165886, delta: 0.487364979543843,
       Omega: -0.222668390165886, epsilon: 1.23054744454982}
)");
}

/// A motor turns the crank; a spring from K3 to the ground turns K3.
const TorqueLaw kSqueeze = [](double, std::span<const double> q, std::span<const double>, std::span<double> tau) {
  constexpr double kSc = 0.018, kSd = 0.02, kXb = -0.03635, kYb = 0.03273, kXc = 0.014, kYc = 0.072;
  const double s = std::sin(q[2]), c = std::cos(q[2]);
  const double x = kSd * c + kSc * s, y = kSd * s - kSc * c, dx = x + kXb - kXc, dy = y + kYb - kYc,
               length = std::hypot(dx, dy), pull = -4530 * (length - 0.07785) / length;
  tau[0] = 0.033;
  tau[2] = x * pull * dy - y * pull * dx;
};

SimulatedMotion squeeze(double tolerance, SimulationMethod method) {
  const Mechanism mechanism(squeezer());
  const Values q = mechanism.home(), v(Eigen::VectorXd(Eigen::VectorXd::Zero(7)));
  return simulate(mechanism, q, v, kSqueeze,
                  {.duration = 0.03, .samples = 2, .tolerance = tolerance, .method = method});
}

TEST(SimulationMethods, AndrewsSqueezer) {
  // beta, Theta, gamma, delta, Phi, epsilon, Omega, and their rates
  const Eigen::VectorXd q{{15.81077119629904, -15.75637105984298, 0.04082224013073101, 0.5244099658805304,
                           -0.5347301163226948, 1.048080741042263, 0.5347301163226948}},
      v{{1139.920302151208, -1424.379294994111, 11.03291221937134, 0.5735699284790808, 19.29337464421385,
         0.3231791658026955, -19.29337464421385}};
  const auto expect = [&](double tolerance, SimulationMethod method, double q_error, double v_error) {
    const SimulatedMotion out = squeeze(tolerance, method);
    ASSERT_EQ(out.end, End::finished) << out.message;
    EXPECT_LT((out.q.eigen().col(1) - q).norm(), q_error) << tolerance;
    EXPECT_LT((out.v.eigen().col(1) - v).norm(), v_error) << tolerance;
    EXPECT_LT(out.loop_drift, 1e-12);
    EXPECT_LT(out.energy_drift, 1e-6 * out.energy_scale);
  };
  expect(1e-6, automatic, 3e-6, 2e-3);
  expect(1e-9, automatic, 1e-8, 5e-6);
  expect(1e-12, automatic, 5e-9, 3e-6);  // what the reference is worth
  expect(1e-9, implicit_only, 1e-4, 5e-2);
}

/// Two point masses of 1 kg on rods of 1 m that start level, as (angle, angle of the second rod against the first, and
/// their rates), by their equations of motion in long double and the classical method of Runge and Kutta.
std::array<double, 2> chaotic_angles(double duration, int steps) {
  using Number = long double;
  using State = std::array<Number, 4>;
  const auto rate = [](const State& y) {
    const Number g = 10, c = std::cos(y[1]), s = std::sin(y[1]), w = y[2] + y[3];
    // M (a1, a2) = h of the angles' rates, for com at (cos, −sin) of the angle: gravity turns towards larger angles.
    const Number m11 = 3 + 2 * c, m12 = 1 + c, m22 = 1;
    const Number g2 = g * std::cos(y[0] + y[1]), g1 = 2 * g * std::cos(y[0]) + g2;
    const Number h1 = g1 + s * (w * w - y[2] * y[2]), h2 = g2 - s * y[2] * y[2];
    const Number det = m11 * m22 - m12 * m12;
    return State{y[2], y[3], (m22 * h1 - m12 * h2) / det, (m11 * h2 - m12 * h1) / det};
  };
  const auto moved = [](const State& y, Number by, const State& way) {
    State out = y;
    for (std::size_t i = 0; i < 4; ++i) out[i] += by * way[i];
    return out;
  };
  State y{};
  const Number h = Number(duration) / steps;
  for (int k = 0; k < steps; ++k) {
    const State k1 = rate(y), k2 = rate(moved(y, h / 2, k1)), k3 = rate(moved(y, h / 2, k2)),
                k4 = rate(moved(y, h, k3));
    for (std::size_t i = 0; i < 4; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return {double(y[0]), double(y[1])};
}

/// Errors grow by chaos: what is left of a tight tolerance tells what steps lose by rounding and their number.
TEST(SimulationMethods, ChaoticPendulum) {
  const Model model = model_of_text(R"(format: verne-model/1
name: chaotic
convention: tree
gravity: [0, 0, -10]
links:
  - {name: upper, joint: {name: first, type: revolute, axis: [0, 1, 0]}, mass: 1, com: [1, 0, 0]}
  - {name: lower, parent: upper, pose: {xyz: [1, 0, 0]}, joint: {name: second, type: revolute, axis: [0, 1, 0]}, mass: 1,
     com: [1, 0, 0]}
)");
  const double duration = 10;
  const std::array<double, 2> reference = chaotic_angles(duration, 200000);
  const auto error = [&](SimulationMethod method, double tolerance) {
    const SimulatedMotion out = simulate(Mechanism(model), Values{0.0, 0.0}, Values{0.0, 0.0}, kIdleLaw,
                                         {.duration = duration, .tolerance = tolerance, .method = method});
    EXPECT_EQ(out.end, End::finished) << out.message;
    return std::hypot(out.q(0, 200) - reference[0], out.q(1, 200) - reference[1]);
  };
  EXPECT_LT(error(automatic, 1e-9), 1e-8);
  EXPECT_LT(error(automatic, 1e-12), 1e-11);
  EXPECT_LT(error(implicit_only, 1e-9), 1e-4);
}

/// A mass on a spring of 8 N/m, in oil of which drag(t) tells the damping in N s/m.
SimulatedMotion move_in_oil(const std::function<double(double)>& drag, double duration, SimulationMethod method,
                            double tolerance = 1e-9) {
  const Model model = model_of_text(
      "format: verne-model/1\nname: oil\nconvention: tree\ngravity: [0, 0, 0]\nlinks:\n  - {name: mass, mass: 2, "
      "joint: "
      "{name: x, type: prismatic, axis: [1, 0, 0], stiffness: 8}}\n");
  const TorqueLaw law = [&](double t, std::span<const double>, std::span<const double> v, std::span<double> tau) {
    tau[0] = -drag(t) * v[0];
  };
  return simulate(Mechanism(model), Values{1.0}, Values{0.0}, law,
                  {.duration = duration, .samples = 11, .tolerance = tolerance, .method = method});
}

/// Damping of 1e6 N s/m makes the mass forget its speed within 2 µs, and creep for half a day.
TEST(SimulationMethods, StiffMotionsAreIntegratedImplicitly) {
  constexpr double kDrag = 1e6;
  const SimulatedMotion out = move_in_oil([](double) { return kDrag; }, 1e5, automatic);
  ASSERT_EQ(out.end, End::finished) << out.message;
  for (int i = 0; i < 11; ++i) EXPECT_NEAR(out.q(0, i), std::exp(-8 / kDrag * out.time[i]), 1e-6);
  EXPECT_GT(out.implicit_steps, 10);
  EXPECT_LT(out.explicit_steps, 200);
  EXPECT_LT(out.implicit_steps, 2000);
}

/// The same for a second; then the oil is gone, and the mass swings: explicit steps are taken again.
TEST(SimulationMethods, ExplicitStepsComeBack) {
  const auto drag = [](double t) { return 1e6 / (1 + std::exp(std::min(60 * (t - 1), 700.0))); };
  const SimulatedMotion out = move_in_oil(drag, 60, automatic), implicit = move_in_oil(drag, 60, implicit_only, 1e-11);
  ASSERT_EQ(out.end, End::finished) << out.message;
  EXPECT_NEAR(out.q(0, 10), implicit.q(0, 10), 1e-7);
  EXPECT_GT(out.explicit_steps, 200);
  EXPECT_GT(out.implicit_steps, 100);
  EXPECT_LT(out.implicit_steps, implicit.implicit_steps / 5);
}

}  // namespace
}  // namespace verne::test
