// Frames of which a part is asked for: one axis, a range of places, a velocity.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>

#include "motion/task_text.h"
#include "support/states.h"
#include "verne/dynamics/kinematics.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

using test::read;

/// The Puma swings from a table, where its tool points down, and does what else is said.
std::string puma_task(const std::string& rest) {
  return R"(format: verne-task/1
model: puma560.yaml
trajectory: {degree: 4, control_points: 10, nodes: 20}
duration: 2
minimize: [{smoothness: 1}]
subject_to:
  start: {position: [-60 deg, 0, 125 deg, 0, 55 deg, 0]}
)" + rest;
}
const std::string kAcross = "  end: {position: [60 deg, -30 deg, 130 deg, 0, 80 deg, 60 deg]}\n";  // tool down again

/// What the tool does at a time.
struct Tool {
  Eigen::Vector3d position, velocity;
  Eigen::Matrix3d rotation;

  Tool(const Task& task, const Trajectory& motion, double time) {
    Data<double> data(task.model);
    const int tool = task.model.site("tool");
    const auto at = [&](double t) { return forward_kinematics<double>(task.model, data, motion.at(t)); };
    const Kinematics<double> now = at(time);
    position = now.position(tool), rotation = now.rotation(tool);
    constexpr double h = 1e-5;  // the velocity by differences: nothing is shared with what is tested
    velocity = (at(time + h).position(tool) - at(time - h).position(tool)) / (2 * h);
  }
};

double largest(const Task& task, const Trajectory& motion, const std::function<double(const Tool&)>& quantity) {
  double most = -kInfinity;
  for (int k = 1; k < 400; ++k) most = std::max(most, quantity(Tool(task, motion, motion.duration() * k / 400)));
  return most;
}

double tilt(const Tool& tool) {
  return std::acos(std::min(1.0, -tool.rotation(2, 2)));
}

TEST(FrameGoals, ACupIsKeptUpright) {
  const std::string raised = kAcross + "  via: [{at: 0.5, position: {elbow_joint: 100 deg}}]\n";
  const Task task = read(puma_task(
      raised + "  frames: [{frame: tool, at: path, axis: [0, 0, 2], points: [0, 0, -1], tolerance: 5 deg}]\n"));
  const double allowed = 5 * M_PI / 180;
  const Solution kept = predict(task);
  EXPECT_EQ(kept.status, nlp::Status::solved) << kept.message;
  const double most = largest(task, kept.trajectory, tilt);
  EXPECT_LE(most, allowed * (1 + 1e-5));
  EXPECT_NEAR(*kept.verification.frames[0].angle, most, 1e-3 * allowed);
  EXPECT_GT(largest(task, predict(read(puma_task(raised))).trajectory, tilt), 2 * allowed);
  // The axis is turned about as much as the others like.
  EXPECT_GT(largest(task, kept.trajectory, [](const Tool& tool) { return std::abs(tool.rotation(0, 1)); }), 0.5);
}

TEST(FrameGoals, AnAxisPointsExactlyThere) {
  for (const char* points : {"[0, 0, -1]", "[1, 0, 0]", "[0.2, -0.5, 0.8]", "[0, 0, 1]"}) {  // the last: upside down
    SCOPED_TRACE(points);
    const Task task = read(puma_task("  frames: [{frame: tool, axis: [0, 0, 1], points: " + std::string(points) +
                                     ", position: [0.3, 0.5, 0.2]}]\n"));
    const Solution solution = predict(task);
    EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
    const Tool end(task, solution.trajectory, solution.trajectory.duration());
    const Vec3<double>& goal = task.frames[0].axis->points;
    EXPECT_LT((end.rotation.col(2) - Eigen::Vector3d(goal.x, goal.y, goal.z)).norm(), 1e-7);
    EXPECT_LT(*solution.verification.frames[0].angle, 1e-7);
    EXPECT_LT((end.position - Eigen::Vector3d(0.3, 0.5, 0.2)).norm(), 1e-7);
  }
}

TEST(FrameGoals, AnAxisIsHeldAllTheWay) {
  const Task task = read(puma_task(kAcross + R"(  via: [{at: 0.5, position: {elbow_joint: 100 deg}}]
  frames: [{frame: tool, at: path, axis: [0, 0, 1], points: [0, 0, -1]}]
refine: {knots: 2}
)"));
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_LT(largest(task, solution.trajectory, tilt), 1e-3);
}

TEST(FrameGoals, AToolMovesAsAsked) {
  const Task task =
      read(puma_task(kAcross + "  frames: [{frame: tool, at: 0.5, velocity: [0.9, free, {between: [-inf, 0.1]}]}]\n"));
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  const Tool half_way(task, solution.trajectory, 1);
  EXPECT_NEAR(half_way.velocity.x(), 0.9, 1e-6);
  EXPECT_NEAR(half_way.velocity.z(), 0.1, 1e-6);
  EXPECT_LT(*solution.verification.frames[0].velocity, 1e-6);
  const Tool unasked(task, predict(read(puma_task(kAcross))).trajectory, 1);
  EXPECT_GT(std::abs(unasked.velocity.x() - 0.9), 0.1);
  EXPECT_GT(unasked.velocity.z(), 0.2);
}

TEST(FrameGoals, BetweenTwoPlanesAndNotTooFast) {
  Task task = read(puma_task(kAcross + R"(  frames:
    - {frame: tool, at: path, point: [0, 0, 0.1], position: [{between: [-inf, 0.55]}, free, {between: [-1, 1]}]}
    - {frame: tool, at: path, velocity: [{between: [-0.6, 0.6]}, free, free]}
)"));
  task.refine.gap = 1e-3;  // of which margins of limits may take a tenth
  const auto reach = [](const Tool& tool) { return (tool.position + 0.1 * tool.rotation.col(2)).x(); };
  const auto speed = [](const Tool& tool) { return std::abs(tool.velocity.x()); };
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_NEAR(largest(task, solution.trajectory, reach), 0.55, 1e-4);
  EXPECT_NEAR(largest(task, solution.trajectory, speed), 0.6, 1e-4);
  const Solution unasked = predict(read(puma_task(kAcross)));
  EXPECT_GT(largest(task, unasked.trajectory, reach), 0.6);
  EXPECT_GT(largest(task, unasked.trajectory, speed), 0.8);
}

TEST(FrameGoals, WhatIsNotAsAskedIsSaid) {
  // Out of reach, or too fast for the joints.
  for (const char* frame :
       {"axis: [0, 0, 1], points: [0, 0, 1], position: [1.2, 0, 0]", "at: 0.5, velocity: [9, free, free]"}) {
    SCOPED_TRACE(frame);
    const Solution solution = predict(read(puma_task("  frames: [{frame: tool, " + std::string(frame) + "}]\n")));
    EXPECT_FALSE(solution.success());
  }
}

}  // namespace
}  // namespace verne
