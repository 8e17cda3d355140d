// Where the optimizer starts: ways, what they would cost, and which one is taken.
#include "motion/guess/first_guess.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/guess/guess_estimate.h"
#include "motion/guess/inverse_kinematics.h"
#include "motion/guess/paths_around_obstacles.h"
#include "motion/task_text.h"
#include "verne/dynamics/kinematics.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

using test::read;
using test::subject_to;

Eigen::Vector3d tool_at(const Task& task, const Eigen::VectorXd& q) {
  Data<double> data(task.model);
  Kinematics<double> kinematics(task.model);
  forward_kinematics<double>(task.model, data, q, kinematics);
  return kinematics.position(task.model.site("tool"));
}

TEST(Way, PassesItsPosturesWithoutStopping) {
  const Way way{{0, 0.2, 1}, {Eigen::Vector2d(0, 0), Eigen::Vector2d(1, 2), Eigen::Vector2d(3, 1)}};
  constexpr double kStep = 1e-6;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_LT((way(way.at[k]) - way.postures[k]).norm(), 1e-12);
  EXPECT_LT((way(kStep) - way(0)).norm(), 1e-10);  // from rest
  EXPECT_LT((way(1) - way(1 - kStep)).norm(), 1e-10);
  const Eigen::VectorXd before = (way(0.2) - way(0.2 - kStep)) / kStep, after = (way(0.2 + kStep) - way(0.2)) / kStep;
  EXPECT_LT((before - after).norm(), 1e-3);
  EXPECT_GT(after[0], 1);          // goes on
  EXPECT_NEAR(after[1], 0, 1e-3);  // turns back
  for (double s = 0; s <= 1; s += 0.01) {
    EXPECT_GE(way(s)[0], -1e-12);
    EXPECT_LE(way(s)[0], 3 + 1e-12);
    EXPECT_LE(way(s)[1], 2 + 1e-12);
  }
  EXPECT_NEAR(way.length(), std::sqrt(5.0) + std::sqrt(5.0), 1e-12);
}

TEST(GuessEstimate, OfAQuintic) {
  // A mass m over d with the force F at most: a(t) of the quintic is largest with 10/√3 d/T², and ∫F² is 120/7
  // (md)²/T³.
  const test::TemporaryModel model(
      "  - {name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0], limits: {effort: 3}}, mass: 2, inertia: "
      "[1, 1, 1]}\n");
  Task task = model.whole_task(
      "trajectory: {degree: 5, control_points: 8, nodes: 20}\nduration: free\nminimize: [{time: 2}, {effort: 5}]\n"
      "subject_to:\n  start: {position: 0}\n  end: {position: 1.5}\n");
  const double d = 1.5, m = 2, F = 3, T = std::sqrt(10 / std::sqrt(3.0) * d * m / F);
  const Trajectory guess = first_guess(task);
  GuessEstimate estimate(task, guess.basis());
  const GuessEstimate::Estimate free = estimate.of(guess.control_points());
  EXPECT_NEAR(free.duration, T, 0.005 * T);  // seen at some times only
  const double effort = 120.0 / 7 * m * m * d * d / std::pow(free.duration, 3);
  EXPECT_NEAR(free.cost, 2 * free.duration + 5 * effort, 1e-3 * free.cost);
  EXPECT_LT(free.excess, 1e-9);
  // Half that time needs four times the force: three times too much.
  task.duration.bounds = {T / 2, T / 2};
  const GuessEstimate::Estimate hasty = GuessEstimate(task, guess.basis()).of(guess.control_points());
  EXPECT_EQ(hasty.duration, T / 2);
  EXPECT_NEAR(hasty.excess, 3, 0.05);
  EXPECT_GT(hasty.score(), 10 * hasty.cost);
}

