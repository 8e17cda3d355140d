#include "verne/motion/planner.h"

#include <cmath>
#include <stdexcept>

#include "motion/refine/quick_motion.h"
#include "motion/task_text.h"
#include "structures/collision_shapes.h"

namespace verne::test {
namespace {

Task cell(const std::string& objects) {
  return read(
      "format: verne-task/1\nmodel: two_link.yaml\nduration: free\nminimize: [{time: 1}]\nrefine: {knots: 0}\n"
      "subject_to: {limits: {acceleration: 60, jerk: 4000}}\n"
      "scene: {objects: {" +
      objects + "}}\n");
}
constexpr char kBall[] = "ball: {sphere: {radius: 0.06}, pose: {xyz: [0.2, 0.72, 0]}}";

bool touches_somewhere(const Task& task, const Trajectory& motion) {
  Collisions collisions = task.shapes->collisions;
  for (int n = 0; n <= 1000; ++n) {
    if (collisions.touch(motion.at(motion.duration() * n / 1000))) return true;
  }
  return false;
}

TEST(Planner, PlansAgainAndAgain) {
  const Task task = cell(kBall);
  Planner planner(task);
  const Eigen::Vector2d home(0, 0.4), shelf(2.2, 0.4), table(2.4, 0.3);
  const Solution first = planner.plan(home, shelf);
  ASSERT_TRUE(first.success()) << first.message;
  EXPECT_TRUE(first.verification.clearance_certified.value_or(false));
  const Solution moved = planner.replan(home, table), anew = Planner(task).plan(home, table);
  ASSERT_TRUE(moved.success() && anew.success()) << moved.message << anew.message;
  EXPECT_LT((moved.trajectory.at(moved.trajectory.duration()) - table).norm(), 1e-9);
  EXPECT_NEAR(moved.cost, anew.cost, 0.02 * anew.cost);
  EXPECT_FALSE(touches_somewhere(task, moved.trajectory));
  // Without time for a solve: the latest motion, moved and certified.
  const Solution quick = planner.replan(home, shelf, 1e-9);
  EXPECT_EQ(quick.message, "warning: the latest motion, moved to these ends; there was no time for a solve");
  EXPECT_TRUE(quick.verification.clearance_certified.value_or(false));
  EXPECT_TRUE(quick.verification.velocity_certified.value_or(true));
  EXPECT_LT((quick.trajectory.at(quick.trajectory.duration()) - shelf).norm(), 1e-9);
  EXPECT_LT(quick.trajectory.at(quick.trajectory.duration(), 1).norm(), 1e-9);
  EXPECT_FALSE(touches_somewhere(task, quick.trajectory));
  EXPECT_NEAR(quick.cost, first.cost, 0.3 * first.cost);
  // Something else stands there now: on the way of the latest motion.
  const Task other = cell("ball: {sphere: {radius: 0.06}, pose: {xyz: [0.2, 0.68, 0]}}");
  planner.change_scene(other);
  const Solution around = planner.replan(home, table);
  ASSERT_TRUE(around.success()) << around.message;
  EXPECT_FALSE(touches_somewhere(other, around.trajectory));
}

TEST(Planner, MovesThings) {
  const Task task = cell(kBall), lower = cell("ball: {sphere: {radius: 0.06}, pose: {xyz: [0.2, 0.6, 0]}}");
  Planner planner(task);
  const Eigen::Vector2d home(0, 0.4), shelf(2.2, 0.4);
  const Solution first = planner.plan(home, shelf);
  ASSERT_TRUE(first.success()) << first.message;
  planner.move_object("ball", {0, -0.12, 0}, {0, 0, 1});
  ASSERT_TRUE(touches_somewhere(lower, first.trajectory));
  const Solution around = planner.replan(home, shelf, 1e-9);
  ASSERT_TRUE(around.success()) << around.message;
  EXPECT_TRUE(around.verification.clearance_certified.value_or(false));
  EXPECT_FALSE(touches_somewhere(lower, around.trajectory));
  EXPECT_FALSE(touches_somewhere(planner.task(), around.trajectory));
}

TEST(Planner, StopsWithinLimits) {
  const Task task = cell(kBall);
  Planner planner(task);
  const Solution motion = planner.plan(Eigen::Vector2d(0, 0.4), Eigen::Vector2d(2.2, 0.4));
  ASSERT_TRUE(motion.success()) << motion.message;
  for (const double part : {0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.95, 1.0}) {
    const double time = part * motion.trajectory.duration();
    const auto stopped = planner.stop(motion, time);
    ASSERT_TRUE(stopped) << part;
    EXPECT_TRUE(stopped->verification.clearance_certified.value_or(false));
    const Trajectory* const halt = &stopped->trajectory;
    for (int order = 0; order < 3; ++order) {
      const Eigen::VectorXd before = motion.trajectory.at(time, order);
      EXPECT_LT((halt->at(0.0, order) - before).norm(), 1e-6 * (1 + before.norm())) << order;
    }
    EXPECT_LT(halt->at(halt->duration(), 1).norm(), 1e-9);
    EXPECT_FALSE(touches_somewhere(task, *halt));
    for (int n = 0; n <= 500; ++n) {
      EXPECT_LE(halt->at(halt->duration() * n / 500, 2).cwiseAbs().maxCoeff(), 60 * (1 + 1e-5));
    }
  }
}

/// A thing that comes onto the way: who leaves the way is at rest sooner than who stays on it.
TEST(Planner, StopsOffTheWay) {
  const Task task = cell(kBall);
  Planner planner(task);
  const Solution motion = planner.plan(Eigen::Vector2d(0, 0.4), Eigen::Vector2d(2.2, 0.4));
  ASSERT_TRUE(motion.success()) << motion.message;
  int off = 0;
  for (const double part : {0.2, 0.35, 0.5, 0.65, 0.8}) {
    const double time = part * motion.trajectory.duration();
    const auto along = planner.stop(motion, time, StopWay::along), any = planner.stop(motion, time);
    ASSERT_TRUE(along && any) << part;
    EXPECT_EQ(along->message, "stops along the way of the motion");
    EXPECT_LE(any->trajectory.duration(), along->trajectory.duration() * (1 + 1e-12));
    if (any->message == along->message) continue;
    EXPECT_EQ(any->message, "leaves the way of the motion");
    EXPECT_LT(any->trajectory.duration(), along->trajectory.duration());
    ++off;
    const Trajectory& halt = any->trajectory;
    EXPECT_EQ(halt.basis().degree(), 3);
    for (int order = 0; order < 3; ++order) {
      const Eigen::VectorXd before = motion.trajectory.at(time, order);
      EXPECT_LT((halt.at(0.0, order) - before).norm(), 1e-9 * (1 + before.norm())) << order;
    }
    EXPECT_LT(halt.at(halt.duration(), 1).norm(), 1e-9);
    EXPECT_LT(halt.at(halt.duration(), 2).norm(), 1e-6);
    for (int n = 0; n <= 300; ++n) {
      const double at = halt.duration() * n / 300;
      EXPECT_LE(halt.at(at, 2).cwiseAbs().maxCoeff(), 60 * (1 + 1e-5));
      EXPECT_LE(halt.at(at, 3).cwiseAbs().maxCoeff(), 4000 * (1 + 1e-5));
    }
    EXPECT_FALSE(touches_somewhere(task, halt));
  }
  EXPECT_GT(off, 0);
}

TEST(Planner, SaysThatTheTimeWasUp) {
  std::string posts;  // on either side of the first link
  for (const auto& [name, x, y] : {std::tuple("left", "0.14", "0.14"), {"right", "0.14", "-0.14"}}) {
    posts += std::string(posts.empty() ? "" : ", ") + name + ": {sphere: {radius: 0.05}, pose: {xyz: [" + x + ", " + y +
             ", 0]}}";
  }
  Planner planner(cell(posts));
  const Solution late = planner.replan(Eigen::Vector2d(0, 0.4), Eigen::Vector2d(2.2, 0.4), 1e-9);
  EXPECT_EQ(late.status, nlp::Status::time_limit);
  EXPECT_EQ(late.message, "no way was found on which nothing touches before the time was up");
}

/// Control points may be beyond limits that the curve keeps.
TEST(QuickMotion, LeavesWhatIsWithinLimitsAsItIs) {
  Task task = cell(kBall);
  Eigen::MatrixXd points = Eigen::MatrixXd::Zero(4, 2);
  points(2, 0) = 1.2;  // the curve reaches 4/9 of it
  const Trajectory curve(SplineBasis(3, 1), Eigen::VectorXd::Ones(1), points);
  task.limits.position[0] = {-1, 1};
  EXPECT_EQ((within_position_limits(task, curve).control_points() - points).norm(), 0);
  task.limits.position[0] = {-0.5, 0.5};
  EXPECT_EQ(within_position_limits(task, curve).control_points()(2, 0), 0.5);
}

TEST(Planner, BadCalls) {
  Planner planner(cell(kBall));
  EXPECT_THROW(planner.plan(Eigen::Vector3d::Zero(), Eigen::Vector2d::Zero()), std::invalid_argument);
  EXPECT_EQ(complaint<InputError>([&] { planner.plan(Eigen::Vector2d(0, 0), Eigen::Vector2d(1.3, 0)); }),
            "t: error: goal: 'ball' and 'link2' overlap by 0.0799 m");
  EXPECT_EQ(complaint<InputError>([&] { planner.plan(Eigen::Vector2d(0, 7), Eigen::Vector2d(1, 0)); }),
            "t: error: start: elbow is 7, beyond its limits -6.28319 to 6.28319");
  EXPECT_EQ(complaint<InputError>([&] {
              planner.move_object("bell", {0, 0, 0});
            }),
            "t: error: move_object: there is no object 'bell'");
  EXPECT_THROW(
      planner.stop(Solution(Trajectory(SplineBasis(3, 1), Eigen::VectorXd::Ones(1), Eigen::MatrixXd::Zero(4, 2))), -1),
      std::invalid_argument);
  const Solution late = planner.plan(Eigen::Vector2d(0, 0.4), Eigen::Vector2d(2.2, 0.4), 1e-9);
  EXPECT_TRUE(late.success()) << late.message;  // the planner's own way is verified
  EXPECT_EQ(late.status, nlp::Status::acceptable);
}

}  // namespace
}  // namespace verne::test
