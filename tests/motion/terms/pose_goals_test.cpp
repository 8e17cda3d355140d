// Frames with an exact orientation end as they were asked to, and never upside down.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "motion/guess/inverse_kinematics.h"
#include "motion/task_text.h"
#include "support/states.h"
#include "verne/dynamics/kinematics.h"
#include "verne/motion/predict.h"
#include "verne/spatial/rotation.h"

namespace verne {
namespace {

using test::read;

struct Pose {
  Vec3<double> position;
  Mat3<double> rotation;
};

Pose tool_at(const Model& model, const Eigen::VectorXd& q) {
  Data<double> data(model);
  Kinematics<double> kinematics(model);
  forward_kinematics<double>(model, data, q, kinematics);
  const Eigen::Vector3d p = kinematics.position(model.site("tool"));
  const Eigen::Matrix3d R = kinematics.rotation(model.site("tool"));
  Pose pose{{p.x(), p.y(), p.z()}, {}};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) pose.rotation(i, k) = R(i, k);
  }
  return pose;
}

Eigen::VectorXd first_posture(const Task& task) {
  Eigen::VectorXd q(task.model.nv());
  for (int i = 0; i < q.size(); ++i) q[i] = task.start.position[i].lower;
  return q;
}

double angle_between(const Mat3<double>& a, const Mat3<double>& b) {
  const Vec3<double> v = rotation_vector_of(a * transpose(b));
  return std::sqrt(dot(v, v));
}

