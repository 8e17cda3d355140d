// Tasks that make no sense: every problem is named with its line.
#include <gtest/gtest.h>

#include <numbers>

#include "motion/task_text.h"

namespace verne {
namespace {

using test::minimizing;
using test::models;
using test::problems;
using test::read;
using test::subject_to;
using test::TemporaryModel;
using test::with;

TEST(TaskProblems, CostProblems) {
  EXPECT_EQ(problems(minimizing("  - tim: 1\n  - effort: {weight: -1, normalise: true}\n  - time: 1\n    energy: 1\n")),
            "t:5: error: minimize: unknown key 'tim' (did you mean 'time'?)\n"
            "t:6: error: minimize: effort: unknown key 'normalise' (did you mean 'normalize'?)\n"
            "t:6: error: minimize: effort: weight: expected a number that is not negative, found '-1'\n"
            "t:7: error: minimize: expected one cost in each item of the list, found 2");
  EXPECT_EQ(problems(minimizing("  - effort: {normalize: true}\n", "subject_to: {limits: {effort: {elbow: none}}}\n")),
            "t:5: error: minimize: effort: normalize: joint 'elbow' has no effort limit");
  EXPECT_EQ(problems(minimizing("  - peak_effort: {normalize: true}\n  - peak_effort: {joints: [elbo]}\n",
                                "subject_to: {limits: {effort: {elbow: none}}}\n")),
            "t:5: error: minimize: peak_effort: normalize: joint 'elbow' has no effort limit\n"
            "t:6: error: minimize: peak_effort: joints: there is no joint 'elbo' (did you mean 'elbow'?)");
  EXPECT_EQ(problems(minimizing("  - peak_effort: {joints: [elbow]}\n", "", "double_pendulum")),
            "t:5: error: minimize: peak_effort: joints: expected at least one joint that is driven");
  EXPECT_EQ(problems(minimizing("  mean: [{time: 1}, {effort: 1}]\n")),
            "t:5: error: minimize: mean: time has the mean 1 whatever moves: leave it out");
  EXPECT_EQ(problems(minimizing("  maen: []\n")),
            "t:5: error: minimize: unknown key 'maen'\nt:5: error: minimize: mean is missing");
}

TEST(TaskProblems, FrameProblems) {
  EXPECT_EQ(
      problems(subject_to(R"(  frames:
    - {frame: tol, position: [0, 0, 0]}
    - {frame: tool, at: 2, position: [0, 0]}
    - {frame: tool, at: middle}
    - {frame: tool, position: [0, 0, 0], tolerance: 1 deg}
    - {frame: tool, position: [0, 0, 0], orientation: {}, tolerance: 1}
    - {frame: tool, axis: [0, 0, 0], tolerance: 4}
    - {frame: tool, axis: [0, 0, 1], points: [0, 0, 1], orientation: {}}
    - {frame: tool, velocity: [1 m, {between: [2, 1]}, 0], tolerance: 1}
    - {frame: tool, orientation: {}, per_second: [1, 0, 0]}
)")),
      "t:8: error: subject_to: frames: 1: frame: there is no link or frame 'tol' (did you mean 'tool'?)\n"
      "t:9: error: subject_to: frames: 2: at: expected start, end, path or a fraction of the duration, found '2'\n"
      "t:9: error: subject_to: frames: 2: position: expected [x, y, z] in the world, each a number, free or {between: "
      "[lower, upper]}, found a list of 2\n"
      "t:10: error: subject_to: frames: 3: at: expected a number, found 'middle' (unknown name 'middle')\n"
      "t:10: error: subject_to: frames: 3: expected position, orientation, axis or velocity\n"
      "t:11: error: subject_to: frames: 4: tolerance: expected a number in m, found '1 deg'\n"
      "t:12: error: subject_to: frames: 5: the tolerance is of either position or orientation: write two entries\n"
      "t:13: error: subject_to: frames: 6: points is missing\n"
      "t:13: error: subject_to: frames: 6: axis: expected a direction, which is not zero, found a list of 3\n"
      "t:13: error: subject_to: frames: 6: tolerance: expected at most 3.141592653589793, found '4'\n"
      "t:14: error: subject_to: frames: 7: an orientation says where every axis points: expected one of both\n"
      "t:15: error: subject_to: frames: 8: velocity: expected a number in m/s, found '1 m'\n"
      "t:15: error: subject_to: frames: 8: velocity: between: expected lower <= upper, found [2, 1]\n"
      "t:15: error: subject_to: frames: 8: a velocity has no tolerance: use {between: [lower, upper]}\n"
      "t:16: error: subject_to: frames: 9: per_second: expected a position, which moves on");
  const std::string moving = "  frames: [{frame: tool, velocity: [1, free, free]}]\n";
  EXPECT_EQ(problems(subject_to(moving)),
            "t:7: error: subject_to: frames: 1: velocity: the motion is at rest at its end: give joints a velocity "
            "there, as in `end: {velocity: free}`");
  EXPECT_EQ(problems(subject_to(moving + "  end: {velocity: {elbow: free}}\n")), "none");
}

TEST(TaskProblems, TorqueSpeedCurves) {
  EXPECT_EQ(
      problems(subject_to(R"(  limits:
    torque_speed:
      shoulder: {stall: 3 N, no_load: 0}
      elbow: {stall: 3, points: [[1, 2]]}
      wrist: {}
)")),
      "t:9: error: subject_to: limits: torque_speed: shoulder: stall: expected a number in N m, found '3 N'\n"
      "t:9: error: subject_to: limits: torque_speed: shoulder: no_load: expected a positive number, found '0'\n"
      "t:10: error: subject_to: limits: torque_speed: elbow: points: expected either points or stall and no_load\n"
      "t:10: error: subject_to: limits: torque_speed: elbow: points: expected at least two points, the first at "
      "rest, found a list of 1\n"
      "t:11: error: subject_to: limits: torque_speed: there is no joint 'wrist'");
  const auto problem = [](const std::string& points) {
    return problems(subject_to("  limits: {torque_speed: {elbow: {points: " + points + "}}}\n"));
  };
  const std::string where = "t:7: error: subject_to: limits: torque_speed: elbow: points: ";
  const std::string shape = where + "expected speeds that grow and efforts that fall more and more steeply";
  EXPECT_EQ(problem("[[0, 5], [0, 3]]"), shape);
  EXPECT_EQ(problem("[[0, 5], [1, 6]]"), shape);
  EXPECT_EQ(problem("[[0, 5], [1, 3], [2, 2]]"), shape);
  EXPECT_EQ(problem("[[0, -5], [1, 3]]"), where + "expected a number that is not negative, found '-5'");
  EXPECT_EQ(problem("[[0], [1, 3]]"), where + "expected [speed, effort] in rad/s and N m, found a list of 1");
  EXPECT_EQ(problems(subject_to("  limits: {torque_speed: {elbow: {stall: 1, no_load: 1}}}\n", "double_pendulum")),
            "t:7: error: subject_to: limits: torque_speed: elbow: the joint is not actuated: its effort is zero");
  EXPECT_EQ(
      problems(subject_to("  limits: {torque_speed: 3}\n")),
      "t:7: error: subject_to: limits: torque_speed: expected {joint: {stall: effort, no_load: speed}}, found '3'");
}

TEST(TaskProblems, StatesOutsideOfTheLimits) {
  EXPECT_EQ(problems(subject_to(R"(  start: {position: {elbow: 3}, velocity: {shoulder: 60}}
  end: {position: {elbow: {between: [2.5, 4]}}}
  via: [{at: 0.5, acceleration: {elbow: 30}}]
  limits: {position: {elbow: [-2, 2]}, acceleration: 20}
)")),
            "t:7: error: subject_to: start: position: 'elbow' is 3, outside of its limits [-2, 2]\n"
            "t:7: error: subject_to: start: velocity: 'shoulder' is 60, outside of its limits [-50, 50]\n"
            "t:8: error: subject_to: end: position: 'elbow' is [2.5, 4], outside of its limits [-2, 2]\n"
            "t:9: error: subject_to: via: 1: acceleration: 'elbow' is 30, outside of its limits [-20, 20]");
}

TEST(TaskProblems, ProblemsOfNamesAndUnits) {
  EXPECT_EQ(
      problems(subject_to(R"(  strt: {}
  start: {position: {elbo: 0, shoulder: 1 m}}
  end: {position: [0, 0, 0], velocity: fast}
  via: [{at: 1, position: 0}]
  limits: {position: 3, velocity: [1, 2], effort: {elbow: 5 N}, joint_force: {root_joint: 3, wrist: 2}, jerk: -1}
)")),
      "t:7: error: subject_to: unknown key 'strt' (did you mean 'start'?)\n"
      "t:8: error: subject_to: start: position: there is no joint 'elbo' (did you mean 'elbow'?)\n"
      "t:8: error: subject_to: start: position: shoulder: expected a number in rad, found '1 m'\n"
      "t:9: error: subject_to: end: position: expected {joint: value}, a list of 2 or one value for all, found a "
      "list of 3\n"
      "t:9: error: subject_to: end: velocity: expected a number in rad/s, found 'fast' (unknown name 'fast')\n"
      "t:10: error: subject_to: via: 1: at: expected a fraction of the duration between 0 and 1 (use start and end "
      "for these), found '1'\n"
      "t:11: error: subject_to: limits: position: expected [lower, upper] in rad, found '3'\n"
      "t:11: error: subject_to: limits: velocity: expected model, none, one limit for all or {joint: limit}, found "
      "a list of 2\n"
      "t:11: error: subject_to: limits: jerk: expected a limit that is not negative, found '-1'\n"
      "t:11: error: subject_to: limits: effort: elbow: expected a number in N m, found '5 N'\n"
      "t:11: error: subject_to: limits: joint_force: there is no joint 'wrist'");
}

TEST(TaskProblems, UnitsFollowTheJoint) {
  const std::string model = "prismatic_revolute";
  const Task task =
      read(subject_to("  limits: {velocity: {slide: 2 m/s, elbow: 90 deg/s}, effort: {slide: 5 N}}\n", model));
  EXPECT_EQ(task.limits.velocity[0].upper, 2);
  EXPECT_DOUBLE_EQ(task.limits.velocity[1].upper, std::numbers::pi / 2);
  EXPECT_EQ(task.limits.effort[0].upper, 5);
  EXPECT_EQ(problems(subject_to("  limits: {velocity: 2 m/s}\n  start: {position: {slide: 5 deg}}\n", model)),
            "t:8: error: subject_to: start: position: slide: expected a number in m, found '5 deg'\n"
            "t:7: error: subject_to: limits: velocity: expected a number in rad/s, found '2 m/s'");
}

TEST(TaskProblems, TrajectoriesThatMakeNoSense) {
  EXPECT_EQ(
      problems(with("trajectory: {control_points: 20, nodes: 15}\n")),
      "t:6: error: trajectory: fewer nodes (15) than control points (20): the curve could exceed the limits between "
      "nodes as far as it likes, and a free duration would collapse");
  EXPECT_EQ(problems(with("trajectory: {degree: 5, control_points: 5}\n")),
            "t:6: error: trajectory: a spline of degree 5 needs at least 6 control points, found 5");
  EXPECT_EQ(problems(with("trajectory: {degree: 2}\n")),
            "t:6: error: trajectory: degree: expected at least 3, found 2: limits or costs of efforts and joint forces "
            "need an acceleration that does not jump");
  EXPECT_EQ(problems(with("trajectory: {degree: 10, control_points: 7.5, min_spacing: 2, knots: some}\n")),
            "t:6: error: trajectory: degree: expected a whole number from 1 to 9, found '10'\n"
            "t:6: error: trajectory: control_points: expected a whole number from 2 to 10000, found '7.5'\n"
            "t:6: error: trajectory: knots: expected uniform or free, found 'some'\n"
            "t:6: error: trajectory: min_spacing: expected a fraction between 0 and 1 of the even spacing, found '2'");
  EXPECT_EQ(
      problems(with("trajectory: {control_points: 5}\nsubject_to:\n  start: {position: 0, acceleration: 0}\n"
                    "  end: {position: {elbow: 1}, acceleration: {elbow: 0}}\n")),
      "t:6: error: trajectory: 6 values of 'elbow' are fixed at the start, the end and via points, more than its 5 "
      "control points");
}

TEST(TaskProblems, DegreeOneIsEnoughForGeometry) {
  const std::string text =
      "format: verne-task/1\nmodel: two_link.yaml\nduration: 1\nminimize:\n  - reference: {posture: "
      "0}\ntrajectory: {degree: 1}\nsubject_to: {limits: {effort: none";
  EXPECT_EQ(read(text + "}}").curve.degree, 1);
  EXPECT_EQ(
      problems(text + ", acceleration: 1}}"),
      "t:6: error: trajectory: degree: expected at least 2, found 1: limits or costs of acceleration need one that "
      "is not zero everywhere");
}

TEST(TaskProblems, MinimumTimeNeedsALimitOnEveryDrivenJoint) {
  const std::string no_effort = "subject_to: {limits: {effort: {elbow: none}}}\n";
  EXPECT_EQ(problems(minimizing("  - time: 1\n", no_effort)),
            "t:5: error: minimize: time has no minimum while nothing bounds how hard joints are driven: give 'elbow' a "
            "limit of effort, acceleration or jerk");
  EXPECT_EQ(problems(minimizing("  - time: 1\n", "subject_to: {limits: {effort: none, jerk: 9}}\n")), "none");
  EXPECT_EQ(problems(minimizing("  - time: 1\n  - effort: {joints: [elbow]}\n", no_effort)), "none");
  EXPECT_EQ(problems(minimizing("  - time: 0\n", no_effort)), "none");
}

TEST(TaskProblems, ModelsThatMotionsCannotHave) {
  EXPECT_EQ(problems(with("", "quadruped")), "none");  // its free joint becomes a chain
  // The rest is read all the same.
  EXPECT_EQ(problems(with("solver: {tolerance: 0}\n", "twolink")),
            "t:2: error: model: 'twolink.yaml' cannot be used\n"
            "t:6: error: solver: tolerance: expected a positive number, found '0'\n" +
                models() + "twolink.yaml: error: cannot be opened: No such file or directory");
}

TEST(TaskProblems, WhatIsNotATask) {
  EXPECT_EQ(problems(""), "t: error: expected a map, found nothing");
  EXPECT_EQ(problems("[1, 2]"), "t:1: error: expected a map, found a list of 2");
  // A file of another kind is told what it is, and nothing of its keys.
  const std::string model = "a model: `verne info`, `eval`, `view` and `simulate` take models; a task names its model";
  EXPECT_EQ(problems("links: []\nformat: verne-model/1\n"),
            "t:2: error: expected a task ('verne-task/1'), found " + model);
  EXPECT_EQ(problems("\n<robot/>\n"), "t:2: error: expected a task ('verne-task/1'), found XML; if that is " + model);
  EXPECT_EQ(problems("{\"format\": \"verne-solution/1\", \"cost\": 1}"),
            "t:1: error: expected a task ('verne-task/1'), found 'verne-solution/1'");
  EXPECT_NE(problems("format: verne-task/2\n").find("format: expected 'verne-task/1', found 'verne-task/2'"),
            std::string::npos);
  EXPECT_NE(problems("a: [").find("t:1: error:"), std::string::npos);
}

}  // namespace
}  // namespace verne