TEST(Detours, OnBothSidesOfWhatIsInTheWay) {
  const Task task =
      read(subject_to("  start: {position: [-0.6, 0.8]}\n  end: {position: [0.9, 0.8]}\n"
                      "  keep_out:\n    - sphere: {center: [0.597, 0.366, 0], radius: 0.05}\n"
                      "      links: [{link: link2, from: [0, 0, 0], radius: 0.02}]\n"));
  const std::vector<Way> straight = ways_of(task);
  ASSERT_EQ(straight.size(), 1u);
  const std::vector<Way> around = detours(task, straight[0]);
  ASSERT_EQ(around.size(), 2u);  // above and below the plane it cannot go
  const Eigen::Vector3d ball(0.597, 0.366, 0);
  std::vector<double> radii;
  for (const Way& way : around) {
    ASSERT_EQ(way.postures.size(), 3u);
    const Eigen::Vector3d tool = tool_at(task, way.postures[1]);
    EXPECT_NEAR((tool - ball).norm(), 1.3 * 0.07, 1e-6);
    radii.push_back(tool.norm());
    EXPECT_TRUE(detours(task, way).empty());
  }
  EXPECT_LT((radii[0] - ball.norm()) * (radii[1] - ball.norm()), 0);  // one farther out, one farther in
  // Both are among the starts.
  const FirstGuesses guesses(task);
  EXPECT_TRUE(predict(task).success());
  EXPECT_NE(guesses(1).control_points(), guesses(0).control_points());
}

TEST(InverseKinematics, MakesNoMoreTurnsThanNeeded) {
  Task task =
      read(subject_to("  start: {position: [13, 0.5]}\n  frames: [{frame: tool, at: end, position: [0.5, 0.1, 0]}]\n"
                      "  limits: {position: none}\n"));
  const std::vector<Interval> bounds(2);
  const Eigen::Vector2d wish(13, 0.5);
  const auto found = postures_for(task, 1, {&task.frames[0]}, bounds, wish);
  ASSERT_EQ(found.size(), 2u);  // elbow to either side, each once
  for (const Eigen::VectorXd& q : found) {
    EXPECT_LT((q - wish).cwiseAbs().maxCoeff(), M_PI);
    EXPECT_LT((tool_at(task, q) - Eigen::Vector3d(0.5, 0.1, 0)).norm(), 1e-8);
  }
}

/// The posture nearest to the line from the start to the end may be a turn away from the start: with that the wrist of
/// a robot that fetches something turned by 250 degrees where 110 do, and the motion took 28 % longer.
TEST(Ways, MakeNoMoreTurnsThanNeededFromPostureToPosture) {
  const Task task = without_phases(test::shipped_task("puma_carry"));
  const std::vector<Way> ways = ways_of(task);
  ASSERT_FALSE(ways.empty());
  const int flange = task.model.nv() - 1;  // has room for one and a half turns
  for (const Way& way : ways) {
    ASSERT_GT(way.postures.size(), 2u);
    for (std::size_t k = 1; k < way.postures.size(); ++k) {
      const double before = way.postures[k - 1][flange], after = way.postures[k][flange];
      if (std::abs(after - before) <= M_PI) continue;
      const double other = after - std::copysign(2 * M_PI, after - before);
      EXPECT_TRUE(other < task.limits.position[flange].lower || other > task.limits.position[flange].upper)
          << before << " " << after;
    }
  }
}

