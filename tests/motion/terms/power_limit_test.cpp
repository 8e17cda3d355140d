// Limits of power against the shortest turn in closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/task_text.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

constexpr double kTorque = 4, kPower = 3, kAngle = 2;  // of an inertia of 1 kg m²

const test::TemporaryModel& wheel() {
  static const test::TemporaryModel kModel(
      "  - {name: wheel, joint: {name: pivot, type: revolute, limits: {effort: 4}}, mass: 1, inertia: [1, 1, 1]}\n");
  return kModel;
}

std::string turn(const std::string& limits) {
  return "duration: {free: [0.1, 10]}\nminimize: [{time: 1}]\nsubject_to:\n  start: {position: 0}\n"
         "  end: {position: 2}\n  limits: {power: " +
         limits + "}\nrefine: {gap: 1e-4}\n";
}

/// The full torque until its power is the limit, then that power, v² = v₁² + 2 P t: up to the middle, and back again.
double shortest_time() {
  const double v = kPower / kTorque, t = v / kTorque, angle = v * t / 2;
  const double fastest = std::cbrt(v * v * v + 3 * kPower * (kAngle / 2 - angle));
  return 2 * (t + (fastest * fastest - v * v) / (2 * kPower));
}

TEST(PowerLimit, TheShortestTurnIsThatOfTheFormula) {
  const Solution solution = predict(wheel().whole_task(turn("3 W")));
  ASSERT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_NEAR(solution.trajectory.duration(), shortest_time(), 2e-4 * shortest_time());
  EXPECT_GT(solution.trajectory.duration(), shortest_time() * (1 - 1e-5));
  const auto use = std::find_if(solution.limits.begin(), solution.limits.end(),
                                [](const LimitUse& limit) { return limit.kind == "power"; });
  ASSERT_NE(use, solution.limits.end());
  EXPECT_EQ(use->unit, "W");
  EXPECT_NEAR(use->utilisation, 1, 1e-3);
  EXPECT_LE(use->excess, 1e-6);
}

TEST(PowerLimit, BadOnesAreTold) {
  const auto problem = [](const std::string& limits) {
    return test::complaint<InputError>([&] { wheel().whole_task(turn(limits)); });
  };
  EXPECT_NE(problem("-3").find("limits: power: expected a positive number"), std::string::npos) << problem("-3");
  EXPECT_NE(problem("{pivott: 3}").find("did you mean 'pivot'"), std::string::npos);
  EXPECT_NE(problem("3 N").find("power"), std::string::npos);
}

}  // namespace
}  // namespace verne
