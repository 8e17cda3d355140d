// What a solution says about itself is true: limits between nodes, certificates, simulation.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/guess/first_guess.h"
#include "motion/program/program.h"
#include "motion/task_text.h"
#include "motion/values/measuring.h"
#include "motion/verify/limit_check.h"
#include "motion/verify/simulation_check.h"
#include "verne/dynamics/dynamics.h"
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"

namespace verne {
namespace {

using test::read;
using test::subject_to;

Task two_link(int control_points, int nodes, int rounds) {
  Task task = test::shipped_task("two_link_min_time");
  task.curve.control_points = control_points;
  task.curve.nodes = nodes;
  task.refine = {1e-6, rounds, 0, false, {}};
  return task;
}

std::vector<Stage> whole(const Task& task, const Trajectory& curve) {
  return {{task, {0, curve.basis().spans()}}};
}

/// Largest relative excess of an effort over ±10 on very many points.
double brute_excess(const Task& task, const Trajectory& trajectory) {
  return sample_motion(task, Solution(trajectory), 100000).tau.eigen().cwiseAbs().maxCoeff() / 10 - 1;
}

TEST(Verification, LimitsBetweenFewNodes) {
  const Task task = two_link(12, 21, 0);
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::not_verified);
  EXPECT_FALSE(solution.success());
  // The optimizer makes use of what it can get away with: a known case.
  EXPECT_NEAR(solution.trajectory.duration(), 0.394462, 2e-4);
  EXPECT_NEAR(solution.verification.limit_excess, 0.106, 2e-3);
  const double brute = brute_excess(task, solution.trajectory);
  EXPECT_GE(solution.verification.limit_excess, brute - 1e-12);  // the local search finds what sampling finds, and more
  EXPECT_NEAR(solution.verification.limit_excess, brute, 1e-4);
  // The place that is named is the place.
  const Verification& v = solution.verification;
  const int joint = v.worst_limit == "effort of shoulder" ? 0 : 1;
  const Trajectory& curve = solution.trajectory;
  Batch batch(task.model, 1);
  for (const auto& [array, order] : {std::pair(&batch.q, 0), std::pair(&batch.v, 1), std::pair(&batch.a, 2)}) {
    array->set(0, curve.at(v.worst_time, order));
  }
  inverse_dynamics(task.model, batch);
  EXPECT_NEAR(batch.tau(joint, 0), v.worst_value, 1e-6);
  EXPECT_NEAR((std::abs(v.worst_value) - 10) / 10, v.limit_excess, 1e-9);
  EXPECT_EQ(std::abs(v.worst_bound), 10);
}

TEST(Verification, LimitsAfterRefinement) {
  const Task task = two_link(10, 20, 12);
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved);
  EXPECT_GT(solution.rounds.front().limit_excess, 1e-3);
  EXPECT_LE(solution.verification.limit_excess, 1e-6);
  EXPECT_LE(brute_excess(task, solution.trajectory), 1e-6);
  EXPECT_NEAR(solution.trajectory.duration(), 0.399376, 2e-4);
  EXPECT_GT(solution.rounds.size(), 2u);
  for (std::size_t k = 1; k < solution.rounds.size(); ++k) EXPECT_EQ(solution.rounds[k].what, "nodes added");
}

/// Places are measured block by block: none of it shows.
TEST(Verification, ManyPlacesAreMeasuredAsOne) {
  const Task task = two_link(12, 21, 0);
  const Trajectory curve = first_guess(task);
  std::vector<Place> places;
  for (int n = 0; n < 150; ++n) places.push_back({n % 9, n / 150.0});
  const auto efforts = [&](ChannelLayout& channels) {
    return effort_terms({{{"effort", "a", ""}, 0, 1}, {{"effort", "b", ""}, 1, 1}}, channels);
  };
  Measuring all(task, curve, {0, 9}, efforts), single(task, curve, {0, 9}, efforts);
  const Eigen::MatrixXd measured = all.at(places);
  Data<double> data(task.model);
  ASSERT_EQ(measured.rows(), 2);
  for (std::size_t n = 0; n < places.size(); ++n) {
    const auto column = measured.col(static_cast<Eigen::Index>(n));
    EXPECT_EQ(column, single.at({places[n]}).col(0));
    const Eigen::VectorXd expected =
        inverse_dynamics(task.model, data, curve.at(places[n], 0), curve.at(places[n], 1), curve.at(places[n], 2));
    EXPECT_LT((column - expected).lpNorm<Eigen::Infinity>(), 1e-11 * (1 + expected.lpNorm<Eigen::Infinity>()));
  }
}

