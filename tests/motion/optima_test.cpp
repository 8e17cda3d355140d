// Motions whose optimum is known: from closed forms, and from solving Pontryagin's conditions by shooting to 34 digits
// (the thesis's two arms).
#include <gtest/gtest.h>

#include <cmath>

#include "motion/task_text.h"
#include "verne/dynamics/dynamics.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

using test::read;

// --- A mass on a rail ---------------------------------------------------------------------------------------------

/// 2 kg on a rail, rest to rest over 3 m.
constexpr double kMass = 2, kWayOfPoint = 3;
Solution on_a_rail(const std::string& rest, const std::string& ends = "") {
  const test::TemporaryModel model(
      "  - {name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0]}, mass: 2, inertia: [1, 1, 1]}\n");
  return predict(
      model.whole_task("subject_to:\n  start: {position: 0" + ends + "}\n  end: {position: 3" + ends + "}\n" + rest));
}

TEST(Optima, MinimumTimeOfAMass) {
  const double force = 5;
  const Solution solution = on_a_rail(R"(  limits: {effort: 5 N}
duration: {free: [0.5, 10]}
minimize: [{time: 1}]
trajectory: {control_points: 8, nodes: 24}
refine: {gap: 1e-5}
)");
  EXPECT_EQ(solution.status, nlp::Status::solved);
  // Full force forwards, then backwards: with a knot at the switch the spline is that motion.
  EXPECT_NEAR(solution.trajectory.duration(), 2 * std::sqrt(kWayOfPoint * kMass / force), 1e-6);
  EXPECT_LE(solution.verification.limit_excess, 1e-6);
  EXPECT_EQ(solution.rounds.back().control_points, solution.trajectory.basis().control_points());
  // What a unit of force is worth: dT/dF = −T / 2F
  ASSERT_EQ(solution.limits.back().kind, "effort");
  EXPECT_NEAR(solution.limits.back().multiplier, solution.trajectory.duration() / (2 * force), 1e-4);
}

/// Full force, full speed, full force back: way / speed + speed · mass / force.
TEST(Optima, MinimumTimeOfAMassWithASpeedLimit) {
  const double force = 5, speed = 2, shortest = kWayOfPoint / speed + speed * kMass / force;
  const std::string task = R"(  limits: {effort: 5 N, velocity: 2}
duration: {free: [0.5, 10]}
minimize: [{time: 1}]
)";
  const Solution usual = on_a_rail(task), exact = on_a_rail(task + "refine: {gap: 2e-5}\n");
  for (const Solution* solution : {&usual, &exact}) {
    EXPECT_EQ(solution->status, nlp::Status::solved);
    EXPECT_GT(solution->trajectory.duration(), shortest * (1 - 2e-6));
    EXPECT_TRUE(solution->verification.velocity_certified.value());
    // The estimate of what is left: not too small, and of the right size
    const double gap = solution->trajectory.duration() / shortest - 1;
    EXPECT_GT(solution->refinement_gap.value(), gap / 3);
  }
  EXPECT_LT(usual.trajectory.duration(), shortest * (1 + 2e-3));  // that is what it aims at
  EXPECT_LT(usual.refinement_gap.value(), 2e-3);
  EXPECT_LT(exact.trajectory.duration(), shortest + 2e-5);
  EXPECT_LT(exact.refinement_gap.value(), 2e-5);
}

TEST(Optima, MinimumTimeOfAMassWhoseDriveTires) {
  // 5 N at rest, none at 2 m/s; braking gets stronger with the speed by as much.
  const Solution solution = on_a_rail(R"(  limits: {torque_speed: {rail: {stall: 5 N, no_load: 2 m/s}}}
duration: {free: [0.5, 10]}
minimize: [{time: 1}]
trajectory: {control_points: 8, nodes: 24}
refine: {knots: 3}
)");
  EXPECT_EQ(solution.status, nlp::Status::solved);
  // v' = ±F/m (1 ∓ v/V): exponentials with the time constant m V/F, which meet where the rest of the way is needed to
  // brake.
  const double V = 2, lag = kMass * V / 5;
  double driving = 0, braking = 0;
  for (double low = 0, high = 10; high - low > 1e-12;) {
    driving = (low + high) / 2;
    const double v = V * (1 - std::exp(-driving / lag));
    braking = lag * std::log(1 + v / V);
    const double way = V * driving - lag * v + lag * v - V * braking;
    (way < kWayOfPoint ? low : high) = driving;
  }
  EXPECT_GT(solution.trajectory.duration(), driving + braking - 1e-6);
  EXPECT_LT(solution.trajectory.duration(), driving + braking + 2e-3);
  ASSERT_EQ(solution.limits.back().kind, "torque_speed");
  EXPECT_EQ(solution.limits.back().unit, "N");
  EXPECT_NEAR(solution.limits.back().utilisation, 1, 1e-4);  // it is tightened by what costs next to nothing
}

