#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>

#include "motion/task_text.h"
#include "support/complaint.h"
#include "support/paths.h"

namespace verne {
namespace {

using test::minimizing;
using test::problems;
using test::read;
using test::subject_to;
using test::TemporaryModel;
using test::with;

constexpr double kPi = std::numbers::pi;

void expect_interval(const Interval& x, double lower, double upper) {
  EXPECT_EQ(x.lower, lower);
  EXPECT_EQ(x.upper, upper);
}

TEST(TaskReader, TheShortestTaskHasTheDefaults) {
  const Task task = read(with(""));
  EXPECT_EQ(task.model.name(), "two_link");
  EXPECT_EQ(task.curve.degree, 3);
  EXPECT_EQ(task.curve.control_points, 12);
  EXPECT_EQ(task.curve.nodes, 50);
  EXPECT_FALSE(task.curve.free_knots);
  expect_interval(task.duration.bounds, 1, 1);
  expect_interval(task.start.position[1], -kInfinity, kInfinity);
  expect_interval(task.start.velocity[1], 0, 0);
  expect_interval(task.end.velocity[0], 0, 0);
  expect_interval(task.end.acceleration[0], -kInfinity, kInfinity);
  expect_interval(task.limits.position[0], -2 * kPi, 2 * kPi);
  expect_interval(task.limits.velocity[0], -50, 50);
  expect_interval(task.limits.effort[1], -10, 10);
  EXPECT_FALSE(task.limits.acceleration[0].bounded());
  EXPECT_FALSE(task.limits.jerk[0].bounded());
  EXPECT_EQ(task.limits.joint_force, std::vector<double>(3, kInfinity));
  EXPECT_EQ(task.refine.rounds, 8);
  EXPECT_EQ(task.starts.count, 1);
  EXPECT_EQ(task.samples, 201);
  EXPECT_FALSE(task.periodic || task.sweep || task.guess);
}

TEST(TaskReader, IsNamedAfterItsFile) {
  const std::string text = "format: verne-task/1\nmodel: two_link.yaml\nduration: 1\nminimize: [{effort: 1}]\n";
  const std::string models = test::source_dir() + "/models";
  EXPECT_EQ(read_task(text, "somewhere/lift_it.yaml", models).name, "lift_it");
  EXPECT_EQ(read_task("name: other\n" + text, "somewhere/lift_it.yaml", models).name, "other");
}

TEST(TaskReader, Settings) {
  const Task task = read(with(R"(name: n
description: d
trajectory: {degree: 5, control_points: 60, knots: free, min_spacing: 0.1}
refine: {tolerance: 1e-4, rounds: 3, knots: 2}
solver: {method: ipopt, tolerance: 1e-6, max_iterations: 7, max_seconds: 2 s, hessian: limited-memory}
starts: {count: 8, seed: 5, spread: 0.5, threads: 3}
output: {samples: 11}
guess: {through: [[0, 1], [90 deg, 2 rad]]}
)"));
  EXPECT_EQ(task.name + task.description, "nd");
  EXPECT_EQ(task.curve.degree, 5);
  EXPECT_EQ(task.curve.nodes, 60);
  EXPECT_TRUE(task.curve.free_knots);
  EXPECT_EQ(task.curve.min_spacing, 0.1);
  EXPECT_EQ(task.refine.tolerance, 1e-4);
  EXPECT_EQ(task.refine.rounds, 3);
  EXPECT_EQ(task.refine.knots, 2);
  EXPECT_EQ(task.solver.tolerance, 1e-6);
  EXPECT_EQ(task.solver.method, nlp::Method::ipopt);
  EXPECT_EQ(task.solver.max_iterations, 7);
  EXPECT_EQ(task.solver.max_seconds, 2);
  EXPECT_FALSE(task.solver.exact_hessian);
  EXPECT_EQ(task.starts.count, 8);
  EXPECT_EQ(task.starts.seed, 5u);
  EXPECT_EQ(task.starts.spread, 0.5);
  EXPECT_EQ(task.starts.threads, 3);
  EXPECT_EQ(read(with("starts: 8\n")).starts.count, 8);
  EXPECT_EQ(task.samples, 11);
  ASSERT_TRUE(task.guess.has_value());
  EXPECT_EQ(task.guess->eigen(), (Eigen::MatrixXd(2, 2) << 0, kPi / 2, 1, 2).finished());
  EXPECT_EQ(read(with("refine: off\n")).refine.rounds, 0);
  EXPECT_EQ(read(with("refine: off\n")).refine.knots, 0);
  EXPECT_FALSE(read(with("refine: off\n")).refine.switches);
  EXPECT_FALSE(read(with("refine: {knots: auto}\n")).refine.knots.has_value());
  EXPECT_EQ(read(with("refine: {gap: 1e-4}\n")).refine.gap, 1e-4);
}

TEST(TaskReader, ParametersAreNumbersEverywhereAndCanBeReplaced) {
  const std::string text = minimizing("  - time: 1 - u\n  - effort: {weight: w}\n",
                                      "parameters: {u: 0.25, w: 2*u}\nsweep: {u: {from: 0, to: 0.5, count: 3}}\n");
  const Task task = read(text);
  EXPECT_EQ(task.costs[0].weight, 0.75);
  EXPECT_EQ(task.costs[1].weight, 0.5);
  EXPECT_EQ(task.sweep->values(), (std::vector<double>{0, 0.25, 0.5}));
  const Task other = read(text, {{"u", 0.1}});
  EXPECT_EQ(other.costs[0].weight, 0.9);
  EXPECT_EQ(other.costs[1].weight, 0.2);
  EXPECT_EQ(other.parameters.at("w"), 0.2);
  EXPECT_EQ(problems(text, {{"uu", 1}}), "t: error: there is no parameter 'uu' (did you mean 'u'?)");
  EXPECT_EQ(
      problems(with("parameters: {pi: 3}\nsweep: {v: {from: 0, to: 1, count: 2}}\n")),
      "t:6: error: parameters: 'pi' cannot name a parameter: expected a word other than pi, inf, deg, sqrt, sin and "
      "cos\nt:7: error: sweep: there is no parameter 'v'");
}

TEST(TaskReader, Durations) {
  const auto duration = [](const std::string& value) {
    return read("format: verne-task/1\nmodel: two_link.yaml\nminimize: []\nduration: " + value).duration;
  };
  expect_interval(duration("1.5 s").bounds, 1.5, 1.5);
  expect_interval(duration("free").bounds, 0.01, 100);
  expect_interval(duration("{free: [0.1, 2], guess: 0.5}").bounds, 0.1, 2);
  EXPECT_EQ(duration("{free: [0.1, 2], guess: 0.5}").guess, 0.5);
  const auto problem = [&](const std::string& value) { return test::complaint<InputError>([&] { duration(value); }); };
  EXPECT_EQ(problem("0"), "t:4: error: duration: expected a positive number, found '0'");
  EXPECT_EQ(problem("2 m"), "t:4: error: duration: expected a number in s, found '2 m'");
  EXPECT_EQ(problem("{free: [0, 2]}"),
            "t:4: error: duration: free: expected positive, finite bounds of the duration, found [0, 2]");
  EXPECT_EQ(problem("{free: [2, 1]}"), "t:4: error: duration: free: expected lower <= upper, found [2, 1]");
  EXPECT_EQ(problem("{free: [1, 2], guess: 3}"), "t:4: error: duration: guess: 3 s lies outside of the bounds");
}

TEST(TaskReader, States) {
  const Task task = read(subject_to(R"(  start: {position: [0, -2], velocity: free}
  end: {position: {elbow: {between: [-1, 1]}}, velocity: {shoulder: 3 rad/s}, acceleration: 0}
  via: [{at: 0.25, position: {elbow: -70 deg}}]
)"));
  expect_interval(task.start.position[0], 0, 0);
  expect_interval(task.start.position[1], -2, -2);
  expect_interval(task.start.velocity[1], -kInfinity, kInfinity);
  expect_interval(task.end.position[0], -kInfinity, kInfinity);
  expect_interval(task.end.position[1], -1, 1);
  expect_interval(task.end.velocity[0], 3, 3);
  expect_interval(task.end.velocity[1], 0, 0);
  expect_interval(task.end.acceleration[1], 0, 0);
  EXPECT_EQ(task.end.line, 8);
  ASSERT_EQ(task.via.size(), 1u);
  EXPECT_EQ(task.via[0].at, 0.25);
  EXPECT_DOUBLE_EQ(task.via[0].state.position[1].lower, -70 * kPi / 180);
  EXPECT_FALSE(task.via[0].state.position[0].bounded());
  EXPECT_FALSE(task.via[0].state.velocity[0].bounded());
}

TEST(TaskReader, Limits) {
  const LimitsSpec limits = read(subject_to(R"(  limits:
    position: {elbow: [-2, 2]}
    velocity: 3
    acceleration: {elbow: [-20, 10]}
    jerk: {shoulder: 100 rad/s^3}
    effort: {elbow: 5 Nm, shoulder: none}
    joint_force: {shoulder: 30}
    joint_moment: 4
)"))
                                .limits;
  expect_interval(limits.position[0], -2 * kPi, 2 * kPi);
  expect_interval(limits.position[1], -2, 2);
  expect_interval(limits.velocity[0], -3, 3);
  expect_interval(limits.acceleration[0], -kInfinity, kInfinity);
  expect_interval(limits.acceleration[1], -20, 10);
  expect_interval(limits.jerk[0], -100, 100);
  expect_interval(limits.effort[0], -kInfinity, kInfinity);
  expect_interval(limits.effort[1], -5, 5);
  EXPECT_EQ(limits.joint_force, (std::vector<double>{kInfinity, 30, kInfinity}));
  EXPECT_EQ(limits.joint_moment, (std::vector<double>{kInfinity, 4, 4}));

  EXPECT_EQ(limits.effort_rms, (std::vector<double>{kInfinity, kInfinity}));
  EXPECT_EQ(read(subject_to("  limits: {effort_rms: {elbow: 3 N m}}\n")).limits.effort_rms,
            (std::vector<double>{kInfinity, 3}));
  EXPECT_EQ(read(subject_to("  limits: {effort_rms: 3}\n", "double_pendulum")).limits.effort_rms,
            (std::vector<double>{3, kInfinity}));
  EXPECT_EQ(read(subject_to("  limits: {effort_rate: {elbow: 30 N m/s}}\n")).limits.effort_rate,
            (std::vector<double>{kInfinity, 30}));
  EXPECT_EQ(problems(subject_to("  limits: {effort_rate: {elbow: -1, shoulder: 3 N m}}\n")),
            "t:7: error: subject_to: limits: effort_rate: elbow: expected a positive number, found '-1'\n"
            "t:7: error: subject_to: limits: effort_rate: shoulder: expected a number in N m/s, found '3 N m'");
  EXPECT_EQ(problems(subject_to("  limits: {effort_rms: {elbow: 0, shoulder: 3 N}}\n")),
            "t:7: error: subject_to: limits: effort_rms: elbow: expected a positive number, found '0'\n"
            "t:7: error: subject_to: limits: effort_rms: shoulder: expected a number in N m, found '3 N'");
  EXPECT_EQ(problems(subject_to("  limits: {effort_rms: {elbow: 3}}\n", "double_pendulum")),
            "t:7: error: subject_to: limits: effort_rms: elbow: the joint is not actuated: its effort is zero");

  const auto curves = read(subject_to(R"(  limits:
    torque_speed: {shoulder: {stall: 30 N m, no_load: 90 deg/s}, elbow: {points: [[0, 10], [2 rad/s, 10 N m], [4, 6]]}}
)"))
                          .limits.torque_speed;
  ASSERT_EQ(curves[0].size(), 1u);
  EXPECT_EQ(curves[0][0].stall, 30);
  EXPECT_DOUBLE_EQ(curves[0][0].slope, 30 / (kPi / 2));
  ASSERT_EQ(curves[1].size(), 2u);
  EXPECT_EQ(curves[1][0].slope, 0);
  EXPECT_EQ(curves[1][1].stall, 14);
  EXPECT_EQ(curves[1][1].slope, 2);

  const LimitsSpec listed = read(subject_to("  limits: {acceleration: [1, 2, 3, 4, 5, 6, 7], jerk: [1, 2, [-3, 5], 4, "
                                            "none, 6, 7]}\n",
                                            "arm7"))
                                .limits;
  expect_interval(listed.acceleration[6], -7, 7);
  expect_interval(listed.jerk[2], -3, 5);
  expect_interval(listed.jerk[4], -kInfinity, kInfinity);

  const LimitsSpec none = read(subject_to("  limits: {position: none, velocity: none, effort: none}\n")).limits;
  EXPECT_FALSE(none.position[0].bounded() || none.velocity[1].bounded() || none.effort[0].bounded());
  const LimitsSpec model = read(subject_to("  limits: {position: model, velocity: model, effort: model}\n")).limits;
  expect_interval(model.velocity[1], -50, 50);
}

TEST(TaskReader, Costs) {
  const std::string text = minimizing(R"(  - time: 0.5
  - effort: {weight: 2, normalize: true, joints: {elbow: 3}}
  - joint_force: {joints: [elbow]}
  - joint_force: 1
  - energy: {smoothing: 0.01 W}
  - smoothness: {of: jerk, joints: [shoulder]}
  - reference: {weight: 4, posture: {elbow: -1}}
  - effort_rate: {weight: 5, normalize: true, joints: {elbow: 3}}
)");
  const std::vector<CostSpec> costs = read(text).costs;
  ASSERT_EQ(costs.size(), 8u);
  EXPECT_EQ(costs[0].type, &cost_type("time"));
  EXPECT_EQ(costs[0].weight, 0.5);
  EXPECT_EQ(costs[1].type, &cost_type("effort"));
  EXPECT_EQ(costs[1].weight, 2);
  EXPECT_EQ(costs[1].scale, (std::vector<double>{0, 3. / 100}));
  EXPECT_EQ(costs[2].scale, (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(costs[3].scale, (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(costs[4].smoothing, 0.01);
  EXPECT_EQ(costs[4].scale, (std::vector<double>{1, 1}));
  EXPECT_EQ(costs[5].order, 3);
  EXPECT_EQ(costs[5].scale, (std::vector<double>{1, 0}));
  EXPECT_EQ(costs[6].weight, 4);
  EXPECT_EQ(costs[6].scale, (std::vector<double>{0, 1}));
  EXPECT_EQ(costs[6].target, (std::vector<double>{0, -1}));
  EXPECT_EQ(costs[7].type, &cost_type("effort_rate"));
  EXPECT_EQ(costs[7].scale, costs[1].scale);
}

TEST(TaskReader, Frames) {
  const Task task = read(subject_to(R"(  frames:
    - {frame: tool, at: start, position: [0.3, free, 0.5 m], tolerance: 0.1}
    - {frame: link1, at: path, orientation: {rpy: [0, 0, 90 deg]}, tolerance: 5 deg}
    - {frame: tool, at: 0.5, point: [0, 0, 1], position: [1, 2, 3], orientation: {quaternion: [0, 0, 0, 1]}}
    - {frame: tool, axis: [0, 3, 4], points: [0, 0, -2], tolerance: 10 deg}
    - {frame: tool, at: 0.5, position: [{between: [0.1, inf]}, free, 0], velocity: [0.5 m/s, free, {between: [-1, 2]}]}
)"));
  ASSERT_EQ(task.frames.size(), 5u);
  EXPECT_EQ(task.frames[0].site, task.model.site("tool"));
  EXPECT_EQ(task.frames[0].when.at, 0);
  expect_interval(task.frames[0].position[0], 0.3, 0.3);
  EXPECT_EQ(task.frames[0].position_tolerance, 0.1);
  EXPECT_FALSE(task.frames[0].position[1].bounded());
  EXPECT_FALSE(task.frames[0].orientation.has_value());
  EXPECT_EQ(task.frames[1].site, task.model.site("link1"));
  EXPECT_TRUE(task.frames[1].when.path);
  EXPECT_TRUE(task.frames[1].position.empty());
  const Vec3<double> turned = *task.frames[1].orientation * Vec3<double>{1, 0, 0};
  EXPECT_NEAR(turned.y, 1, 1e-15);
  EXPECT_DOUBLE_EQ(task.frames[1].angle_tolerance, 5 * kPi / 180);
  EXPECT_EQ(task.frames[2].when.at, 0.5);
  EXPECT_EQ(task.frames[2].point.z, 1);
  expect_interval(task.frames[2].position[2], 3, 3);
  EXPECT_EQ(task.frames[2].orientation->m[0], 1);
  EXPECT_DOUBLE_EQ(task.frames[3].axis->axis.y, 0.6);
  EXPECT_DOUBLE_EQ(task.frames[3].axis->points.z, -1);
  EXPECT_DOUBLE_EQ(task.frames[3].angle_tolerance, 10 * kPi / 180);
  EXPECT_TRUE(task.frames[3].position.empty() && task.frames[3].velocity.empty());
  expect_interval(task.frames[4].position[0], 0.1, kInfinity);
  expect_interval(task.frames[4].velocity[0], 0.5, 0.5);
  EXPECT_FALSE(task.frames[4].velocity[1].bounded());
  expect_interval(task.frames[4].velocity[2], -1, 2);
}

TEST(TaskReader, Loads) {
  const Task task = read(subject_to(
      "  loads: [{frame: tool, force: [1 N, 2, 3], point: [0, 0.1 m, 0]}, {frame: link1, moment: [0, 0, 2 N m]}]\n"));
  ASSERT_EQ(task.loads.size(), 2u);
  EXPECT_EQ(task.loads[0].site, task.model.site("tool"));
  EXPECT_EQ(task.loads[0].force.z, 3);
  EXPECT_EQ(task.loads[0].moment.x, 0);
  EXPECT_EQ(task.loads[0].point.y, 0.1);
  EXPECT_EQ(task.loads[1].site, task.model.link("link1"));
  EXPECT_EQ(task.loads[1].moment.z, 2);
  EXPECT_EQ(problems(subject_to("  loads: [{frame: tol, force: [1, 2]}, {frame: tool}, {force: [0, 0, 1 m]}]\n")),
            "t:7: error: subject_to: loads: 1: frame: there is no link or frame 'tol' (did you mean 'tool'?)\n"
            "t:7: error: subject_to: loads: 1: force: expected a list of 3 numbers, found a list of 2\n"
            "t:7: error: subject_to: loads: 2: expected force or moment\n"
            "t:7: error: subject_to: loads: 3: frame is missing\n"
            "t:7: error: subject_to: loads: 3: force: expected a number in N, found '1 m'");
}

TEST(TaskReader, ObstaclesAndTheCapsulesOfLinks) {
  const Task task = read(subject_to(R"(  keep_out:
    - {name: ball, sphere: {center: [1, 2, 3], radius: 0.1}, links: [link2], margin: 0.01}
    - {capsule: {from: [0, 0, 0], to: [0, 0, 1], radius: 5e-2}}
    - sphere: {center: [0, 0, 0], radius: 1}
      links: [{link: link1, from: [0, 0, 0.1], to: [0, 0, 0.2], radius: 0.3}, base]
)"));
  ASSERT_EQ(task.keep_out.size(), 3u);
  const KeepOutSpec& ball = task.keep_out[0];
  EXPECT_EQ(ball.obstacle.name, "ball");
  EXPECT_EQ(ball.obstacle.from.y, 2);
  EXPECT_EQ(ball.obstacle.to.z, 3);
  EXPECT_EQ(ball.margin, 0.01);
  ASSERT_EQ(ball.parts.size(), 1u);
  // The rod of models/two_link.yaml lies behind the link's frame, along -x.
  EXPECT_EQ(ball.parts[0].link, task.model.link("link2"));
  EXPECT_NEAR(ball.parts[0].from.x, -0.4, 1e-15);
  EXPECT_NEAR(ball.parts[0].to.x, 0, 1e-15);
  EXPECT_EQ(ball.parts[0].radius, 0.02);
  EXPECT_EQ(task.keep_out[1].obstacle.name, "obstacle 2");
  EXPECT_EQ(task.keep_out[1].obstacle.to.z, 1);
  EXPECT_EQ(task.keep_out[1].parts.size(), 2u);  // both links that move
  EXPECT_EQ(task.keep_out[2].parts[0].to.z, 0.2);
  EXPECT_EQ(task.keep_out[2].parts[1].link, task.model.link("base"));
  EXPECT_EQ(problems(subject_to("  keep_out: [{links: [link9], margin: -1}]\n")),
            "t:7: error: subject_to: keep_out: 1: expected one of sphere, capsule, box and against\n"
            "t:7: error: subject_to: keep_out: 1: links: there is no link 'link9' (did you mean 'link1'?)\n"
            "t:7: error: subject_to: keep_out: 1: margin: expected a number that is not negative, found '-1'");
}

TEST(TaskReader, BoxesAndOtherLinks) {
  const Task task = read(subject_to(R"(  keep_out:
    - {box: {center: [1, 2, 3], size: [0.1 m, 0.2, 0.3], rpy: [0, 0, 90 deg]}, links: [link2]}
    - {against: [base], margin: 0.05}
    - {against: [{link: link1, from: [0, 0, 0], radius: 0.1}], links: [link2]}
)"));
  ASSERT_TRUE(task.keep_out[0].obstacle.box.has_value());
  EXPECT_EQ(task.keep_out[0].obstacle.box->pose.p.y, 2);
  EXPECT_EQ(task.keep_out[0].obstacle.box->size.z, 0.3);
  EXPECT_NEAR(task.keep_out[0].obstacle.box->pose.R(1, 0), 1, 1e-15);
  EXPECT_TRUE(task.keep_out[0].against.empty());
  // All that move but the one that hangs on the base
  ASSERT_EQ(task.keep_out[1].parts.size(), 1u);
  EXPECT_EQ(task.keep_out[1].parts[0].link, task.model.link("link2"));
  EXPECT_EQ(task.keep_out[1].against[0].link, task.model.link("base"));
  EXPECT_EQ(task.keep_out[2].against[0].radius, 0.1);
  EXPECT_EQ(problems(subject_to(R"(  keep_out:
    - {box: {size: [1, 0, 1]}, sphere: {center: [0, 0, 0], radius: 1}}
    - {against: [link1], links: [link2, link1]}
    - {against: [nobody]}
)")),
            "t:8: error: subject_to: keep_out: 1: expected one of sphere, capsule, box and against\n"
            "t:8: error: subject_to: keep_out: 1: box: center is missing\n"
            "t:8: error: subject_to: keep_out: 1: box: size: expected three positive numbers, found a list of 3\n"
            "t:9: error: subject_to: keep_out: 2: against: 'link1' and 'link1' do not move against each other\n"
            "t:10: error: subject_to: keep_out: 3: against: there is no link 'nobody'");
  const auto slender = [](const std::string& zone) {
    return problems(subject_to(
        "  keep_out: [{links: [{link: link2, from: [0, 0, 0], to: [1e6, 0, 0], radius: 1e-9}], " + zone + "}]\n"));
  };
  const std::string message =
      " times as long as its distance to keep: expected a radius or margin for which it is at most 1000";
  EXPECT_EQ(slender("box: {center: [0, 9, 0], size: [1, 1, 1]}, margin: 1"), "none");
  EXPECT_EQ(slender("capsule: {from: [0, 0, 0], to: [0, 3, 0], radius: 1e-3}"),
            "t:7: error: subject_to: keep_out: 1: something is 3000" + message);
  EXPECT_EQ(slender("against: [{link: link1, from: [0, 0, 0], to: [0, 0, 2000], radius: 1}]"),
            "t:7: error: subject_to: keep_out: 1: something is 2000" + message);
  EXPECT_EQ(slender("sphere: {center: [0, 9, 0], radius: 1}"), "none");
}

TEST(TaskReader, ShapesBecomeCapsulesThatContainThem) {
  const TemporaryModel model(R"(
  - name: arm
    joint: {type: revolute}
    mass: 1
    inertia: [1, 1, 1]
    visuals:
      - box: {size: [0.3, 1, 0.4]}
        pose: {xyz: [0, 0, 2]}
      - sphere: {radius: 0.1}
      - mesh: {file: a.stl}
      - cylinder: {radius: 0.2, length: 3}
        pose: {rpy: [0, 90 deg, 0]}
  - name: bone
    joint: {type: revolute}
    pose: {xyz: [0, 0, 1]}
    mass: 1
    inertia: [1, 1, 1]
    visuals: [{mesh: {file: a.stl}}]
  - name: tip
    joint: {type: revolute}
    pose: {xyz: [0.5, 0, 0]}
    mass: 1
    com: [0, 0.25, 0]
    inertia: [1, 1, 1]
)");
  const Task task = model.task("  keep_out: [{sphere: {center: [9, 9, 9], radius: 1}}]\n");
  const std::vector<LinkCapsule>& parts = task.keep_out[0].parts;
  ASSERT_EQ(parts.size(), 5u);
  const auto expect = [](const LinkCapsule& part, const Vec3<double>& from, const Vec3<double>& to, double radius) {
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(part.from[k], from[k], 1e-15) << k;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(part.to[k], to[k], 1e-15) << k;
    EXPECT_DOUBLE_EQ(part.radius, radius);
  };
  expect(parts[0], {0, -0.5, 2}, {0, 0.5, 2}, 0.25);  // half of the diagonal of 0.3 x 0.4
  expect(parts[1], {0, 0, 0}, {0, 0, 0}, 0.1);
  expect(parts[2], {-1.5, 0, 0}, {1.5, 0, 0}, 0.2);
  expect(parts[3], {0, 0, 0}, {0.5, 0, 0}, 0.05);   // from joint to joint
  expect(parts[4], {0, 0, 0}, {0, 0.25, 0}, 0.05);  // from joint to centre of mass
}

TEST(TaskReader, JointsWithSeveralCoordinatesAndCoupledOnes) {
  const TemporaryModel model(R"(
  - name: cart
    joint: {name: cart, type: planar}
    mass: 1
    inertia: [1, 1, 1]
  - name: a
    joint: {name: a, type: revolute}
    mass: 1
    inertia: [1, 1, 1]
  - name: b
    joint: {name: b, type: revolute, mimic: {joint: a, ratio: 2}}
    mass: 1
    inertia: [1, 1, 1]
)");
  const Task task =
      model.task("  start: {position: {cart.x: 3 m, cart.angle: 90 deg, a: 1}}\n  limits: {velocity: {cart: 2}}\n");
  ASSERT_EQ(task.start.position.size(), 4u);
  EXPECT_EQ(task.start.position[0].lower, 3);
  EXPECT_DOUBLE_EQ(task.start.position[2].lower, kPi / 2);
  EXPECT_EQ(task.start.position[3].lower, 1);
  EXPECT_EQ(task.limits.velocity[1].upper, 2);
  EXPECT_EQ(task.limits.velocity[3].upper, kInfinity);
  EXPECT_EQ(model.problems("  start: {position: {b: 1, root_joint: 2, cart.angle: 1 m}}\n"),
            "t:6: error: subject_to: start: position: joint 'b' follows joint 'a': name that one instead\n"
            "t:6: error: subject_to: start: position: joint 'root_joint' is fixed\n"
            "t:6: error: subject_to: start: position: cart.angle: expected a number in rad, found '1 m'");
}

TEST(TaskReader, Periodic) {
  EXPECT_FALSE(read(subject_to("  periodic: false\n")).periodic.has_value());
  const Task all = read(subject_to("  periodic: true\n"));
  EXPECT_EQ(all.periodic->dofs, (std::vector<int>{0, 1}));
  EXPECT_EQ(all.periodic->difference, (std::vector<double>{0, 0}));
  EXPECT_FALSE(all.start.velocity[0].bounded());  // not at rest: it goes on
  const Task one = read(subject_to("  periodic: {joints: [elbow], difference: {elbow: 2*pi}}\n"));
  EXPECT_EQ(one.periodic->dofs, std::vector<int>{1});
  EXPECT_EQ(one.periodic->difference, std::vector<double>{2 * kPi});
  expect_interval(one.start.velocity[0], 0, 0);
  EXPECT_EQ(problems(subject_to("  start: {position: 0}\n  end: {position: [0, 1]}\n  periodic: true\n")),
            "t:8: error: subject_to: periodic: position of 'elbow' goes from 0 to 1, but must change by 0");
  EXPECT_EQ(problems(subject_to("  start: {velocity: 1}\n  end: {velocity: [1, 2]}\n  periodic: true\n")),
            "t:8: error: subject_to: periodic: velocity of 'elbow' goes from 1 to 2, but must change by 0");
}

TEST(TaskReader, PassiveJointsHaveNoEffort) {
  const std::string model = "double_pendulum";
  const Task task = read(subject_to("  limits: {effort: 5}\n", model));
  expect_interval(task.limits.effort[0], -5, 5);
  expect_interval(task.limits.effort[1], 0, 0);
  EXPECT_EQ(problems(subject_to("  limits: {effort: {elbow: 5}}\n", model)),
            "t:7: error: subject_to: limits: effort: elbow: the joint is not actuated: its effort is zero");
  EXPECT_EQ(problems(minimizing("  - time: 1\n", "", model)), "none");
}

/// Their efforts are equations all along the motion, which finer and smoother curves meet.
TEST(TaskReader, PassiveJointsHaveSmootherCurves) {
  EXPECT_EQ(read(with("", "double_pendulum")).curve.degree, 5);
  EXPECT_EQ(read(with("", "double_pendulum")).curve.control_points, 40);
  EXPECT_EQ(read(with("drive: all\n", "double_pendulum")).curve.degree, 3);
  const Task own = read(with("trajectory: {degree: 4, control_points: 9}\n", "double_pendulum"));
  EXPECT_EQ(own.curve.degree, 4);
  EXPECT_EQ(own.curve.control_points, 9);
  EXPECT_EQ(read(with("trajectory: {control_points: 5}\n", "double_pendulum")).curve.degree, 4);
}

/// Each way from one place to the next has spans of its own, unless the task says otherwise.
TEST(TaskReader, CurvesAreAsLongAsTheirWays) {
  const auto size = [](const std::string& text) {
    const CurveSpec curve = read(text).curve;
    return std::pair(curve.control_points, curve.nodes);
  };
  const std::string via = "  via: [{at: 0.5, position: 1}, {at: 0.25, position: 1}]\n";
  EXPECT_EQ(size(subject_to("  start: {position: 0}\n")), std::pair(12, 50));
  EXPECT_EQ(size(subject_to(via)), std::pair(30, 126));
  EXPECT_EQ(size(subject_to(via + "  frames: [{frame: link2, at: 0.25, position: [1, free, free]}]\n")),
            std::pair(30, 126));
  EXPECT_EQ(size(subject_to("  frames: [{frame: link2, at: 0.75, position: [1, free, free]},"
                            " {frame: link2, at: end, position: [0, free, free]},"
                            " {frame: link2, at: path, position: [free, 0, free], tolerance: 1}]\n")),
            std::pair(21, 88));
  EXPECT_EQ(size(with("phases: [{name: one, via: [{at: 0.5, position: 1}]}, {name: two}]\n")), std::pair(30, 126));
  EXPECT_EQ(size(with("trajectory: {control_points: 15}\nsubject_to:\n" + via)), std::pair(15, 50));
  EXPECT_EQ(size(with("trajectory: {nodes: 40}\nsubject_to:\n" + via)), std::pair(12, 40));
  std::string many;
  for (int k = 1; k < 10; ++k) many += "    - {at: 0." + std::to_string(k) + ", position: 0, velocity: 0}\n";
  EXPECT_EQ(size(subject_to("  start: {position: 0}\n  end: {position: 0}\n  via:\n" + many)), std::pair(93, 392));
}

TEST(TaskReader, ViaPointsThatExcludeEachOther) {
  EXPECT_EQ(problems(subject_to("  via:\n    - {at: 0.5, position: {elbow: 1}}\n    - {at: 0.5, position: [0, 2]}\n")),
            "t:9: error: subject_to: via: position of 'elbow' is 2 here and 1 in line 8, at the same time");
  EXPECT_EQ(problems(subject_to("  via:\n    - {at: 0.5, position: {elbow: 1}}\n    - {at: 0.5, velocity: 0}\n")),
            "none");
}

TEST(TaskReader, DurationsThatNumbersCannotBear) {
  const auto lasting = [](const std::string& duration) {
    return problems("format: verne-task/1\nmodel: two_link.yaml\nduration: " + duration +
                    "\nminimize:\n  - effort: 1\n");
  };
  EXPECT_EQ(lasting("1e-300"), "t:3: error: duration: expected at least 1e-06 s, found 1e-300");
  EXPECT_EQ(lasting("{free: [1e-7, 1]}"), "t:3: error: duration: free: expected at least 1e-06 s, found 1e-07");
  EXPECT_EQ(lasting("1e-6"), "none");
}

TEST(TaskReader, ATaskMayDriveWhatTheModelDoesNot) {
  const std::string model = "double_pendulum";
  EXPECT_FALSE(read(with("", model)).model.joints()[2].spec.actuated);
  for (const char* drive : {"drive: all\n", "drive: [elbow]\n"}) {
    const Task task = read(with(drive + std::string("subject_to: {limits: {effort: {elbow: 5}}}\n"), model));
    expect_interval(task.limits.effort[1], -5, 5);
    EXPECT_TRUE(task.model.joints()[2].spec.actuated);
    EXPECT_TRUE(task.model.joints()[1].spec.actuated);
  }
  expect_interval(read(with("drive: [shoulder]\n", model)).limits.effort[1], 0, 0);
  EXPECT_EQ(problems(with("drive: [elbo]\n", model)),
            "t:6: error: drive: there is no joint 'elbo' (did you mean 'elbow'?)");
  EXPECT_EQ(problems(with("drive: none\n", model)),
            "t:6: error: drive: expected all or a list of joints, found 'none'");
}

TEST(TaskReader, StarsStandForTheRestOfAName) {
  const Task task = read(test::with("hold: [spine*_flexion, neck_*, '*_rotation_l']\n", "human55"));
  std::string held;
  for (int i = 0; i < task.model.nv(); ++i) {
    if (task.held[i]) held += std::string(task.model.dof_names()[i]) + " ";
  }
  EXPECT_EQ(held,
            "spine1_flexion spine2_flexion spine3_flexion spine4_flexion neck_lower_flexion neck_lower_lateral "
            "neck_lower_rotation neck_upper_flexion neck_upper_rotation shoulder_rotation_l hip_rotation_l ");
}

TEST(TaskReader, ShippedTasksAreSound) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/tasks")) {
    if (entry.path().extension() != ".yaml") continue;
    const Task task = load_task(entry.path().string());
    EXPECT_EQ(task.name, entry.path().stem().string());
    EXPECT_FALSE(task.description.empty());
    EXPECT_TRUE(std::filesystem::exists(task.model_file)) << task.model_file;
    ++count;
  }
  EXPECT_GE(count, 8);
}

}  // namespace
}  // namespace verne