TEST(Verification, UtilisationOfOneSidedLimits) {
  // A straight line from −2 to −1 and 0.5 to 1 in 1 s.
  const Trajectory line(SplineBasis(1, 1), Eigen::VectorXd::Ones(1),
                        (Eigen::MatrixXd(2, 2) << -2, 0.5, -1, 1).finished());
  Task task = read(subject_to("  limits: {effort: none, velocity: none, position: none}\n"));
  const auto use = [&](int dof, Interval bounds) {
    task.limits.position.assign(2, {});
    task.limits.position[dof] = bounds;
    return check_limits(task, line, {}, 1e-6).at(0).utilisation;
  };
  EXPECT_DOUBLE_EQ(use(1, {-kInfinity, 2}), 0.5);
  EXPECT_DOUBLE_EQ(use(1, {-kInfinity, 0.8}), 1.25);
  EXPECT_DOUBLE_EQ(use(1, {0.25, kInfinity}), 0.5);  // 0.5 at its lowest
  EXPECT_DOUBLE_EQ(use(1, {0.625, kInfinity}), 1.25);
  EXPECT_DOUBLE_EQ(use(0, {-4, kInfinity}), 0.5);
  EXPECT_DOUBLE_EQ(use(0, {-1.6, kInfinity}), 1.25);
  EXPECT_DOUBLE_EQ(use(0, {-kInfinity, -0.5}), 0.5);
  EXPECT_DOUBLE_EQ(use(0, {-kInfinity, -1.25}), 1.25);
  EXPECT_DOUBLE_EQ(use(0, {-3, 1}), 0.5);  // 1 from the middle, of 2
}

TEST(Verification, ReportsOfKnownCurves) {
  // q = 4 t (1 − t) for the elbow: at most 1 at t = 0.5, velocity 4 … −4, acceleration −8
  const Trajectory bow(SplineBasis(2, 1), Eigen::VectorXd::Ones(1),
                       (Eigen::MatrixXd(3, 2) << 0, 0, 0, 2, 0, 0).finished());
  Task task = read(subject_to("  limits: {effort: none, velocity: {elbow: 5}, position: {elbow: [-9, 0.9]}}\n"));
  task.limits.position[0] = task.limits.velocity[0] = {};
  const std::vector<LimitReport> reports = check_limits(task, bow, {{0, 0.3}}, 1e-6);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_NEAR(reports[0].excess, 0.1 / 0.9, 1e-8);  // near a maximum, the place need not be exact
  EXPECT_NEAR(reports[0].worst_time, 0.5, 1e-3);
  ASSERT_EQ(reports[0].peaks.size(), 1u);
  EXPECT_NEAR(reports[0].peaks[0].place.fraction, 0.5, 1e-3);
  ASSERT_EQ(reports[0].active.size(), 1u);  // above 0.9 (to a thousandth) around the middle
  EXPECT_NEAR(reports[0].active[0].first, 0.5 - std::sqrt(0.1) / 2, 0.03);
  EXPECT_NEAR(reports[1].excess, -0.2, 1e-12);
  EXPECT_TRUE(reports[1].peaks.empty());

  const auto proven = [&](int order, double lower, double upper) {
    return certify(bow, {0, 1}, order, {{}, {lower, upper}}, 1e-6);
  };
  EXPECT_EQ(proven(0, -0.1, 1 + 1e-7), true);
  EXPECT_EQ(proven(0, -0.1, 1 - 1e-7), true);  // within the tolerance
  EXPECT_EQ(proven(0, -0.1, 1 - 1e-5), false);
  EXPECT_EQ(proven(1, -4, 4), true);
  EXPECT_EQ(proven(1, -3.99, 4), false);
  EXPECT_EQ(proven(2, -8, kInfinity), true);
  EXPECT_EQ(proven(2, -kInfinity, -8.1), false);
  EXPECT_EQ(certify(bow, {0, 1}, 0, {{}, {}}, 1e-6), std::nullopt);
}

TEST(Verification, SimulationFollowsARightMotion) {
  const Task task = test::shipped_task("joint_force_limited_lift");
  const Trajectory curve = predict(two_link(8, 30, 0)).trajectory;  // any smooth motion of two joints
  const SimulationCheck check = check_by_simulation(whole(task, curve), curve);
  EXPECT_LT(check.drift, 1e-8);
  EXPECT_LT(check.whole_horizon, 1e-6);
}

/// After an interruption nobody waits for it: what was not simulated to the end says nothing.
TEST(Verification, ASimulationStopsWhenAsked) {
  const Task task = two_link(12, 50, 0);
  const Solution solution = predict(task);
  int asked = 0;
  const SimulationCheck check =
      check_by_simulation(whole(task, solution.trajectory), solution.trajectory, [&] { return ++asked < 5; });
  EXPECT_LT(asked, 50);  // of thousands
  EXPECT_TRUE(check.stopped);
  EXPECT_TRUE(std::isnan(check.drift));
  EXPECT_TRUE(std::isnan(check.whole_horizon));
  Solution stopped = solution;
  stopped.verification.simulation_stopped = true;
  EXPECT_NE(summary_text(task, stopped).find("simulation drift       stopped before the end, as the time was up\n"),
            std::string::npos);
}