TEST(Optima, LeastEffortOfAMass) {
  const Solution solution = on_a_rail(R"(duration: 2 s
minimize: [{effort: 1}]
trajectory: {control_points: 6, nodes: 6}
)");
  EXPECT_EQ(solution.status, nlp::Status::solved);
  const double T = 2;
  EXPECT_NEAR(solution.cost, 12 * kWayOfPoint * kWayOfPoint * kMass * kMass / (T * T * T), 1e-8);
  EXPECT_LT(solution.refinement_gap.value(), 1e-8);  // the spline is that cubic
  for (const double t : {0.3, 1.0, 1.7}) {           // a cubic
    const double s = t / T;
    EXPECT_NEAR(solution.trajectory.at(t)[0], kWayOfPoint * s * s * (3 - 2 * s), 1e-8);
  }
}

/// Full force forwards, then backwards, as in minimum time: the force that gets there just in time is the least.
TEST(Optima, LeastPeakOfForce) {
  const double T = 2, least = 4 * kMass * kWayOfPoint / (T * T);
  const std::string task = R"(duration: 2 s
trajectory: {control_points: 8, nodes: 24}
refine: {gap: 1e-5}
)";
  const Solution solution = on_a_rail(task + "minimize: [{peak_effort: 1}]\n");
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_NEAR(solution.cost, least, 1e-5 * least);
  for (const double t : {0.1, 0.9, 1.1, 1.9}) {
    EXPECT_NEAR(kMass * solution.trajectory.at(t, 2)[0], t < T / 2 ? least : -least, 1e-3 * least) << t;
  }
  // Between the nodes, too
  const LimitUse& peak = solution.limits.back();
  EXPECT_EQ(peak.kind, "peak_effort");
  EXPECT_EQ(peak.of, "rail");
  EXPECT_DOUBLE_EQ(peak.bounds.upper, solution.cost);
  EXPECT_NEAR(peak.utilisation, 1, 1e-4);
  EXPECT_LE(solution.verification.limit_excess, 1e-6);
  EXPECT_NEAR(peak.multiplier, 1, 1e-4);  // a newton less of it costs a newton less
  // As a part of the limit
  const Solution part =
      on_a_rail("  limits: {effort: 8 N}\n" + task + "minimize: [{peak_effort: {normalize: true}}]\n");
  EXPECT_NEAR(part.cost, least / 8, 1e-5 * least / 8);
  // By Ipopt
  const Solution other = on_a_rail(task + "minimize: [{peak_effort: 1}]\nsolver: {method: ipopt}\n");
  EXPECT_NEAR(other.cost, solution.cost, 1e-6 * least);
}

/// Time and the peak against each other: T + w 4 m d / T² is least where T³ = 8 w m d.
TEST(Optima, TimeAgainstThePeakOfForce) {
  const double weight = 0.1, T = std::cbrt(8 * weight * kMass * kWayOfPoint);
  const Solution solution = on_a_rail(R"(duration: {free: [0.5, 10], guess: 1}
minimize: [{time: 1}, {peak_effort: 0.1}]
trajectory: {control_points: 8, nodes: 24}
refine: {gap: 1e-5}
)");
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_NEAR(solution.trajectory.duration(), T, 1e-3 * T);
  EXPECT_NEAR(solution.cost, T + weight * 4 * kMass * kWayOfPoint / (T * T), 2e-5 * T);
  ASSERT_EQ(solution.costs.size(), 2u);
  EXPECT_EQ(solution.costs[1].term, "peak_effort");
}

