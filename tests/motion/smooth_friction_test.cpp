// Coulomb friction that jumps at rest is rounded off, and said to be.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/task_text.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

/// Turns about a vertical axis.
std::string turntable(const std::string& joint) {
  return "  - {name: table, joint: {name: pivot, type: revolute, " + joint + "}, mass: 1, inertia: [1, 1, 1]}\n";
}

TEST(SmoothFriction, IsAsWideAsTheTaskSaysOrAsSpeedsAre) {
  const char *const start = "subject_to: {start: {position: 0}}\n", *const rest = "duration: 1\nminimize: []\n";
  const auto width = [&](const std::string& joint, std::size_t doubts) {
    const test::TemporaryModel model(turntable(joint));
    const Task task = model.whole_task(std::string(rest) + start);
    EXPECT_EQ(task_doubts(task).size(), doubts);
    return task.model.joints()[1].spec.dofs[0].friction_width;
  };
  EXPECT_EQ(width("friction: {coulomb: 1}, limits: {velocity: 3}", 1), 0.03);
  EXPECT_EQ(width("friction: {coulomb: 1}", 1), 0.01);
  EXPECT_EQ(width("friction: {coulomb: 1, width: 0.5}", 0), 0.5);
  EXPECT_EQ(width("friction: {viscous: 1}", 0), 0);
}

TEST(SmoothFriction, IsAWarningWithItsLineUnlessTheTaskSays) {
  const test::TemporaryModel model(turntable("friction: {coulomb: 1}"));
  const std::vector<Problem> doubts = task_doubts(model.task("  start: {position: 0}\n"));
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(to_string(doubts[0], "warning"),
            "t:2: warning: model: Coulomb friction jumps at rest and is rounded off, over a hundredth of the velocity "
            "limit (0.01 rad/s or m/s without one) since no `friction_width` is given: 1 joint ('pivot')");
  const Task said = model.task_with_model("friction_width: 0.2", "  start: {position: 0}\n");
  EXPECT_TRUE(task_doubts(said).empty());
  EXPECT_EQ(said.model.joints()[1].spec.dofs[0].friction_width, 0.2);
  EXPECT_NE(test::complaint<InputError>([&] {
              model.task_with_model("friction_width: 0", "  start: {position: 0}\n");
            }).find("t:2: error: model: friction_width: expected a positive number, found '0'"),
            std::string::npos);
}

/// Friction holds back and brakes: with inertia 1 and effort u it leaves u - f to speed up and u + f to slow down, so
/// that a turn by d takes sqrt(2 d (1/(u - f) + 1/(u + f))), and sqrt(4 d / u) without, 13 % less.
TEST(SmoothFriction, TheFastestTurnIsNearlyThatOfFrictionThatJumps) {
  const double u = 2, f = 1, d = 1;
  const test::TemporaryModel model(turntable("friction: {coulomb: 1}, limits: {velocity: 5, effort: 2}"));
  const Solution solution = predict(model.whole_task(R"(duration: {free: [0.1, 10]}
minimize: [{time: 1}]
subject_to: {start: {position: 0}, end: {position: 1}}
)"));
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  const double exact = std::sqrt(2 * d * (1 / (u - f) + 1 / (u + f)));
  EXPECT_NEAR(solution.trajectory.duration(), exact, 1e-2 * exact);
}

}  // namespace
}  // namespace verne