/// Where a frame is held all the way, too: postures near the straight line from the start to the end would be far from
/// what is between these, as of a person who stands, bends down to a box, and stands.
TEST(Ways, GoTowardsWhatIsSaidBetweenStartAndEnd) {
  const Task task =
      read(subject_to("  start: {position: 0}\n  end: {position: 0}\n  via: [{at: 0.5, position: [1, 0.5]}]\n"
                      "  frames: [{frame: tool, at: path, position: [{between: [-5, 5]}, free, free]}]\n"));
  const Way way = ways_of(task).front();
  ASSERT_EQ(way.at, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_LT((way.postures[1] - Eigen::Vector2d(0.5, 0.25)).norm(), 1e-9);
  EXPECT_LT((way.postures[2] - Eigen::Vector2d(1, 0.5)).norm(), 1e-9);
  EXPECT_LT((way.postures[3] - Eigen::Vector2d(0.5, 0.25)).norm(), 1e-9);
}

TEST(Ways, KeepTurnsThatTheEndAsksFor) {
  const Task task =
      read(subject_to("  start: {position: 0}\n  end: {position: [9, 0]}\n"
                      "  via: [{at: 0.5, position: {elbow: 1}}]\n  limits: {position: none}\n"));
  const Way way = ways_of(task).front();
  ASSERT_EQ(way.postures.size(), 3u);
  EXPECT_NEAR(way.postures[1][0], 4.5, 1e-9);
}

TEST(Loops, GoBackByAnotherWay) {
  const Task task =
      read(subject_to("  start: {position: 0}\n  via: [{at: 0.5, position: [1, -1]}]\n  periodic: true\n"));
  const Way straight = ways_of(task).front();
  EXPECT_LT((straight(0.3) - straight(0.7)).norm(), 1e-12);  // its own mirror image
  const std::vector<Way> ways = loops(task, straight);
  ASSERT_GE(ways.size(), 2u);
  for (const Way& way : ways) {
    EXPECT_LT((way(0.5) - Eigen::Vector2d(1, -1)).norm(), 1e-12);
    EXPECT_LT((way(0) - way(1)).norm(), 1e-12);
    EXPECT_GT((way(0.25) - way(0.75)).norm(), 1e-3);
  }
  EXPECT_TRUE(loops(task, Way{{0, 0.5, 1}, {straight(0), straight(0.5), straight(0.4)}}).empty());
}

/// Two links that hang in a vertical plane.
const char* const kPendulums =
    "  - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}, mass: 2, com: [0.25, 0, 0], inertia: "
    "[0.01, 0.05, 0.05]}\n"
    "  - {name: lower, parent: upper, pose: {xyz: [0.5, 0, 0]}, joint: {name: elbow, type: revolute, axis: [0, 1, 0]}, "
    "mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.03, 0.03]}\n"
    "  - {name: tip, parent: lower, pose: {xyz: [0.4, 0, 0]}, joint: {name: tip, type: fixed}, mass: 0.5, inertia: "
    "[0.01, 0.01, 0.01]}\n";

TEST(FirstGuess, EndsInThePostureThatCostsLess) {
  const test::TemporaryModel model(kPendulums);
  for (const char* goal : {"[0.5, 0, 0.2]", "[0.3, 0, -0.5]", "[0.6, 0, 0.1]"}) {
    SCOPED_TRACE(goal);
    Task task = model.whole_task(
        "duration: 0.5\nminimize: [{effort: 1}]\ntrajectory: {degree: 3, control_points: 8, nodes: 16}\nsubject_to:\n"
        "  start: {position: [0.2, 0.9]}\n  frames: [{frame: tip, at: end, position: " +
        std::string(goal) + "}]\n");
    task.refine = {1e-6, 8, 0, false, {}};  // all on one curve
    const Solution chosen = predict(task);
    ASSERT_TRUE(chosen.success()) << chosen.message;
    EXPECT_GT(chosen.guess_seconds, 0);
    const auto postures = postures_for(task, 1, {&task.frames[0]}, task.limits.position, Eigen::Vector2d(0.2, 0.9));
    ASSERT_EQ(postures.size(), 2u);
    for (const Eigen::VectorXd& end : postures) {
      task.guess = (Eigen::MatrixXd(2, 2) << 0.2, end[0], 0.9, end[1]).finished();
      const Solution forced = predict(task);
      EXPECT_LT(chosen.cost, forced.success() ? 1.001 * forced.cost : kInfinity);
    }
  }
}

/// All ways of this task lead there.
TEST(FirstGuess, SolvesNoMoreWaysRoughlyOnceThreeLedToTheSameMotion) {
  const Task task = test::shipped_task("human55_reach");
  int solved = 0;
  const FirstGuesses guesses(task, [&](const nlp::Iteration& at) {
    solved += at.iteration == 0;
    return true;
  });
  EXPECT_EQ(solved, 3);
}

}  // namespace
}  // namespace verne