/// A mean over a duration that is given, in phases whose own durations are not: the integral by the duration.
TEST(Optima, MeanOverAGivenDuration) {
  const Solution solution = on_a_rail(R"(duration: 2 s
phases: [{duration: {free: [0.5, 1.5]}}, {duration: {free: [0.5, 1.5]}}]
minimize: {mean: [{effort: 1}]}
trajectory: {control_points: 9, nodes: 9}
)");
  EXPECT_EQ(solution.status, nlp::Status::solved);
  EXPECT_NEAR(solution.cost, 12 * kWayOfPoint * kWayOfPoint * kMass * kMass / (8 * 2), 1e-7);
}

/// Constraints alone, then the cost: the same optimum.
TEST(Optima, FeasibleFirst) {
  const std::string task = R"(  limits: {velocity: 2, effort: 20 N}
duration: 2 s
minimize: [{effort: 1}]
refine: off
)";
  const Solution once = on_a_rail(task), staged = on_a_rail(task + "solver: {feasible_first: true}\n");
  EXPECT_TRUE(staged.success()) << staged.message;
  EXPECT_NEAR(staged.cost, once.cost, 1e-6 * once.cost);
  ASSERT_EQ(staged.rounds.size(), 2u);
  EXPECT_EQ(staged.rounds[0].what, "feasibility");
  EXPECT_EQ(staged.rounds[1].what, "cost");
}

/// The least mean of τ² + w q² on a way from rest at 0 to rest at v T. Its curves have a fourth derivative of −4 κ⁴ q
/// with 4 κ⁴ = w / m²; integrating by parts leaves what is at their end.
double least_mean(double T, double speed, double weight) {
  const double k = std::pow(weight / (4 * kMass * kMass), 0.25);
  const double c = std::cos(k * T), s = std::sin(k * T), C = std::cosh(k * T), S = std::sinh(k * T);
  // q = a sinh sin + b (cosh sin − sinh cos) begins at rest.
  Eigen::Matrix2d ends;
  ends << S * s, C * s - S * c, k * (C * s + S * c), k * 2 * S * s;
  const Eigen::Vector2d ab = ends.inverse() * Eigen::Vector2d(speed * T, 0);
  const double jerk = ab[0] * 2 * k * k * k * (S * c - C * s) + ab[1] * 4 * k * k * k * C * c;
  return -kMass * kMass * jerk * speed;
}

/// How long one that has to be where a speed takes it travels if the mean shall be small.
TEST(Optima, LeastMeanEffortOfAMassThatGoesOn) {
  const test::TemporaryModel model(
      "  - {name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0]}, mass: 2, inertia: [1, 1, 1]}\n");
  const auto solve = [&](const char* duration) {
    return predict(model.whole_task(std::string("duration: ") + duration + R"(
minimize: {mean: [{effort: 1}, {reference: {weight: 5, posture: {rail: 0}}}]}
trajectory: {degree: 5, control_points: 12, nodes: 12}
subject_to:
  start: {position: 0}
  frames: [{frame: cart, at: end, position: [0, free, free], per_second: [0.7, 0, 0]}]
)"));
  };
  const auto mean = [](double T) { return least_mean(T, 0.7, 5); };
  double low = 0.5, high = 5;
  for (int k = 0; k < 100; ++k) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (mean(a) < mean(b) ? high : low) = mean(a) < mean(b) ? b : a;
  }
  const Solution free = solve("{free: [0.5, 5], guess: 1}");
  EXPECT_EQ(free.status, nlp::Status::solved) << free.message;
  EXPECT_NEAR(free.trajectory.duration(), low, 1e-4);
  EXPECT_NEAR(free.cost, mean(low), 1e-7);
  EXPECT_NEAR(free.trajectory.at(free.trajectory.duration())[0], 0.7 * free.trajectory.duration(), 1e-8);
  const Solution given = solve("1 s");
  EXPECT_NEAR(given.cost, mean(1), 1e-7);
  EXPECT_LT(free.cost, given.cost);
}

