// Optimal control problems of textbooks whose optimum has a closed form, as a user would ask for them: without a word
// about curves. VERNE_ALL_OPTIMA=1 solves all of them and prints the table of docs/tuning.md; a few are solved always.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "motion/task_text.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

/// As near as that, relative to the optimum, predict() gets by default.
constexpr double kNear = 2e-3, kNearInTime = 5e-3;
constexpr int kMostIterations = 500;

struct Published {
  std::string name, joint, task;
  double optimum, near;
  bool always;
};

std::string mass_on_a_rail(double mass, const std::string& joint) {
  return "  - {name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0]" + joint +
         "}, mass: " + std::to_string(mass) + ", inertia: [1, 1, 1]}\n";
}

std::string rest_to_rest(const std::string& cost, const std::string& duration, const std::string& limits = "{}",
                         const std::string& ends = "") {
  return "duration: " + duration + "\nminimize: [" + cost + "]\nsubject_to:\n  start: {position: 0" + ends +
         "}\n  end: {position: 1" + ends + "}\n  limits: " + limits + "\n";
}

/// min ½∫u², x ≤ l, from x = 0, v = 1 to x = 0, v = −1 in unit time.
Published bryson_denham(double l, const std::string& limits, bool always) {
  const double free = 2, touching = 2 + 6 * std::pow(1 - 4 * l, 2), riding = 4 / (9 * l);
  return {"Bryson-Denham, x in " + limits,
          "",
          "duration: 1\nminimize: [{effort: 0.5}]\nsubject_to:\n  start: {position: 0, velocity: 1}\n"
          "  end: {position: 0, velocity: -1}\n  limits: {" +
              limits + "}\n",
          l > 0.25      ? free
          : l > 1.0 / 6 ? touching
                        : riding,
          kNear,
          always};
}

/// A unit mass goes a unit way with a force of F at most: full force, no force, full force backwards. The work is the
/// square of the speed between.
Published least_work(double force, double T, const std::string& more, bool always) {
  const double speed = (force * T - std::sqrt(force * force * T * T - 4 * force)) / 2;
  return {"least work, force " + std::to_string(force).substr(0, 5) + more,
          "",
          rest_to_rest("{energy: 1}", std::to_string(T), "{effort: " + std::to_string(force) + more + "}"),
          speed * speed,
          kNear,
          always};
}

std::vector<Published> published() {
  const std::string any_time = "{free: [0.1, 20]}";
  std::vector<Published> all{
      {"double integrator, minimum time", "", rest_to_rest("{time: 1}", any_time, "{effort: 1}"), 2, kNearInTime, true},
      {"the same, speed limit 0.8", "", rest_to_rest("{time: 1}", any_time, "{effort: 1, velocity: 0.8}"),
       1 / 0.8 + 0.8, kNearInTime, false},
      {"triple integrator, minimum time", "", rest_to_rest("{time: 1}", any_time, "{jerk: 1}", ", acceleration: 0"),
       std::cbrt(32), kNearInTime, true},
      {"oscillator to rest, minimum time", ", stiffness: 1",
       "duration: " + any_time +
           "\nminimize: [{time: 1}]\nsubject_to:\n  start: {position: 1}\n  end: {position: 0}\n"
           "  limits: {effort: 1}\n",
       std::acos(1.75 / 2) + std::acos(0.25), kNearInTime, true},
      {"least effort", "", rest_to_rest("{effort: 1}", "1"), 12, kNear, false},
      {"least jerk", "",
       "duration: 1\nminimize: [{smoothness: {of: jerk}}]\nsubject_to:\n  start: {position: 0, acceleration: 0}\n"
       "  end: {position: 1, acceleration: 0}\n",
       720, kNear, false},
      {"time and effort", "", rest_to_rest("{time: 1}, {effort: 1/36}", any_time), 4.0 / 3, kNear, false},
      {"least peak of force", "", rest_to_rest("{peak_effort: 1}", "1"), 4, kNearInTime, false},
      bryson_denham(0.3, "position: {rail: [0, 0.3]}", false),
      bryson_denham(0.2, "position: {rail: [0, 0.2]}, velocity: 1", true),
      bryson_denham(1.0 / 9, "position: {rail: [0, 1/9]}", false),
      bryson_denham(0.1, "position: {rail: [-1, 0.1]}", false),
      bryson_denham(0.1, "position: {rail: [0, 0.1]}", true),
      bryson_denham(0.1, "position: {rail: [0, 0.1]}, velocity: 1", true),
      bryson_denham(0.04, "position: {rail: [0, 0.04]}", false),
      least_work(20, 1, "", true),
      least_work(20, 1, ", position: {rail: [0, 1]}", true),
  };
  std::mt19937_64 random(33);
  for (int k = 0; k < 8; ++k) {
    const double force = 5 + 25 * std::generate_canonical<double, 53>(random);
    all.push_back(least_work(force, 1, k % 2 ? ", position: {rail: [0, 1]}" : "", k < 2));
  }
  return all;
}

