/// Singular configurations on the way of a simulated motion, and what makes a motion worthless.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "simulate/motion_recorder.h"
#include "support/paths.h"
#include "verne/io/model_io.h"
#include "verne/simulate/simulate.h"

namespace verne::test {
namespace {

using End = SimulatedMotion::End;

/// Parallelograms in series, `count` of them between count + 1 upright rods of 1 m, as in the benchmark A02 of IFToMM:
/// flat, each of them could go on as a kite.
Model parallelograms(int count) {
  std::string text =
      "format: verne-model/1\nname: series\nconvention: tree\ngravity: [0, 0, -9.81]\nbase: {type: fixed, name: "
      "ground}\n"
      "links:\n";
  const auto joint = [](const std::string& name) {
    return "joint: {name: " + name + ", type: revolute, axis: [0, 1, 0]}";
  };
  for (int i = 0; i <= count; ++i) {
    const std::string k = std::to_string(i);
    text += "  - {name: rod" + k + ", parent: ground, " + joint("r" + k) + ", pose: {xyz: [" + k +
            ", 0, 0]}, mass: 1, com: [0, 0, 0.5], inertia: [0.0833333333, 0.0833333333, 0.0001]}\n";
  }
  std::string loops;
  for (int i = 0; i < count; ++i) {
    const std::string k = std::to_string(i), next = std::to_string(i + 1);
    text += "  - {name: bar" + k + ", parent: rod" + k + ", " + joint("b" + k) +
            ", pose: {xyz: [0, 0, 1]}, mass: 1, com: [0.5, 0, 0], inertia: [0.0001, 0.0833333333, 0.0833333333]}\n";
    loops += "  - {name: c" + k + ", type: revolute, a: {link: bar" + k +
             ", pose: {xyz: [1, 0, 0], rpy: [-pi/2, 0, 0]}}, b: {link: rod" + next +
             ", pose: {xyz: [0, 0, 1], rpy: [-pi/2, 0, 0]}}}\n";
  }
  Diagnostics diagnostics("series.yaml");
  return build_model(read_yaml(text + "loops:\n" + loops + "independent: [r0]\n", "series.yaml", diagnostics));
}

/// The times at which rods that fall together are level, by their one equation of motion: I a = w sin(angle).
std::vector<double> level_times(int count, double speed, double duration) {
  const double rods = count + 1, inertia = rods * (0.0833333333 + 0.25) + count, weight = 9.81 * (rods * 0.5 + count);
  std::vector<double> times;
  double angle = 0, rate = speed;
  const double h = 1e-5;
  for (double t = 0; t < duration; t += h) {  // leapfrog
    rate += h / 2 * weight / inertia * std::sin(angle);
    const double before = std::cos(angle);
    angle += h * rate;
    rate += h / 2 * weight / inertia * std::sin(angle);
    if (before * std::cos(angle) < 0) times.push_back(t + h / 2);
  }
  return times;
}

/// However long the steps are and how many parallelograms become flat together, no passage is left out.
TEST(Passages, OfParallelogramsInSeries) {
  const double duration = 4;
  for (const int count : {1, 2, 4}) {
    SCOPED_TRACE(count);
    const Mechanism mechanism(parallelograms(count));
    Eigen::VectorXd v = Eigen::VectorXd::Zero(2 * count + 1);
    for (int k = 0; k < v.size(); ++k) {  // rods r0, r1, … turn together, and bars stay level
      v[k] = mechanism.model().dof_names()[static_cast<std::size_t>(k)][0] == 'r' ? 1 : -1;
    }
    const std::vector<double> expected = level_times(count, 1, duration);
    ASSERT_EQ(expected.size(), 4u);
    for (const SimulateOptions& options :
         {SimulateOptions{.duration = duration, .samples = 2, .tolerance = 1e-5},
          SimulateOptions{.duration = duration, .tolerance = 1e-7}, SimulateOptions{.duration = duration}}) {
      SCOPED_TRACE(options.tolerance);
      const Values home = mechanism.home();
      const SimulatedMotion out = simulate(
          mechanism, home, v, [](double, auto, auto, auto) {}, options);
      ASSERT_EQ(out.end, End::finished) << out.message;
      EXPECT_LT(out.energy_drift, std::max(1e-5, 100 * options.tolerance) * 9.81 * (count + 1));
      EXPECT_LT(out.loop_drift, 1e-9);
      ASSERT_EQ(out.passages.size(), 4);
      const double within = options.samples == 2 ? 0.06 : 0.02;  // parts of a step
      for (int k = 0; k < 4; ++k) EXPECT_NEAR(out.passages[k], expected[static_cast<std::size_t>(k)], within);
      const Eigen::VectorXd q = out.q.eigen().col(out.q.cols() - 1);  // parallelograms they remain
      for (int k = 0; k < q.size(); ++k) EXPECT_NEAR(std::remainder(q[k] - v[k] * q[0], 2 * M_PI), 0, 1e-3);
    }
  }
}

/// A four-bar that only ever comes near its dead centres tells of none.
TEST(Passages, NoneWhereThereIsNone) {
  const Mechanism mechanism(load_model(source_dir() + "/models/four_bar.yaml"));
  const Values home = mechanism.home(), rest(Eigen::VectorXd(Eigen::VectorXd::Zero(home.size())));
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    const SimulatedMotion out = simulate(mechanism, home, rest, [](double, auto, auto, auto) {},
                                         {.duration = 5, .samples = 2, .tolerance = tolerance});
    EXPECT_EQ(out.passages.size(), 0) << tolerance;
  }
}

/// Loops that open by more than a millionth of the mechanism's length are not closed.
TEST(MotionRecorder, JudgesOpenLoops) {
  const Mechanism mechanism(load_model(source_dir() + "/models/four_bar.yaml"));
  const std::vector<SimulationPhase> phases{{mechanism, [](double, auto, auto, auto) {}}};
  const auto verdict = [&](double opening) {
    MotionEquations motion(phases[0], {});
    SimulatedMotion out;
    MotionRecorder recorder(phases, out);
    const Eigen::VectorXd home = mechanism.home().eigen(), rest = Eigen::VectorXd::Zero(home.size());
    std::vector<double> y = motion.state({home.data(), 3}, {rest.data(), 3});
    recorder.begin_phase(motion, y);
    recorder.add(motion, 0, y);
    y[2] += 1e-4;  // the rocker alone
    const double slope = motion.opening(y) / 1e-4;
    y[2] += opening * mechanism.length() / slope - 1e-4;
    recorder.balance(motion, y);
    EXPECT_NEAR(out.loop_drift, opening * mechanism.length(), 1e-3 * out.loop_drift);
    return recorder.verdict(1e-2);  // at which energy may be off
  };
  EXPECT_EQ(verdict(0.9e-6), "");
  EXPECT_NE(verdict(1.1e-6).find("loops open by 1.1e-06 of the mechanism's length"), std::string::npos);
}

}  // namespace
}  // namespace verne::test