TEST(Optima, LeastEffortOfALoadedMass) {
  const Solution solution =
      on_a_rail(R"(  loads: [{frame: cart, force: [2 N, 0, 0]}, {frame: cart, force: [0, 5, -9], moment: [0, 1, 0]}]
duration: 2 s
minimize: [{effort: 1}]
trajectory: {control_points: 6, nodes: 6}
)");
  EXPECT_EQ(solution.status, nlp::Status::solved);
  // F = m a − 2 N, and the integral of a vanishes.
  const double T = 2;
  EXPECT_NEAR(solution.cost, 12 * kWayOfPoint * kWayOfPoint * kMass * kMass / (T * T * T) + 4 * T, 1e-8);
  EXPECT_LT(solution.verification.simulation_drift, 1e-9);
}

TEST(Optima, MinimumTimeOfALoadedMass) {
  const double force = 5, load = 2;
  const Solution solution = on_a_rail(R"(  limits: {effort: 5 N}
  loads: [{frame: cart, force: [2, 0, 0]}]
duration: {free: [0.5, 10]}
minimize: [{time: 1}]
trajectory: {control_points: 8, nodes: 24}
refine: {gap: 1e-5}
)");
  EXPECT_EQ(solution.status, nlp::Status::solved);
  const double faster = (force + load) / kMass, slower = (force - load) / kMass;
  EXPECT_NEAR(solution.trajectory.duration(), std::sqrt(2 * kWayOfPoint * (faster + slower) / (faster * slower)), 1e-6);
}

TEST(Optima, MinimumTimeOfAMassThatHeatsUp) {
  // With the mean square of the force limited, the quickest motion is the cubic of least effort: 12 d² m² / T⁴ = F².
  const double limit = 3;
  const Solution solution = on_a_rail(R"(  limits: {effort_rms: 3 N}
duration: {free: [0.5, 10]}
minimize: [{time: 1}]
trajectory: {control_points: 6, nodes: 6}
)");
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  const double T = std::pow(12 * kWayOfPoint * kWayOfPoint * kMass * kMass / (limit * limit), 0.25);
  EXPECT_NEAR(solution.trajectory.duration(), T, 1e-7);
  ASSERT_EQ(solution.limits.back().kind, "effort_rms");
  EXPECT_EQ(solution.limits.back().of, "rail");
  EXPECT_NEAR(solution.limits.back().utilisation, 1, 1e-6);
  // −dT/dF; the tie-breaker, a 50 000th of the cost, falls with the third power of T
  EXPECT_NEAR(solution.limits.back().multiplier, T / (2 * limit), 1e-4 * T / (2 * limit));
  EXPECT_EQ(solution.limits.back().active.size(), 1u);
}

TEST(Optima, MinimumTimeOfAMassWhoseForceRamps) {
  // Full force for t, a ramp down to full brakes, and these for t: the way is a (t² + t r + r²/6).
  const double force = 5, rate = 20;
  const Solution solution = on_a_rail(R"(  limits: {effort: 5 N, effort_rate: 20 N/s}
duration: {free: [0.5, 10]}
minimize: [{time: 1}]
trajectory: {control_points: 10, nodes: 24}
refine: {gap: 1e-5}
)");
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  const double a = force / kMass, r = 2 * force / rate;
  const double t = (std::sqrt(r * r + 4 * (kWayOfPoint / a - r * r / 6)) - r) / 2, T = 2 * t + r;
  EXPECT_NEAR(solution.trajectory.duration(), T, 1e-5 * T);
  ASSERT_EQ(solution.limits.back().kind, "effort_rate");
  EXPECT_EQ(solution.limits.back().unit, "N/s");
  EXPECT_NEAR(solution.limits.back().utilisation, 1, 1e-4);
  const double step = 1e-4;  // the ramp, seen from outside
  for (double time = 0; time + step < T; time += 0.01) {
    const double before = kMass * solution.trajectory.at(time, 2)[0],
                 after = kMass * solution.trajectory.at(time + step, 2)[0];
    EXPECT_LE(std::abs(after - before) / step, rate * (1 + 1e-3)) << time;
  }
  // −dT/drate, by the formula at a rate next to it. The price is that of the spline, whose ramp begins and ends between
  // nodes; it comes closer as the gap does (2 % at 1e-6).
  const double r2 = 2 * force / (rate * 1.001),
               t2 = (std::sqrt(r2 * r2 + 4 * (kWayOfPoint / a - r2 * r2 / 6)) - r2) / 2;
  const double price = (T - (2 * t2 + r2)) / (0.001 * rate);
  EXPECT_NEAR(solution.limits.back().multiplier, price, 0.05 * price);
}