TEST(PublishedOptima, AreFoundByDefault) {
  const bool all = std::getenv("VERNE_ALL_OPTIMA");
  if (all)
    std::printf("| problem | optimum | found | off by | estimate | iterations |\n| --- |%s\n",
                " --- | --- | --- | --- | --- |");
  for (const Published& problem : published()) {
    if (!all && !problem.always) continue;
    SCOPED_TRACE(problem.name);
    const test::TemporaryModel model(mass_on_a_rail(1, problem.joint));
    const Solution solution = predict(model.whole_task(problem.task));
    EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
    const double off = solution.cost / problem.optimum - 1;
    EXPECT_GT(off, -1e-5);  // limits hold to 1e-6: nothing is better than the optimum
    EXPECT_LT(off, problem.near);
    EXPECT_LE(solution.iterations, kMostIterations);
    if (!all) continue;
    std::printf("| %s | %.6g | %.6g | %.3f %% | %.3f %% | %d |\n", problem.name.c_str(), problem.optimum, solution.cost,
                100 * off, 100 * solution.refinement_gap.value_or(0), solution.iterations);
  }
}

/// A state that is given at a limit leaves no inside for a row that asks for the same: solvers wandered there.
TEST(PublishedOptima, StartsAndEndsAtLimitsCostNoIterations) {
  for (const double l : {0.1, 0.2}) {
    const std::string far = "position: {rail: [-1, " + std::to_string(l) + "]}, velocity: 9";
    const std::string at = "position: {rail: [0, " + std::to_string(l) + "]}, velocity: 1";
    const test::TemporaryModel model(mass_on_a_rail(1, ""));
    const Solution inside = predict(model.whole_task(bryson_denham(l, far, true).task));
    const Solution at_limits = predict(model.whole_task(bryson_denham(l, at, true).task));
    EXPECT_EQ(at_limits.status, nlp::Status::solved) << at_limits.message;
    EXPECT_NEAR(at_limits.cost, inside.cost, 1e-3 * inside.cost);
    EXPECT_LE(at_limits.iterations, 2 * inside.iterations);
  }
}

/// Two links with effects of inertia of 5.775 + 2·1.35 cos, 0.815 + 1.35 cos and 0.815 kg m². Stretched, they turn as
/// one body, which takes 2 √(angle · 8.475 / 25); with the elbow bent they are faster, and that is where they end.
TEST(PublishedOptima, AStretchedArmBendsToBeFast) {
  const test::TemporaryModel model(R"(
  - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, 0, 1], limits: {effort: 25}}, mass: 1, inertia: [1, 1, 1.96]}
  - {name: lower, parent: upper, pose: {xyz: [1, 0, 0]}, joint: {name: elbow, type: revolute, axis: [0, 0, 1], limits: {effort: 9}}, mass: 3, com: [0.45, 0, 0], inertia: [0.2, 0.2, 0.2075]}
)");
  for (const double angle : {0.5, 0.975, 1.5}) {
    const std::string task =
        "duration: {free: [0.05, 20]}\nminimize: [{time: 1}]\nsubject_to:\n  start: {position: 0}\n"
        "  end: {position: {shoulder: " +
        std::to_string(angle) + ", elbow: 0}}\n";
    const Solution usual = predict(model.whole_task(task));
    const Solution fine = predict(model.whole_task(task + "refine: {gap: 1e-4}\n"));
    EXPECT_EQ(usual.status, nlp::Status::solved) << usual.message;
    const double stretched = 2 * std::sqrt(angle * 8.475 / 25);
    EXPECT_LT(usual.cost, 0.99 * stretched) << angle;
    EXPECT_LT(usual.cost, (1 + kNearInTime) * fine.cost) << angle;
    EXPECT_LE(usual.iterations, kMostIterations);
  }
}

}  // namespace
}  // namespace verne
