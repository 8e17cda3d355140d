// The cost of frames that are not steady.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "motion/task_text.h"
#include "verne/dynamics/kinematics.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

/// A trunk that leans and turns and a neck on it, whose frame is not the world's when all is zero; upwards is z.
const char* const kBody =
    R"(  - {name: ground, joint: {name: root, type: fixed}, mass: 0}
  - {name: hips, parent: ground, joint: {name: turn, type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1]}
  - {name: trunk, parent: hips, joint: {name: bend, type: revolute, axis: [0, 1, 0]}, mass: 1, inertia: [1, 1, 1]}
  - {name: head, parent: trunk, joint: {name: neck, type: revolute, axis: [1, 0, 0]}, mass: 1, inertia: [1, 1, 1],
     pose: {xyz: [0, 0, 0.6], rpy: [0.5, 0, 0.3]}}
)";

std::string nod(const std::string& more) {
  return "duration: 1\ntrajectory: {degree: 5, control_points: 16, nodes: 40}\nminimize:\n  - smoothness: 0.1\n" +
         more +
         "subject_to:\n  start: {position: {turn: -0.4, bend: 0.2, neck: 0}}\n"
         "  via: [{at: 0.5, position: {bend: 0.8}}]\n  end: {position: {turn: 0.5, bend: -0.1, neck: 0.3}}\n";
}

/// By Simpson's rule, from poses, velocities and accelerations of the head.
struct Unrest {
  double acceleration = 0, rotation = 0, lean = 0;
};
Unrest unrest(const Task& task, const Trajectory& motion) {
  constexpr int kIntervals = 4000;
  const Eigen::Vector3d point(0.1, 0.2, 0.3), up(0, 0, 1);
  const int head = task.model.link("head");
  Data<double> data(task.model);
  const auto at = [&](double time) {
    return forward_kinematics<double>(task.model, data, motion.at(time, 0), motion.at(time, 1), motion.at(time, 2));
  };
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
  const Eigen::Matrix3d upright = forward_kinematics<double>(task.model, data, zero, zero, zero).rotation(head);
  Unrest sum;
  for (int k = 0; k <= kIntervals; ++k) {
    const double weight = (k == 0 || k == kIntervals ? 1 : k % 2 ? 4 : 2) * motion.duration() / (3 * kIntervals);
    const Kinematics<double> now = at(motion.duration() * k / kIntervals);
    const Eigen::Vector3d r = now.rotation(head) * point, w = now.velocities.col(head).tail<3>();
    const Eigen::Vector3d dw = now.accelerations.col(head).tail<3>();
    const Eigen::Vector3d a = now.accelerations.col(head).head<3>() + dw.cross(r) + w.cross(w.cross(r));
    const double cosine = up.dot(now.rotation(head) * upright.transpose() * up);
    sum.acceleration += weight * a.squaredNorm();
    sum.rotation += weight * w.squaredNorm();
    sum.lean += weight * 4 * std::pow(std::sin(std::acos(cosine) / 2), 2);
  }
  return sum;
}

TEST(Steadiness, IsWhatTheHeadDoes) {
  const test::TemporaryModel model(kBody);
  const Task task = model.whole_task(nod(R"(  - steadiness: {frame: head, point: [0.1, 0.2, 0.3], weight: 1e-3}
  - steadiness: {frame: head, of: rotation, weight: 2}
  - steadiness: {frame: head, of: lean, weight: 3}
)"));
  const Solution solution = predict(task);
  ASSERT_TRUE(solution.success()) << solution.message;
  const Unrest seen = unrest(task, solution.trajectory);
  ASSERT_EQ(solution.costs.size(), 4u);
  EXPECT_NEAR(solution.costs[1].value, seen.acceleration, 1e-5 * seen.acceleration);
  EXPECT_NEAR(solution.costs[2].value, seen.rotation, 1e-5 * seen.rotation);
  EXPECT_NEAR(solution.costs[3].value, seen.lean, 1e-5 * seen.lean);
}

TEST(Steadiness, MakesFramesSteady) {
  const test::TemporaryModel model(kBody);
  const auto solved = [&](const std::string& costs) {
    const Task task = model.whole_task(nod(costs));
    const Solution solution = predict(task);
    EXPECT_TRUE(solution.success()) << solution.message;
    return unrest(task, solution.trajectory);
  };
  const Unrest none = solved("");
  EXPECT_LT(solved("  - steadiness: {frame: head, point: [0.1, 0.2, 0.3]}\n").acceleration, 0.9 * none.acceleration);
  EXPECT_LT(solved("  - steadiness: {frame: head, of: rotation, weight: 100}\n").rotation, 0.9 * none.rotation);
  EXPECT_LT(solved("  - steadiness: {frame: head, of: lean, weight: 1000}\n").lean, 0.9 * none.lean);
}

TEST(Steadiness, Problems) {
  const auto steady = [](const std::string& settings) {
    return test::problems(test::minimizing("  - effort: 1\n  - steadiness: {" + settings + "}\n"));
  };
  EXPECT_EQ(steady("frame: tool"), "none");
  EXPECT_EQ(steady("weight: 2"), "t:6: error: minimize: steadiness: frame is missing");
  EXPECT_EQ(steady("frame: tol"),
            "t:6: error: minimize: steadiness: frame: there is no link or frame 'tol' (did you mean 'tool'?)");
  EXPECT_EQ(steady("frame: tool, of: rest"),
            "t:6: error: minimize: steadiness: of: expected acceleration, rotation or lean, found 'rest'");
  EXPECT_EQ(steady("frame: tool, of: lean"),
            "t:6: error: minimize: steadiness: of: without gravity nothing is upright");
  EXPECT_EQ(steady("frame: tool, of: rotation, point: [1, 0, 0]"),
            "t:6: error: minimize: steadiness: point: all points of a frame turn alike: leave it out");
}

}  // namespace
}  // namespace verne