TEST(Optima, LeastJerkOfAMass) {
  const Solution solution = on_a_rail(R"(duration: 2 s
minimize: [{smoothness: {of: jerk}}]
trajectory: {degree: 5, control_points: 8, nodes: 8}
)",
                                      ", acceleration: 0");
  EXPECT_EQ(solution.status, nlp::Status::solved);
  EXPECT_NEAR(solution.cost, 720 * kWayOfPoint * kWayOfPoint / std::pow(2, 5), 1e-7);
  for (const double t : {0.3, 1.0, 1.7}) {  // the quintic
    const double s = t / 2;
    EXPECT_NEAR(solution.trajectory.at(t)[0], kWayOfPoint * s * s * s * (10 - 15 * s + 6 * s * s), 1e-8);
  }
}

/// ∫ ḟ² for a force f = m a is m² times the least ∫ jerk².
TEST(Optima, LeastForceRateOfAMass) {
  const std::string rest = "duration: 2 s\ntrajectory: {degree: 5, control_points: 8, nodes: 8}\n";
  const double jerks = 720 * kWayOfPoint * kWayOfPoint / std::pow(2, 5);
  const Solution solution = on_a_rail(rest + "minimize: [{effort_rate: 1}]\n", ", acceleration: 0");
  EXPECT_EQ(solution.status, nlp::Status::solved);
  EXPECT_NEAR(solution.cost, kMass * kMass * jerks, 1e-6);
  for (const double t : {0.3, 1.0, 1.7}) {  // the quintic
    const double s = t / 2;
    EXPECT_NEAR(solution.trajectory.at(t)[0], kWayOfPoint * s * s * s * (10 - 15 * s + 6 * s * s), 1e-8);
  }
  const Solution mean = on_a_rail(
      "  limits: {effort: 50 N}\n" + rest + "minimize: {mean: [{effort_rate: {weight: 3, normalize: true}}]}\n",
      ", acceleration: 0");
  EXPECT_NEAR(mean.cost, 3 * kMass * kMass * jerks / (50 * 50) / 2, 1e-9);
}

/// Forces may start and end at any value. Euler's equation makes the sixth derivative of the way zero, and free ends
/// make the rate zero there: ḟ = −60 (m d/T³) s (1 − s), whose square has the integral 120 (m d)²/T⁵. With time at a
/// price the shortest duration is not the best.
TEST(Optima, TimeAgainstForceRate) {
  const double price = 1e3, steepness = 120 * kMass * kMass * kWayOfPoint * kWayOfPoint;  // ∫ ḟ² = steepness / T⁵
  const Solution solution = on_a_rail(R"(duration: {free: [0.5, 10]}
minimize: [{time: 1000}, {effort_rate: 1}]
trajectory: {degree: 5, control_points: 8, nodes: 12}
)");
  EXPECT_EQ(solution.status, nlp::Status::solved);
  const double T = std::pow(5 * steepness / price, 1.0 / 6);
  EXPECT_NEAR(solution.trajectory.duration(), T, 1e-6);
  EXPECT_NEAR(solution.cost, price * T + steepness / std::pow(T, 5), 1e-4);
}

// --- The thesis's arm with two revolute joints --------------------------------------------------------------------

// By shooting on Pontryagin's conditions: the Hamiltonian 1 + λᵀ(v, M⁻¹(tau − C v)) is linear in the torques, so that
// each is at a limit, of the sign opposite to its factor. The elbow's factor changes sign twice, the shoulder's once,
// in the middle. Three switching times and the duration meet the four conditions at the end; the test below shows that
// they do.
constexpr double kShortest = 0.391854539515661;
constexpr double kShoulderSwitch = 0.195927269757831, kElbowSwitches[] = {0.045709321232946, 0.235300431370344};

