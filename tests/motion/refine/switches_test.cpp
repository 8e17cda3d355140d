// Where knots pay that let something jump.
#include "motion/refine/switches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "motion/guess/first_guess.h"
#include "motion/refine/regrid.h"
#include "motion/refine/violations.h"
#include "motion/task_text.h"

namespace verne {
namespace {

constexpr double kLeastWorth = 5e-3;

const char* const kCartModel =
    "  - {name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0]}, mass: 1, inertia: [1, 1, 1]}\n";

using Limits = std::vector<std::pair<NodeQuantity, double>>;

/// Of a cart whose limits are worth as much as `price` times the cost.
std::vector<Switch> switches_of(const Task& task, const Trajectory& trajectory, const Limits& limits,
                                double price = 1) {
  std::vector<LimitReport> reports;
  for (const auto& [kind, bound] : limits) {
    LimitReport report;
    report.name = {kind_of(kind), "rail", ""};
    report.bounds = {-bound, bound};
    report.price = price / bound;
    reports.push_back(report);
  }
  return find_switches({{{task, {0, trajectory.basis().spans()}}, {}, {}, {}}}, trajectory, reports, 1, kLeastWorth);
}

/// A spline with simple, even knots that is as near as it gets to positions at many times.
template <class Position>
Trajectory smooth(double duration, int spans, Position&& position) {
  const SplineBasis basis(3, spans);
  const Eigen::VectorXd lengths = Eigen::VectorXd::Constant(spans, duration / spans);
  std::vector<Place> places;
  for (int s = 0; s < spans; ++s) {
    for (int k = 0; k < 8; ++k) places.push_back({s, k / 8.0});
  }
  places.push_back({spans - 1, 1.0});
  Eigen::MatrixXd values(1, places.size());
  for (std::size_t n = 0; n < places.size(); ++n) {
    values(0, static_cast<Eigen::Index>(n)) = position((places[n].span + places[n].fraction) * duration / spans);
  }
  return {basis, lengths, fit_control_points(basis, lengths, places, values)};
}

TEST(Switches, OfAnEffortThatJumps) {
  const test::TemporaryModel model(kCartModel);
  const Task task = model.task("  start: {position: 0}\n  limits: {effort: 1}\n");
  // Acceleration 1 for 1 s and −1 for 2 s: Bézier pieces of degree three
  const Eigen::VectorXd lengths = Eigen::Vector2d(1, 2);
  const Eigen::VectorXd points =
      (Eigen::VectorXd(6) << 0, 0, 1.0 / 6, 1.0 / 2 + 2.0 / 3, 1.0 / 2 + 2.0 / 3, 0.5).finished();
  const Trajectory jumping(SplineBasis(3, std::vector<int>{2}), lengths, points);
  ASSERT_NEAR(jumping.at(0.5, 2)[0], 1, 1e-12);
  ASSERT_NEAR(jumping.at(2.5, 2)[0], -1, 1e-12);
  const std::vector<Switch> switches = switches_of(task, jumping, {{NodeQuantity::effort, 1}});
  ASSERT_EQ(switches.size(), 1u);
  EXPECT_NEAR(switches[0].time, 1, 1e-12);
  EXPECT_EQ(switches[0].order, 2);
}

TEST(Switches, OfALimitThatIsWorthNothingDoNotCount) {
  const test::TemporaryModel model(kCartModel);
  const Task task = model.task("  start: {position: 0}\n  limits: {effort: 1}\n");
  const Trajectory there = smooth(2, 8, [](double t) { return t < 1 ? t * t / 2 : 1 - (2 - t) * (2 - t) / 2; });
  EXPECT_EQ(switches_of(task, there, {{NodeQuantity::effort, 1}}).size(), 1u);
  EXPECT_TRUE(switches_of(task, there, {{NodeQuantity::effort, 1}}, 1e-3).empty());
}

/// From rest to a speed limit and back: full force for 0.8 s, none, full force back, on knots that cannot jump.
TEST(Switches, FromEffortToSpeed) {
  const test::TemporaryModel model(kCartModel);
  const Task task = model.task("  start: {position: 0}\n  limits: {effort: 1, velocity: 0.8}\n");
  const auto position = [](double t) {
    const double ramp = std::min(t, 0.8), back = std::max(0.0, t - 2.2);
    return ramp * ramp / 2 + 0.8 * std::max(0.0, t - 0.8) - back * back / 2;
  };
  const std::vector<Switch> switches =
      switches_of(task, smooth(3, 20, position), {{NodeQuantity::velocity, 0.8}, {NodeQuantity::effort, 1}});
  ASSERT_EQ(switches.size(), 2u);
  EXPECT_NEAR(switches[0].time, 0.8, 0.02);
  EXPECT_NEAR(switches[1].time, 2.2, 0.02);
}

/// A cart that gets to its speed within 0.5 s and uses a tenth of its force could do so within 0.05 s.
TEST(Switches, WhereTheControlIsNotAtItsLimitYet) {
  const test::TemporaryModel model(kCartModel);
  const Task task = model.task("  start: {position: 0}\n  limits: {effort: 10, velocity: 0.5}\n");
  const auto position = [](double t) {
    const double ramp = std::min(t, 0.5), back = std::max(0.0, t - 2.5);
    return ramp * ramp / 2 + 0.5 * std::max(0.0, t - 0.5) - back * back / 2;
  };
  const std::vector<Switch> switches =
      switches_of(task, smooth(3, 30, position), {{NodeQuantity::velocity, 0.5}, {NodeQuantity::effort, 10}});
  ASSERT_EQ(switches.size(), 2u);
  EXPECT_NEAR(switches[0].time, 0.05, 5e-3);
  EXPECT_NEAR(switches[1].time, 2.95, 5e-3);
}

/// A cart that turns round, slowly at first: with all of its force it is as far in the end if it does so late.
TEST(Switches, WhereMostOfAChangeIs) {
  const test::TemporaryModel model(kCartModel);
  const Task task = model.task("  start: {position: 0}\n  limits: {effort: 10, velocity: 0.5}\n");
  const auto position = [](double t) {
    const double slowly = std::clamp(t - 1, 0.0, 1.0), quickly = std::clamp(t - 2, 0.0, 0.5);
    const double after = std::max(0.0, t - 2), at_speed = std::max(0.0, t - 2.5);
    return -0.5 * t + 0.125 * slowly * slowly + 0.25 * after + 0.75 * quickly * quickly + 0.75 * at_speed;
  };
  const std::vector<Switch> switches =
      switches_of(task, smooth(4, 40, position), {{NodeQuantity::velocity, 0.5}, {NodeQuantity::effort, 10}});
  ASSERT_EQ(switches.size(), 2u);
  const double centre = (0.25 * 1.5 + 0.75 * 2.25) / 1.0;  // of accelerations 1/4 for 1 s and 3/2 for 1/2 s
  EXPECT_NEAR(switches[0].time, centre - 0.05, 0.01);
  EXPECT_NEAR(switches[1].time, centre + 0.05, 0.01);
}

/// What it takes to hold an arm up changes while it gets to its speed: 30 N m less 9.81 at the start lift 2 kg m² to
/// 2 rad/s within 0.198 s.
TEST(Switches, WhereItTakesEffortToStay) {
  const test::TemporaryModel model(
      "  - {name: arm, joint: {name: rail, type: revolute, axis: [0, -1, 0]}, mass: 1, com: [1, 0, 0], inertia: [1, 1, "
      "1]}\n");
  const Task task = model.task("  start: {position: 0}\n  limits: {effort: 30, velocity: 2}\n");
  const auto position = [](double t) { return t < 1 ? t * t : 2 * t - 1; };
  const std::vector<Switch> switches =
      switches_of(task, smooth(2, 20, position), {{NodeQuantity::velocity, 2}, {NodeQuantity::effort, 30}});
  ASSERT_FALSE(switches.empty());
  EXPECT_NEAR(switches[0].time, 2 * 2 / (30 - 9.81), 4e-3);
}

/// The same with a jerk limit J takes two pulses of sqrt(V / J) each.
TEST(Switches, OfTheJerk) {
  const test::TemporaryModel model(kCartModel);
  const Task task = model.task("  start: {position: 0}\n  limits: {jerk: 50, velocity: 0.5}\n");
  const auto position = [](double t) {
    const double ramp = std::min(t, 0.5), back = std::max(0.0, t - 2.5);
    return ramp * ramp / 2 + 0.5 * std::max(0.0, t - 0.5) - back * back / 2;
  };
  const std::vector<Switch> switches =
      switches_of(task, smooth(3, 15, position), {{NodeQuantity::velocity, 0.5}, {NodeQuantity::jerk, 50}});
  ASSERT_EQ(switches.size(), 4u);
  const double times[] = {0.1, 0.2, 2.8, 2.9};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(switches[k].time, times[k], 2e-3);
    EXPECT_EQ(switches[k].order, 3);
  }
}

/// Full force back until a phase begins that allows half the speed. The acceleration may not jump between the phases:
/// it does so just before.
TEST(Switches, NextToABorderThatIsPassedSmoothly) {
  const test::TemporaryModel model(kCartModel);
  const Task task = model.task("  start: {position: 0}\n  limits: {effort: 1}\n");
  Task slow = task;
  slow.limits.velocity = {{-0.5, 0.5}};
  const Trajectory curve = smooth(2, 10, [](double t) { return t < 1 ? 1.5 * t - t * t / 2 : 0.5 + t / 2; });
  LimitReport effort;
  effort.name = {kind_of(NodeQuantity::effort), "rail", ""};
  effort.bounds = {-1, 1};
  effort.price = 1;
  const std::vector<PlacedStage> stages{{{task, {0, 5}}, {}, {}, {}}, {{slow, {5, 10}}, {}, {}, {}}};
  const double near = 2e-3;  // a thousandth of the duration
  const std::vector<Switch> switches = find_switches(stages, curve, {effort}, 1, kLeastWorth);
  ASSERT_EQ(switches.size(), 1u);
  EXPECT_NEAR(switches[0].time, 1 - near, 1e-9);
  EXPECT_EQ(switches[0].order, 2);
  // Where it may jump at the border, no other knot is needed.
  EXPECT_TRUE(find_switches(stages, curve.with_knot({5, 0.0}), {effort}, 1, kLeastWorth).empty());
}

TEST(Switches, NoneWithoutLimits) {
  const Task task = test::shipped_task("prismatic_revolute");
  const Trajectory guess = first_guess(task);
  EXPECT_TRUE(find_switches({{{task, {0, guess.basis().spans()}}, {}, {}, {}}}, guess, {}, 1, kLeastWorth).empty());
}

// --- The same motion on other knots -------------------------------------------------------------------------------

TEST(Regrid, HalvedSpansHoldTheSameCurve) {
  const Trajectory curve = smooth(2, 5, [](double t) { return std::sin(2 * t); });
  const CurveVariables variables = CurveVariables::with_duration(curve.basis(), 1, curve.lengths());
  const auto [finer, motion] = regridded(variables, curve, {}, {10}, 3);
  EXPECT_EQ(finer.basis.spans(), 10);
  EXPECT_EQ(finer.basis.multiplicities(), std::vector<int>(9, 1));
  for (double t = 0; t <= 2; t += 0.01) EXPECT_NEAR(motion.at(t)[0], curve.at(t)[0], 1e-12);
  const Eigen::VectorXd x = finer.variables(motion);
  EXPECT_NEAR(x[finer.timing(0)], 2, 1e-14);
  EXPECT_LT(
      (finer.trajectory({x.data(), static_cast<std::size_t>(x.size())}).control_points() - motion.control_points())
          .cwiseAbs()
          .maxCoeff(),
      1e-15);
}

TEST(Regrid, KnotsAtSwitches) {
  const Trajectory curve = smooth(2, 5, [](double t) { return t * t; });
  const CurveVariables variables = CurveVariables::with_duration(curve.basis(), 1, curve.lengths());
  const auto [finer, motion] = regridded(variables, curve, {{0.05, 2}, {1.25, 3}}, {8}, 3);
  // Two spans at least between switches; the acceleration may jump at the first, the jerk of a cubic does anywhere.
  EXPECT_EQ(finer.basis.multiplicities(), (std::vector<int>{1, 2, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_NEAR(motion.lengths().head(2).sum(), 0.05, 1e-14);
  EXPECT_NEAR(motion.lengths().head(7).sum(), 1.25, 1e-14);
  for (double t = 0; t <= 2; t += 0.01) EXPECT_NEAR(motion.at(t)[0], t * t, 1e-12);
}

/// A pulse may turn out longer than it was thought to be: it need not last for a whole span then.
TEST(Regrid, AShortSpanBesideAPulse) {
  const Trajectory curve = smooth(2, 5, [](double t) { return t * t; });
  const CurveVariables variables = CurveVariables::with_duration(curve.basis(), 1, curve.lengths());
  const auto [finer, motion] = regridded(variables, curve, {{0.01, 2}, {0.02, 2}, {1.99, 2}}, {8}, 3, true);
  const double even = 1.97 / 8;
  Eigen::VectorXd lengths(13);
  lengths << 0.01, 0.01, 0.02, even - 0.02, Eigen::VectorXd::Constant(6, even), even - 0.01, 0.01, 0.01;
  ASSERT_EQ(finer.basis.spans(), lengths.size());
  EXPECT_LT((motion.lengths() - lengths).lpNorm<Eigen::Infinity>(), 1e-14);
  EXPECT_EQ(finer.basis.multiplicities(), (std::vector<int>{2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}));
}

/// What may jump at a knot of a cubic may jump at one of a quartic that counts once more.
TEST(Regrid, OneDegreeMore) {
  const Trajectory curve = smooth(2, 4, [](double t) { return t * t; });
  const CurveVariables variables = CurveVariables::with_groups(curve.basis(), 1, curve.lengths(), {0, 0, 1, 1});
  const auto [finer, motion] = regridded(variables, curve, {{0.5, 2}}, {4, 2}, 4);
  EXPECT_EQ(finer.basis.degree(), 4);
  EXPECT_EQ(finer.basis.multiplicities(), (std::vector<int>{1, 3, 1, 2, 1}));
  for (double t = 0; t <= 2; t += 0.01) EXPECT_NEAR(motion.at(t)[0], t * t, 1e-12);
}

/// Spans of two timing variables, with a knot between them that counts twice.
TEST(Regrid, GroupsAndTheKnotsBetweenThemStay) {
  const SplineBasis basis(3, std::vector<int>{1, 2, 1});
  const Eigen::VectorXd lengths = Eigen::Vector4d(0.5, 0.5, 1, 2), points = Eigen::VectorXd::LinSpaced(8, 0, 1);
  const Trajectory curve(basis, lengths, points);
  const CurveVariables variables{basis, 1, 2, {0, 0, 1, 1}, {0.5, 0.5, 0.25, 0.5}};
  const auto [finer, motion] = regridded(variables, curve, {{2.5, 2}}, {2, 6}, 3);
  EXPECT_EQ(finer.group, (std::vector<int>{0, 0, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(finer.basis.multiplicities(), (std::vector<int>{1, 2, 1, 1, 2, 1, 1}));
  EXPECT_EQ(finer.groups, 2);
  EXPECT_NEAR(motion.lengths().head(2).sum(), 1, 1e-14);
  EXPECT_NEAR(motion.lengths().head(5).sum(), 2.5, 1e-14);
  const Eigen::VectorXd x = finer.variables(motion);
  EXPECT_NEAR(x[finer.timing(0)], 1, 1e-14);  // the timing variables are what they were
  EXPECT_NEAR(x[finer.timing(1)], 4, 1e-14);
}

/// The jerk may jump between phases even where the acceleration may not.
TEST(Regrid, AJumpOfTheJerkAtABorder) {
  const SplineBasis basis(4, 4);
  const Trajectory curve(basis, Eigen::VectorXd::Ones(4), Eigen::VectorXd::LinSpaced(8, 0, 1));
  const CurveVariables variables = CurveVariables::with_groups(basis, 1, curve.lengths(), {0, 0, 1, 1});
  const auto [finer, motion] = regridded(variables, curve, {{2.0, 3}}, {2, 2}, 4);
  EXPECT_EQ(finer.group, (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(finer.basis.multiplicities(), (std::vector<int>{1, 2, 1}));
  for (double t = 0; t <= 4; t += 0.01) EXPECT_NEAR(motion.at(t)[0], curve.at(t)[0], 1e-12);
}

TEST(Exchange, NodesOnBothSidesOfABorder) {
  const CurveVariables curve =
      CurveVariables::with_groups(SplineBasis(3, 4), 1, Eigen::VectorXd::Ones(4), {0, 0, 1, 1});
  std::string places;
  for (const Place& node : nodes_between_knots(curve, 2)) {
    places += std::to_string(node.span) + (node.fraction == 0 ? "a " : node.fraction == 1 ? "z " : "m ");
  }
  EXPECT_EQ(places, "0a 0m 1a 1m 1z 2a 2m 3a 3m 3z ");
}

}  // namespace
}  // namespace verne