TEST(Verification, SimulationOfALongMotion) {
  // Five spans of two minutes for a pendulum that swings once in two seconds: steps of a fixed part of a span are of
  // no use.
  const Task task = read(subject_to("  start: {position: 0}\n", "double_pendulum"));
  const SplineBasis basis(5, 5);
  Eigen::MatrixXd points = Eigen::MatrixXd::Zero(10, 2);
  points.bottomRows(6).setConstant(0.3);
  const Trajectory slow(basis, Eigen::VectorXd::Constant(5, 120), points);
  Task driven = task;
  driven.limits.effort.assign(2, {});
  const SimulationCheck check = check_by_simulation(whole(driven, slow), slow);
  EXPECT_LT(check.drift, 1e-7);
  EXPECT_LT(check.whole_horizon, 1e-6);
}

TEST(Verification, SimulationLeavesAWrongMotion) {
  Task task = two_link(8, 30, 0);
  const Trajectory curve = predict(task).trajectory;
  task.limits.effort[1] = {3, 3};  // an effort that the motion does not have
  const SimulationCheck check = check_by_simulation(whole(task, curve), curve);
  EXPECT_GT(check.drift, 1e-3);
  EXPECT_GT(check.whole_horizon, check.drift);
}

/// Let go, a mass on a very stiff spring rings a million times a second: no patience follows that. The summary says
/// since when, not that it is infinitely far from the plan.
TEST(Verification, SimulationThatCannotGoOn) {
  const test::TemporaryModel slider(
      "  - {name: mass, joint: {name: x, type: prismatic, axis: [1, 0, 0], stiffness: 1e14}, mass: 1}\n");
  Task task = slider.whole_task("duration: 1\nminimize: [{effort: 1}]\n");
  const auto at = [](double x) {
    return Trajectory(SplineBasis(3, 10), Eigen::VectorXd::Constant(10, 0.1), Eigen::MatrixXd::Constant(13, 1, x));
  };
  const Trajectory rest = at(0), still = at(1);
  const SimulationCheck held = check_by_simulation(whole(task, rest), rest);
  EXPECT_EQ(held.drift, 0);
  EXPECT_FALSE(held.diverges_at);
  task.limits.effort[0] = {0, 0};
  const SimulationCheck released = check_by_simulation(whole(task, still), still);
  EXPECT_EQ(released.whole_horizon, kInfinity);
  ASSERT_TRUE(released.diverges_at);
  EXPECT_GT(*released.diverges_at, 0);
  EXPECT_LT(*released.diverges_at, 0.1);

  Solution solution(still);
  solution.verification.simulation_drift = 1e-7, solution.verification.whole_horizon_drift = kInfinity;
  solution.verification.diverges_at = 0.25;
  const std::string text = summary_text(task, solution);
  EXPECT_NE(text.find("1e-07 a span; the whole motion diverges at 0.25 s: it is unstable and needs feedback\n"),
            std::string::npos)
      << text;
}

/// t² times `factor`, within a second: control points are its blossoms at three knots each.
Trajectory parabola(double factor) {
  constexpr int kSpans = 10, kPoints = kSpans + 3;
  Eigen::MatrixXd points(kPoints, 1);
  for (int i = 0; i < kPoints; ++i) {
    const auto knot = [&](int k) { return std::clamp((i + k - 3) / double(kSpans), 0.0, 1.0); };
    points(i, 0) = factor * (knot(1) * knot(2) + knot(1) * knot(3) + knot(2) * knot(3)) / 3;
  }
  return Trajectory(SplineBasis(3, kSpans), Eigen::VectorXd::Constant(kSpans, 0.1), points);
}

/// Friction that would stop the mass within a microsecond: formulas that are not for stiff equations would need a step
/// for each.
TEST(Verification, StiffMotionsAreSimulated) {
  const test::TemporaryModel slider(
      "  - {name: mass, joint: {name: x, type: prismatic, axis: [1, 0, 0], friction: {viscous: 1e6}}, mass: 1}\n");
  const Task task = slider.whole_task("duration: 1\nminimize: [{effort: 1}]\n");
  const Trajectory motion = parabola(1);
  const SimulationCheck check = check_by_simulation(whole(task, motion), motion);
  EXPECT_LT(check.drift, 1e-9);
  EXPECT_LT(check.whole_horizon, 1e-8);
  EXPECT_FALSE(check.diverges_at);
}