TEST(Optima, TheShortestMotionOfTwoLinksIsBangBang) {
  const Model model = test::shipped_task("two_link_min_time").model;
  Data data(model);
  const auto rate = [&](const Eigen::Vector4d& x, const Eigen::Vector2d& tau) -> Eigen::Vector4d {
    const Eigen::VectorXd q = x.head(2), v = x.tail(2);
    return (Eigen::Vector4d() << v, forward_dynamics(model, data, q, v, tau)).finished();
  };
  Eigen::Vector4d x(0, -2, 0, 0);
  const double times[] = {0, kElbowSwitches[0], kShoulderSwitch, kElbowSwitches[1], kShortest};
  const Eigen::Vector2d torques[] = {{10, -10}, {10, 10}, {-10, 10}, {-10, -10}};
  constexpr int kSteps = 1000;
  for (int phase = 0; phase < 4; ++phase) {  // Runge and Kutta, between the jumps
    const double h = (times[phase + 1] - times[phase]) / kSteps;
    const Eigen::Vector2d& tau = torques[phase];
    for (int k = 0; k < kSteps; ++k) {
      const Eigen::Vector4d k1 = rate(x, tau), k2 = rate(x + h / 2 * k1, tau), k3 = rate(x + h / 2 * k2, tau);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(x + h * k3, tau));
    }
  }
  EXPECT_LT((x - Eigen::Vector4d(1, -1, 0, 0)).cwiseAbs().maxCoeff(), 1e-9);
}

Task two_link(int control_points, int nodes) {
  Task task = test::shipped_task("two_link_min_time");
  task.curve.control_points = control_points;
  task.curve.nodes = nodes;
  task.refine = RefineSpec::off();
  return task;
}

TEST(Optima, TwoLinkWithUniformKnots) {
  struct {
    int control_points;
    double duration;
  } const table[] = {{6, 0.421191}, {12, 0.395742}, {20, 0.393048}, {40, 0.392108}};
  for (const auto& row : table) {
    const Solution solution = predict(two_link(row.control_points, 1001));
    EXPECT_LT(solution.verification.kkt_residual, 1e-6);  // optimal for its nodes, whatever happens between them
    EXPECT_NEAR(solution.trajectory.duration(), row.duration, 2e-4) << row.control_points << " control points";
  }
}

TEST(Optima, TwoLinkRefined) {
  const Solution solution = predict(test::shipped_task("two_link_min_time"));
  EXPECT_EQ(solution.status, nlp::Status::solved);
  EXPECT_NEAR(solution.trajectory.duration(), kShortest, 2e-5);
  EXPECT_GT(solution.trajectory.duration(), kShortest * (1 - 2e-6));  // limits hold to 1e-6: no shorter than possible
  EXPECT_LE(solution.verification.limit_excess, 1e-6);
}

/// The forces inside the joints are at their largest just before the elbow's first switch, where curves are at their
/// worst.
TEST(Optima, TwoLinkPeakForces) {
  Task task = test::shipped_task("two_link_min_time");
  task.refine.gap = 1e-5;
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved);
  EXPECT_NEAR(solution.trajectory.duration(), kShortest, 1e-5);
  const SampledMotion motion = sample_motion(task.model, solution.trajectory, 20001);
  const auto peak = [&](const char* joint) {
    const int j = task.model.joint(joint);
    return motion.joint_wrenches.eigen().middleRows(6 * j, 3).colwise().norm().maxCoeff();
  };
  EXPECT_NEAR(peak("shoulder"), 33.219, 0.005 * 33.219);
  EXPECT_NEAR(peak("elbow"), 23.962, 0.005 * 23.962);
}

