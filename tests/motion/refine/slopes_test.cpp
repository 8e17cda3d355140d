// Slopes of the cost against solving again, on the same curve and nodes, with other parameters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motion/task_text.h"
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"

namespace verne {
namespace {

/// On the first curve alone, solved to the end.
Task on_one_curve(Task task) {
  task.refine = RefineSpec::off();
  task.solver.tolerance = 1e-10;
  return task;
}

const ParameterSlope& slope_of(const Solution& solution, const std::string& name) {
  const auto found = std::find_if(solution.slopes.begin(), solution.slopes.end(),
                                  [&](const ParameterSlope& slope) { return slope.parameter == name; });
  EXPECT_NE(found, solution.slopes.end()) << name;
  return *found;
}

Solution solved_from(const Task& task, const Solution& start) {
  PredictOptions options;
  options.warm_start = &start;
  return predict(task, options);
}

/// The same by central differences of solves from the motion that was found.
double solved_slope(const Task& task, const Solution& solution, const std::string& name, double value, double step) {
  const auto cost = [&](double changed) { return solved_from(task.with_parameters({{name, changed}}), solution).cost; };
  return (cost(value + step) - cost(value - step)) / (2 * step);
}

void expect_slopes(const Task& task, double tolerance) {
  const Solution first = predict(task), solution = solved_from(task, first);
  EXPECT_EQ(solution.weak_limits, 0);
  for (const auto& [name, value] : task.parameters) {
    const ParameterSlope& slope = slope_of(solution, name);
    EXPECT_EQ(slope.value, value);
    const double step = 1e-4 * std::abs(value), expected = solved_slope(task, solution, name, value, step);
    EXPECT_NEAR(slope.slope, expected, tolerance * std::max(std::abs(expected), solution.cost / std::abs(value)))
        << name;
    EXPECT_NE(slope.slope, 0) << name;
  }
}

TEST(Slopes, OfWeightsAndStates) {
  expect_slopes(on_one_curve(test::shipped_task("prismatic_revolute", {{"u", 0.3}})), 2e-5);
}

TEST(Slopes, OfALimit) {
  expect_slopes(on_one_curve(test::shipped_task("joint_force_limited_lift")), 2e-5);
}

constexpr char kArm[] =
    "  - {name: arm, joint: {name: hinge, type: revolute, axis: [0, 1, 0], limits: {effort: most}}, mass: mass,\n"
    "     com: [reach/2, 0, 0], inertia: [0.01, mass*reach*reach/12, 0.01]}\n"
    "parameters: {mass: 2, reach: 0.8, most: 100, nothing: 1}\n";
constexpr char kLift[] =
    "parameters: {load: 1, at: 0.5, pull: 3}\nduration: 1\nminimize: [effort: 1]\n"
    "payloads: [{frame: arm, mass: load, com: [at, 0, 0]}]\n"
    "subject_to:\n"
    "  start: {position: 0}\n"
    "  end: {position: 1}\n"
    "  loads: [{frame: arm, force: [0, 0, -pull], point: [at, 0, 0]}]\n";

TEST(Slopes, OfMassesAndPlacesOfTheModelAndTheTask) {
  const test::TemporaryModel model(kArm);
  const Task task = on_one_curve(model.whole_task(kLift));
  EXPECT_EQ(task.model_parameters.size(), 4u);
  const Solution solution = predict(task);
  for (const auto& [name, value] :
       std::map<std::string, double>{{"load", 1}, {"at", 0.5}, {"pull", 3}, {"mass", 2}, {"reach", 0.8}}) {
    const double expected = solved_slope(task, solution, name, value, 1e-3 * value);
    EXPECT_NE(expected, 0);
    EXPECT_NEAR(slope_of(solution, name).slope, expected, 1e-5 * std::abs(expected)) << name;
  }
  EXPECT_EQ(slope_of(solution, "nothing").slope, 0);
  EXPECT_NEAR(slope_of(solution, "most").slope, 0, 1e-6);  // it is not used
  const std::string text = summary_text(task, solution);
  EXPECT_NE(text.find("slopes of the cost"), std::string::npos);
  // Another value of the model's parameter is another task.
  EXPECT_GT(predict(on_one_curve(model.whole_task(kLift, {{"mass", 2.5}}))).cost, solution.cost * 1.1);
}

TEST(Slopes, FromOneSideWhereTheOtherMakesNoSense) {
  const test::TemporaryModel model(kArm);
  const Task task = on_one_curve(model.whole_task(kLift, {{"load", 0}}));
  const Solution solution = predict(task);
  const ParameterSlope& slope = slope_of(solution, "load");
  EXPECT_EQ(slope.side, ParameterSlope::Side::above);
  const auto cost = [&](double load) { return predict(task.with_parameters({{"load", load}})).cost; };
  constexpr double kStep = 1e-3;
  const double expected = (4 * cost(kStep) - cost(2 * kStep) - 3 * solution.cost) / (2 * kStep);
  EXPECT_NEAR(slope.slope, expected, 1e-5 * expected);
  EXPECT_NE(summary_text(task, solution).find("upwards: less makes no sense"), std::string::npos);
}

/// A limit of velocity at just what the motion takes without it: it binds below, and does nothing above.
TEST(Slopes, CountLimitsThatAreJustMet) {
  const test::TemporaryModel model(kArm);
  const std::string rest =
      "parameters: {fast: 9}\nduration: 1\nminimize: [effort: 1]\n"
      "trajectory: {degree: 3, control_points: 9, nodes: 41}\n"
      "subject_to:\n"
      "  start: {position: 0}\n"
      "  end: {position: 1}\n"
      "  limits: {velocity: fast}\n";
  const Solution free = predict(on_one_curve(model.whole_task(rest)));
  EXPECT_EQ(free.weak_limits, 0);
  double fastest = 0;
  for (int k = 0; k <= 40; ++k) fastest = std::max(fastest, free.trajectory.at(k / 40.0, 1)[0]);
  const Task task = on_one_curve(model.whole_task(rest, {{"fast", fastest}}));
  const Solution met = predict(task);
  EXPECT_GT(met.weak_limits, 0);
  EXPECT_NEAR(met.cost, free.cost, 1e-6 * free.cost);
  EXPECT_NEAR(slope_of(met, "fast").slope, 0, 1e-3 * free.cost);
  EXPECT_NE(summary_text(task, met).find("begin to change at once"), std::string::npos);
  const Solution slower = predict(on_one_curve(model.whole_task(rest, {{"fast", 0.95 * fastest}})));
  EXPECT_LT(slope_of(slower, "fast").slope, -0.01 * free.cost);
}

/// Slopes are those of the file: a task that code has changed since has none.
TEST(Slopes, AreNotThoseOfAnotherTask) {
  Task task = on_one_curve(test::shipped_task("prismatic_revolute", {{"u", 0.3}}));
  task.costs[0].weight = 2;
  EXPECT_TRUE(predict(task).slopes.empty());
  Task unread(task.model);
  EXPECT_THROW(unread.with_parameters({}), std::invalid_argument);
}

TEST(Slopes, ParametersOfModelsHaveOtherValues) {
  const test::TemporaryModel model(kArm);
  EXPECT_DOUBLE_EQ(model.whole_task(kLift, {{"reach", 0.5}, {"load", 0}}).model.spec().links[1].com.x, 0.25);
  EXPECT_EQ(test::complaint<InputError>([&] {
              model.whole_task(kLift, {{"reech", 0.5}});
            }),
            "t: error: there is no parameter 'reech' (did you mean 'reach'?)");
}

}  // namespace
}  // namespace verne