std::string reach(const std::string& model, const std::string& start, const std::string& frame) {
  return "format: verne-task/1\nmodel: " + model + R"(.yaml
trajectory: {degree: 3, control_points: 8, nodes: 16}
duration: {free: [0.1, 20]}
minimize: [{time: 1}, {smoothness: 1e-3}]
subject_to:
  start: {position: )" +
         start + R"(}
  frames: [{frame: tool, )" +
         frame + "}]\nrefine: {tolerance: 1e-3}\n";
}

void ask_for(Task& task, const Pose& goal) {
  task.frames[0].orientation = goal.rotation;
  task.frames[0].position.clear();
  for (int i = 0; i < 3; ++i) task.frames[0].position.push_back({goal.position[i], goal.position[i]});
}

Eigen::VectorXd random_posture(const Task& task, std::mt19937_64& rng) {
  Eigen::VectorXd q(task.model.nv());
  for (int i = 0; i < q.size(); ++i) {
    const Interval& range = task.limits.position[i];
    q[i] = test::random_number(rng, 0.9 * range.lower, 0.9 * range.upper);
  }
  return q;
}

/// The tool ends where it should, and the solution knows how well.
void expect_reached(const Task& task, const Solution& solution) {
  EXPECT_TRUE(solution.success()) << solution.message;
  const Pose reached = tool_at(task.model, solution.trajectory.at(solution.trajectory.duration()));
  const double angle = angle_between(reached.rotation, *task.frames[0].orientation);
  EXPECT_LT(angle, 1e-6);
  const FrameError& error = solution.verification.frames.at(0);
  EXPECT_EQ(error.frame, "tool");
  EXPECT_NEAR(*error.angle, angle, 1e-9);
  EXPECT_EQ(error.position.has_value(), !task.frames[0].position.empty());
  EXPECT_LT(error.position.value_or(0), 1e-6);
}

TEST(PoseGoals, RandomPoses) {
  std::mt19937_64 rng(3);
  for (const char* name : {"puma560", "rx90", "arm7"}) {
    Task task = read(reach(name, "0", "orientation: {rpy: [0, 0, 0]}"));
    for (int k = 0; k < 5; ++k) {
      SCOPED_TRACE(testing::Message() << name << " " << k);
      ask_for(task, tool_at(task.model, random_posture(task, rng)));
      expect_reached(task, predict(task));
    }
  }
}

TEST(PoseGoals, ToolDown) {
  const Task task =
      read(reach("puma560", "[-60 deg, 0, 125 deg, 0, 55 deg, 0]", "orientation: {rpy: [180 deg, 0, 0]}"));
  const Solution solution = predict(task);
  expect_reached(task, solution);
  const Pose end = tool_at(task.model, solution.trajectory.at(solution.trajectory.duration()));
  EXPECT_NEAR(end.rotation(2, 2), -1, 1e-9);
}

TEST(PoseGoals, FromExactlyUpsideDown) {
  // The first guess ends half a turn away from the goal.
  const Vec3<double> axes[] = {{1, 0, 0}, {0.6, 0, 0.8}};
  for (const Vec3<double>& axis : axes) {
    Task task = read(reach("arm7", "[0, 60 deg, 0, -60 deg, 0, 60 deg, 0]", "orientation: {rpy: [0, 0, 0]}"));
    const Eigen::VectorXd q = first_posture(task);
    task.frames[0].orientation = rotation_about(axis, M_PI) * tool_at(task.model, q).rotation;
    task.guess = q.replicate(1, 2);
    ASSERT_NEAR(angle_between(tool_at(task.model, q).rotation, *task.frames[0].orientation), M_PI, 1e-9);
    expect_reached(task, predict(task));  // from another posture, found by inverse kinematics
    // The optimizer itself leaves it, too; a barrier that is chosen for each step takes longer from so far away.
    const Solution still(
        Trajectory(SplineBasis(3, 5), Eigen::VectorXd::Constant(5, 0.4), q.transpose().replicate(8, 1)));
    PredictOptions options;
    options.warm_start = &still;
    for (const bool adaptive : {false, true}) {
      task.solver.adaptive_barrier = adaptive;
      task.solver.max_iterations = adaptive ? 200 : 100;
      EXPECT_LT(*predict(task, options).verification.frames[0].angle, 1e-6);
    }
  }
}

/// None of two dozen searches finds its posture, far from the start: it was taken for infeasible.
TEST(PoseGoals, APostureThatIsHardToFind) {
  const Solution solution = predict(read(R"(format: verne-task/1
model: stanford_arm.yaml
duration: free
minimize: [{time: 1}]
subject_to:
  start: {position: [0.643935, -1.230154, 0.408966, 2.066442, -0.481886, 1.018047]}
  frames:
    - {frame: tool, at: end, position: [0.3922014, -0.3614743, 0.5967135]}
    - {frame: tool, at: end, orientation: {quaternion: [0.6625793, -0.5658373, 0.486919, 0.0610464]}}
)"));
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_LT(solution.cost, 1.03);
}

TEST(PoseGoals, HeldAllTheWay) {
  // The tool stays turned as it is at the start while it moves by 0.3 m.
  Task task = read(R"(format: verne-task/1
model: puma560.yaml
trajectory: {degree: 5, control_points: 20, nodes: 20}
duration: 2
minimize: [{smoothness: 1}]
subject_to:
  start: {position: [-20 deg, 0, 125 deg, 30 deg, 55 deg, 0]}
  frames:
    - {frame: tool, at: path, orientation: {rpy: [0, 0, 0]}}
    - {frame: tool, position: [0, 0, 0]}
)");
  const Pose begin = tool_at(task.model, first_posture(task));
  task.frames[0].orientation = begin.rotation;
  const Vec3<double> end = begin.position + Vec3<double>{-0.1, 0.2, 0.2};
  for (int i = 0; i < 3; ++i) task.frames[1].position[i] = {end[i], end[i]};
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  double largest = 0;
  for (int k = 0; k <= 1000; ++k) {
    const Pose tool = tool_at(task.model, solution.trajectory.at(2.0 * k / 1000));
    largest = std::max(largest, angle_between(tool.rotation, begin.rotation));
  }
  EXPECT_LT(largest, 1e-3);
  EXPECT_NEAR(*solution.verification.frames[0].angle, largest, 0.02 * largest);
  EXPECT_LT(*solution.verification.frames[1].position, 1e-6);
}

TEST(InverseKinematics, FindsPosturesWithinBounds) {
  Task task = read(reach("puma560", "0", "orientation: {rpy: [0, 0, 0]}"));
  std::mt19937_64 rng(4);
  const Eigen::VectorXd wish = Eigen::VectorXd::Zero(6);
  for (int k = 0; k < 20; ++k) {
    const Eigen::VectorXd known = random_posture(task, rng);
    const Pose goal = tool_at(task.model, known);
    ask_for(task, goal);
    const std::vector<Eigen::VectorXd> all = postures_for(task, 1, {&task.frames[0]}, task.limits.position, wish);
    ASSERT_FALSE(all.empty()) << k;
    const Eigen::VectorXd& q = all[0];
    const Pose found = tool_at(task.model, q);
    EXPECT_LT(angle_between(found.rotation, goal.rotation), 1e-8);
    EXPECT_LT(std::sqrt(dot(found.position - goal.position, found.position - goal.position)), 1e-8);
    for (int i = 0; i < 6; ++i) {
      EXPECT_GE(q[i], task.limits.position[i].lower);
      EXPECT_LE(q[i], task.limits.position[i].upper);
    }
    EXPECT_LE(q.norm(), known.norm() + 1e-6) << k;  // no farther from what is wished than need be
    for (std::size_t i = 1; i < all.size(); ++i) {
      EXPECT_LE(all[i - 1].norm(), all[i].norm());
      EXPECT_LT(angle_between(tool_at(task.model, all[i]).rotation, goal.rotation), 1e-8);
    }
    EXPECT_EQ(postures_for(task, 1, {&task.frames[0]}, task.limits.position, wish), all);  // the same every time
  }
  ask_for(task, {{5, 0, 0}, Mat3<double>::identity()});  // out of reach
  EXPECT_TRUE(postures_for(task, 1, {&task.frames[0]}, task.limits.position, wish).empty());
}

}  // namespace
}  // namespace verne
