// Parameters that are unknowns of a task: against closed forms, and against solving for each value.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motion/curve/phases.h"
#include "motion/guess/first_guess.h"
#include "motion/program/designed_program.h"
#include "motion/task_text.h"
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"
#include "verne/nlp/check_derivatives.h"

namespace verne {
namespace {

constexpr double kDown = 9.81, kHeavy = 2, kCentre = 0.4, kAngle = 0.3;

/// An arm under gravity with a spring, and a turntable that nothing of it reaches.
constexpr char kArmAndTurntable[] =
    "  - {name: arm, joint: {name: hinge, type: revolute, axis: [0, 1, 0], stiffness: spring, rest: -1}, mass: 2,\n"
    "     com: [0.4, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  - {name: table, parent: base, joint: {name: swivel, type: revolute, axis: [0, 0, 1]}, mass: 1,\n"
    "     inertia: [0.1, 0.1, 0.1]}\n"
    "parameters: {spring: 0}\n";
constexpr char kHeld[] =
    "parameters: {m: 0}\n"
    "payloads: [{frame: arm, mass: m, com: [-0.2, 0, 0]}]\n"
    "duration: 1\nminimize: [effort: 1]\n"
    "trajectory: {control_points: 8, nodes: 12}\nrefine: {knots: 0, switches: false}\n"
    "subject_to: {start: {position: [0.3, 0]}, end: {position: [0.3, 1]}}\n";

TEST(Design, ACounterweightBalancesWhatIsHeld) {
  const test::TemporaryModel model(kArmAndTurntable);
  const Task task = model.whole_task(std::string(kHeld) + "design: {m: {between: [0, 10], guess: 1}}\n");
  EXPECT_EQ(task.parameters.at("m"), 1);
  const Solution solution = predict(task);
  EXPECT_TRUE(solution.success()) << solution.message;
  ASSERT_EQ(solution.design.size(), 1u);
  EXPECT_NEAR(solution.design[0].value, kHeavy * kCentre / 0.2, 1e-6);
  const Task best = as_designed(task, solution);
  EXPECT_EQ(best.parameters.at("m"), solution.design[0].value);
  EXPECT_LT(sample_motion(best, solution, 11).tau.eigen().row(0).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_NE(summary_text(best, solution).find("m = 4"), std::string::npos);
  EXPECT_NE(solution_json(best, solution, sample_motion(best, solution, 3), "", "").find("\"design\""),
            std::string::npos);
}

TEST(Design, ASpringOfTheModelHoldsAnArm) {
  const test::TemporaryModel model(kArmAndTurntable);
  const Task task = model.whole_task(std::string(kHeld) + "design: {spring: {between: [0, 50], guess: 1}}\n");
  const Solution solution = predict(task);
  ASSERT_EQ(solution.design.size(), 1u);
  EXPECT_NEAR(solution.design[0].value, kHeavy * kDown * kCentre * std::cos(kAngle) / (kAngle + 1), 1e-5);
}

/// Fields of the model, whatever its format: the same spring, and a pivot whose place shortens the lever.
TEST(Design, FieldsOfTheModelAreParameters) {
  const test::TemporaryModel model(kArmAndTurntable);
  const Task task =
      model.whole_task(std::string(kHeld) + "design: {model.hinge.stiffness: {between: [0, 50], guess: 1}}\n");
  const Solution solution = predict(task);
  ASSERT_EQ(solution.design.size(), 1u);
  EXPECT_NEAR(solution.design[0].value, kHeavy * kDown * kCentre * std::cos(kAngle) / (kAngle + 1), 1e-5);
  const Task balanced = model.whole_task(std::string(kHeld) + "design: {model.arm.com.x: {between: [-0.3, 0.6]}}\n",
                                         {{"model.arm.mass", 3}, {"m", 5}});
  EXPECT_EQ(balanced.model_parameters.at("model.arm.com.x"), 0.4);
  EXPECT_NEAR(predict(balanced).design.at(0).value, 5 * 0.2 / 3, 1e-6);
  EXPECT_NE(test::complaint<InputError>([&] {
              model.whole_task(kHeld, {{"model.arm.mas", 3}});
            }).find("(did you mean 'model.arm.mass'?)"),
            std::string::npos);
}

TEST(Design, EndsAtItsBoundWithAPrice) {
  const test::TemporaryModel model(kArmAndTurntable);
  const Solution solution =
      predict(model.whole_task(std::string(kHeld) + "design: {m: {between: [0, 2], guess: 1}}\n"));
  ASSERT_EQ(solution.design.size(), 1u);
  EXPECT_NEAR(solution.design[0].value, 2, 1e-6);
  // d/dm of (M L - m l)² (g cos q)² T
  const double lever = kHeavy * kCentre - 2 * 0.2, scale = std::pow(kDown * std::cos(kAngle), 2);
  const auto slope = std::find_if(solution.slopes.begin(), solution.slopes.end(),
                                  [](const ParameterSlope& s) { return s.parameter == "m"; });
  ASSERT_NE(slope, solution.slopes.end());
  EXPECT_LT(slope->slope, 0);
  EXPECT_GT(slope->slope, -2 * lever * 0.2 * scale);  // the motion may take some of it
}

/// A mass, an end of the motion and a spring at once: no other values nearby are better.
TEST(Design, SeveralAtOnceAreBestForTheMotion) {
  const test::TemporaryModel model(kArmAndTurntable);
  const Task task = model.whole_task(
      "parameters: {m: 1, begin: 0.2}\n"
      "payloads: [{frame: arm, mass: m, com: [-0.2, 0, 0]}]\n"
      "duration: 1\nminimize: [effort: 1]\n"
      "trajectory: {control_points: 8, nodes: 12}\nrefine: off\nsolver: {tolerance: 1e-10}\n"
      "subject_to: {start: {position: [begin, 0]}, end: {position: [1.2, 1]}}\n"
      "design: {m: {between: [0, 10]}, begin: {between: [-0.5, 0.6]}, spring: {between: [0, 20], guess: 0.1}}\n");
  const Solution solution = predict(task);
  ASSERT_EQ(solution.design.size(), 3u);
  Task best = as_designed(task, solution);
  best.design.clear();
  for (const DesignResult& design : solution.design) {
    const double step = 1e-2 * (design.bounds.upper - design.bounds.lower);
    const auto cost = [&](double value) {
      PredictOptions options;
      options.warm_start = &solution;
      return predict(best.with_parameters({{design.parameter, value}}), options).cost;
    };
    const bool at_lower = design.value<design.bounds.lower + 1e-4, at_upper = design.value> design.bounds.upper - 1e-4;
    if (!at_lower) {
      EXPECT_GT(cost(design.value - step), solution.cost) << design.parameter << " " << design.value;
    }
    if (!at_upper) {
      EXPECT_GT(cost(design.value + step), solution.cost) << design.parameter << " " << design.value;
    }
    if (at_lower || at_upper) continue;
    const double before = cost(design.value - step), after = cost(design.value + step);
    const double bend = before - 2 * solution.cost + after;
    EXPECT_NEAR((before - after) / (2 * bend), 0, 0.02) << design.parameter << " " << design.value;  // of a step
  }
}

/// Masses, limits whose size is designed, and states that move bounds of variables.
TEST(Design, HasDerivativesOfAllThatDependsOnIt) {
  const test::TemporaryModel model(kArmAndTurntable);
  const Task task = model.whole_task(
      "parameters: {m: 1, begin: 0.2, strong: 30, far: 0.5}\n"
      "payloads: [{frame: arm, mass: m, com: [-0.2, 0, 0]}]\n"
      "duration: {free: [0.5, 2], guess: 1}\nminimize: [effort: 1, time: 2]\n"
      "trajectory: {control_points: 6, nodes: 7}\n"
      "subject_to:\n"
      "  start: {position: [begin, 0]}\n"
      "  end: {position: [{between: [far, 1]}, 1]}\n"
      "  limits: {effort: strong}\n"
      "design: {m: {between: [0, 10]}, begin: {between: [-0.5, 0.6]}, strong: {between: [10, 50]},"
      " far: {between: [0, 0.9]}}\n");
  const Trajectory guess = first_guess(task);
  const std::vector<int> phases(static_cast<std::size_t>(guess.basis().spans()), 0);
  const Grid grid{variables_of(task, guess, phases), even_nodes(guess, phases, task.curve.nodes), {}};
  DesignedProgram program(task.design, {1, 0.2, 30, 0.5}, [&](const std::vector<double>& p) {
    return make_program(task.with_parameters({{"m", p[0]}, {"begin", p[1]}, {"strong", p[2]}, {"far", p[3]}}), grid,
                        guess);
  });
  nlp::Point plain{make_program(task, grid, guess).problem.initial(), {}, {}, {}};
  Values x = program.extended(plain).x;
  for (Eigen::Index k = 0; k < x.size(); ++k) x[k] += 0.01 * std::sin(7.0 * static_cast<double>(k) + 1);
  const nlp::DerivativeReport report = nlp::check_derivatives(program.problem(), x, 1e-5);
  for (const auto* list : {&report.gradient, &report.jacobian, &report.hessian}) {
    for (const nlp::DerivativeError& error : *list) {
      ADD_FAILURE() << error.where << ": " << error.exact << ", by differences " << error.difference;
    }
  }
  EXPECT_TRUE(report.good());
}

/// A solution keeps the text of its task: what it says of designs is done, as the model that it keeps shows.
TEST(Design, IsDoneInWhatASolutionKeeps) {
  const test::TemporaryModel model(kArmAndTurntable);
  const Task task =
      model.whole_task(std::string(kHeld) + "design: {m: {between: [0, 10]}, spring: {between: [0, 9]}}\n");
  EXPECT_EQ(task.design.size(), 2u);
  const Task kept = read_task(task.text, "t", task.model, {{"m", 3}});
  EXPECT_TRUE(kept.design.empty());
  EXPECT_EQ(kept.parameters.at("m"), 3);
}

TEST(Design, MistakesAreNamed) {
  const test::TemporaryModel model(kArmAndTurntable);
  const auto problem = [&](const std::string& design) {
    return test::complaint<InputError>([&] { model.whole_task(std::string(kHeld) + "design: " + design + "\n"); });
  };
  const auto expect = [&](const std::string& design, const std::string& text) {
    EXPECT_NE(problem(design).find(text), std::string::npos) << problem(design);
  };
  expect("{sprin: {between: [0, 4]}}", "design: sprin: there is no parameter 'sprin' (did you mean 'spring'?)");
  expect("{m: {between: [4, 0]}}", "design: m: between: the range from 4 to 0 is empty");
  expect("{m: {between: [1, 1]}}", "empty");
  expect("{m: {between: [0, 4], guess: 5}}", "the search begins at 5, outside of 0 to 4");
  expect("{m: {between: [1, 4]}}", "the search begins at 0, outside of 1 to 4");
  expect("{m: 4}", "design: m");
  expect("{m: {from: 0, to: 4}}", "between");
  expect("[m]", "a map of parameters");
  const auto in = [&](const std::string& text) {
    return test::complaint<InputError>([&] { predict(model.whole_task(text)); });
  };
  const std::string base = std::string(kHeld).substr(std::string(kHeld).find('\n') + 1);
  EXPECT_NE(in("parameters: {m: 1, idle: 1, more: 2*idle}\n" + base + "design: {idle: {between: [0, 4]}}\n")
                .find("no number of the task or its model is written with it"),
            std::string::npos);
  EXPECT_NE(in("parameters: {m: 1}\n" + base + "design: {m: {between: [-1, 4]}}\n")
                .find("t:10: error: design: m: at -1 the task makes no sense: "),
            std::string::npos);
  EXPECT_NE(in("parameters: {m: 1, n: 10}\nstarts: {count: n}\n" + base + "design: {n: {between: [8, 12]}}\n")
                .find("t:11: error: design: n: at "),
            std::string::npos);
}

}  // namespace
}  // namespace verne