/// A mass that nothing drives stays where it is: 100 m from its plan it is given up.
TEST(Verification, WhatIsFarFromItsPlanIsNotFollowed) {
  const test::TemporaryModel slider("  - {name: mass, joint: {name: x, type: prismatic, axis: [1, 0, 0]}, mass: 1}\n");
  Task task = slider.whole_task("duration: 1\nminimize: [{effort: 1}]\n");
  task.limits.effort[0] = {0, 0};
  const Trajectory far = parabola(1000), near = parabola(90);
  const SimulationCheck left = check_by_simulation(whole(task, far), far);
  EXPECT_EQ(left.whole_horizon, kInfinity);
  ASSERT_TRUE(left.diverges_at);
  EXPECT_NEAR(*left.diverges_at, std::sqrt(0.1), 1e-6);
  const SimulationCheck followed = check_by_simulation(whole(task, near), near);
  EXPECT_NEAR(followed.whole_horizon, 90, 1e-9);
  EXPECT_FALSE(followed.diverges_at);
}

TEST(Verification, APassiveJointThatIsOnlyPassiveAtNodes) {
  Task task = test::shipped_task("swing_up");
  task.curve.control_points = task.curve.nodes = 24;
  task.refine = RefineSpec::off();
  const Solution coarse = predict(task);
  task.refine.knots = 2;
  const Solution fine = predict(task);
  EXPECT_EQ(coarse.status, nlp::Status::not_verified);
  EXPECT_EQ(coarse.message.find("effort of elbow at "), 0u) << coarse.message;
  EXPECT_GT(coarse.verification.equation_residual, 0.1);  // N m between the nodes
  EXPECT_LT(fine.verification.equation_residual, coarse.verification.equation_residual / 3);
  EXPECT_GT(coarse.verification.simulation_drift, 1e-3);
  EXPECT_LT(fine.verification.simulation_drift, coarse.verification.simulation_drift / 10);
  // At the nodes there is nothing left.
  const Trajectory& curve = fine.trajectory;
  Batch batch(task.model, static_cast<int>(equation_nodes(curve).size()));
  for (int n = 0; n < batch.count(); ++n) {
    const Place place = equation_nodes(curve)[n];
    batch.q.set(n, curve.at(place, 0)), batch.v.set(n, curve.at(place, 1)), batch.a.set(n, curve.at(place, 2));
  }
  inverse_dynamics(task.model, batch);
  EXPECT_LT(batch.tau.matrix().row(1).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Verification, LimitsWithoutWidthAreEquations) {
  const Solution solution = predict(read(R"(format: verne-task/1
model: two_link.yaml
trajectory: {degree: 5, control_points: 8, nodes: 8}
duration: 1
minimize: [{effort: 1}]
subject_to:
  start: {position: {shoulder: 0, elbow: -1}}
  end: {position: {shoulder: 1}, velocity: {elbow: free}}
  limits: {acceleration: {elbow: 0}}
)"));
  ASSERT_TRUE(solution.success());
  // The elbow starts at rest and never accelerates.
  for (const double t : {0.2, 0.5, 1.0}) EXPECT_NEAR(solution.trajectory.at(t)[1], -1, 1e-6);
  EXPECT_LT(solution.verification.equation_residual, 1e-6);
}

TEST(Verification, AFrameHeldExactlyWithAnyDegree) {
  for (const int degree : {1, 2, 3}) {
    SCOPED_TRACE(degree);
    const Task task = read("trajectory: {control_points: 9, nodes: 9, degree: " + std::to_string(degree) + R"(}
format: verne-task/1
model: two_link.yaml
duration: 1
refine: off
minimize: [{reference: {posture: {elbow: 1}}}]
subject_to:
  start: {position: {shoulder: -0.6}, velocity: free}
  end: {position: {shoulder: -0.4}, velocity: free}
  limits: {effort: none, position: {elbow: [0.5, 2.5]}}
  frames: [{frame: tool, at: path, position: [0.6, free, free]}]
)");
    const Solution solution = predict(task);
    // Nine control points cannot hold it between the places where they do, and that is found out, by other means.
    const double error = *solution.verification.frames.at(0).position;
    EXPECT_EQ(solution.status, nlp::Status::not_verified);
    EXPECT_EQ(solution.message.find("position error of tool at "), 0u) << solution.message;
    EXPECT_NEAR(error, solution.verification.equation_residual, 1e-2 * error);  // both look at some places only
    // Exact at as many places as the curve can take
    const std::vector<Place> nodes = equation_nodes(solution.trajectory);
    Batch batch(task.model, static_cast<int>(nodes.size()));
    for (int n = 0; n < batch.count(); ++n) batch.q.set(n, solution.trajectory.at(nodes[n]));
    forward_kinematics(task.model, batch);
    for (int n = 0; n < batch.count(); ++n) EXPECT_NEAR(batch.poses(12 * task.frames[0].site, n), 0.6, 1e-6);
    EXPECT_GT(solution.verification.equation_residual, 1e-6);  // and what is left between them is told
  }
}

}  // namespace
}  // namespace verne
