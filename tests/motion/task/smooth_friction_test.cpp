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
  const auto width = [&](const std::string& joint, std::size_t warnings) {
    const test::TemporaryModel model(turntable(joint));
    const Task task = model.whole_task(std::string(rest) + start);
    EXPECT_EQ(task_warnings(task).size(), warnings);
    return task.model.joints()[1].spec.dofs[0].friction_width;
  };
  EXPECT_EQ(width("friction: {coulomb: 1}, limits: {velocity: 3}", 1), 0.03);
  EXPECT_EQ(width("friction: {coulomb: 1}", 1), 0.01);
  EXPECT_EQ(width("friction: {coulomb: 1, width: 0.5}", 0), 0.5);
  EXPECT_EQ(width("friction: {viscous: 1}", 0), 0);
}

TEST(SmoothFriction, IsAWarningWithItsLineUnlessTheTaskSays) {
  const test::TemporaryModel model(turntable("friction: {coulomb: 1}"));
  const std::vector<Diagnostic> warnings = task_warnings(model.task("  start: {position: 0}\n"));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(to_string(warnings[0], "warning"),
            "t:2: warning: model: Coulomb friction jumps at rest and is rounded off, over a hundredth of the velocity "
            "limit (0.01 rad/s or m/s without one) since no `friction_width` is given: 1 joint ('pivot')");
  const Task said = model.task_with_model("friction_width: 0.2", "  start: {position: 0}\n");
  EXPECT_TRUE(task_warnings(said).empty());
  EXPECT_EQ(said.model.joints()[1].spec.dofs[0].friction_width, 0.2);
  EXPECT_NE(test::complaint<InputError>([&] {
              model.task_with_model("friction_width: 0", "  start: {position: 0}\n");
            }).find("t:2: error: model: friction_width: expected a positive number, found '0'"),
            std::string::npos);
}

/// How long a turn by `way` takes that speeds up with all of the effort `u` and brakes with all of it, at inertia 1
/// and friction f tanh(v / w): times and ways by Simpson's rule over the speed, its largest value by bisection.
double fastest_turn(double way, double u, double f, double w) {
  const auto time_and_way = [&](double fastest) {
    constexpr int kSteps = 4000;
    const double h = fastest / kSteps;
    std::pair<double, double> sum;
    for (int k = 0; k <= kSteps; ++k) {
      const double v = k * h, friction = f * std::tanh(v / w), weight = (k % kSteps == 0 ? 1 : k % 2 ? 4 : 2) * h / 3;
      const double slowness = 1 / (u - friction) + 1 / (u + friction);
      sum.first += weight * slowness, sum.second += weight * slowness * v;
    }
    return sum;
  };
  double lower = 0, upper = 100;
  for (int k = 0; k < 60; ++k) {
    const double middle = (lower + upper) / 2;
    (time_and_way(middle).second < way ? lower : upper) = middle;
  }
  return time_and_way(lower).first;
}

TEST(SmoothFriction, TheFastestTurnIsKnown) {
  const double u = 2, f = 1, way = 1;
  const test::TemporaryModel model(turntable("friction: {coulomb: 1}, limits: {velocity: 5, effort: 2}"));
  const Solution solution = predict(model.whole_task(R"(duration: {free: [0.1, 10]}
minimize: [{time: 1}]
refine: {gap: 1e-4}
subject_to: {start: {position: 0}, end: {position: 1}}
)"));
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  const double exact = fastest_turn(way, u, f, 0.05);
  EXPECT_GT(solution.cost, (1 - 1e-6) * exact);
  EXPECT_LT(solution.cost, (1 + 2e-4) * exact);
  // The oracle's own: friction that jumps leaves u - f to speed up and u + f to brake.
  EXPECT_NEAR(fastest_turn(way, u, f, 1e-9), std::sqrt(2 * way * (1 / (u - f) + 1 / (u + f))), 1e-4);
}

}  // namespace
}  // namespace verne