/// What `predict` does without being told anything about the curve, and its estimate of what it leaves.
TEST(Optima, TwoLinkUntuned) {
  Task task = test::shipped_task("two_link_min_time");
  task.refine = {};
  task.curve = {};
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved);
  EXPECT_LE(solution.verification.limit_excess, 1e-6);
  const double gap = solution.trajectory.duration() / kShortest - 1;
  EXPECT_GT(gap, -2e-6);
  EXPECT_LT(gap, 2e-3);
  EXPECT_GT(solution.refinement_gap.value(), gap / 3);
  EXPECT_LT(solution.refinement_gap.value(), gap * 3);
}

TEST(Optima, TwoLinkWithFreeKnots) {
  Task task = two_link(10, 40);
  task.curve.free_knots = true;
  task.refine.rounds = 4;
  const Solution solution = predict(task);
  EXPECT_TRUE(solution.success());
  // Better than any uniform spline of that size can be, and honest.
  EXPECT_LT(solution.trajectory.duration(), 0.3985);
  EXPECT_GT(solution.trajectory.duration(), kShortest);
}

// --- The thesis's arm with a prismatic and a revolute joint -------------------------------------------------------

// Durations and costs by shooting on Pontryagin's conditions: where no limit binds the torques minimize
// u tau² + λᵀM⁻¹ tau, else they are at it. Without limits the motion of least effort in time T is that of unit time at
// another pace, ∫ tau² dt = E / T³; (1 − u) T + u E / T³ is least at T = (3uE/(1 − u))^¼, where it is 4/3 (1 − u) T. E
// is the effort of the motion of unit time, which is found by shooting as well.
TEST(Optima, PrismaticRevoluteFront) {
  struct {
    double u, duration, cost;
  } const front[] = {{0, 0.519066578, 0.519066578},
                     {0.001, 0.522023695, 0.569492412},
                     {0.01, 0.646259708, 0.853062814},
                     {0.1, 1.176942515, 1.412331018},
                     {0.5, 2.038524233, 1.359016156}};
  for (const auto& row : front) {
    Task task = test::shipped_task("prismatic_revolute", {{"u", row.u}});
    task.refine.knots = row.u < 0.01 ? 2 : 1;  // enough for this
    const Solution solution = predict(task);
    EXPECT_EQ(solution.status, nlp::Status::solved);
    EXPECT_NEAR(solution.cost, row.cost, row.u == 0.01 ? 1e-5 : 1e-4) << row.u;
    EXPECT_NEAR(solution.trajectory.duration(), row.duration, 2e-4) << row.u;
    EXPECT_LE(solution.verification.limit_excess, 1e-6) << row.u;
    if (row.u >= 0.1) {  // no limit binds: a closed form
      const double E = 5.756284621, T = std::pow(3 * row.u * E / (1 - row.u), 0.25);
      EXPECT_NEAR(solution.trajectory.duration(), T, 1e-5) << row.u;
      EXPECT_NEAR(solution.cost, 4.0 / 3 * (1 - row.u) * T, 1e-6) << row.u;
    }
  }
}

/// The readings of the printed data that the thesis may have meant.
TEST(Optima, PrismaticRevoluteOtherReadings) {
  // Endpoints by joint instead of by state: slide 0.1 → 0.6, elbow π/4 → −π/4
  Task swapped = test::shipped_task("prismatic_revolute");
  const double quarter = std::acos(-1) / 4;
  swapped.start.position = {{0.1, 0.1}, {quarter, quarter}};
  swapped.end.position = {{0.6, 0.6}, {-quarter, -quarter}};
  const Solution by_joint = predict(swapped);
  EXPECT_NEAR(by_joint.trajectory.duration(), 0.567138240, 2e-4);
  EXPECT_NEAR(by_joint.cost, 0.748622477, 1e-5);
  // θ2 = q2 instead of π/2 + q2: the same as going from q2 − π/2 to q2 − π/2
  Task replaced = test::shipped_task("prismatic_revolute");
  for (StateSpec* state : {&replaced.start, &replaced.end}) {
    for (double* bound : {&state->position[1].lower, &state->position[1].upper}) *bound -= 2 * quarter;
  }
  const Solution plain = predict(replaced);
  EXPECT_NEAR(plain.trajectory.duration(), 0.585783910, 2e-4);
  EXPECT_NEAR(plain.cost, 0.773234761, 1e-5);
}

}  // namespace
}  // namespace verne
