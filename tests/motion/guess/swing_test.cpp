// Drives that are too weak to lift swing first: random pendulums with default settings, against their equation.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <thread>

#include "motion/guess/pumping.h"
#include "motion/task_text.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

constexpr double kGravity = 9.81;

struct Pendulum {
  double mass, length, inertia, viscous;  // inertia about the hinge
  double part;                            // of the torque that holds it level, its limit
  double level() const { return mass * kGravity * length; }
  double limit() const { return part * level(); }
  double torque(double q, double v, double a) const { return inertia * a + viscous * v + level() * std::sin(q); }
  /// Of small swings.
  double period() const { return 2 * M_PI * std::sqrt(inertia / level()); }
};

Pendulum random_pendulum(std::mt19937_64& random, double part) {
  const auto between = [&](double low, double high) {
    return low * std::pow(high / low, static_cast<double>(random() >> 11) * 0x1p-53);
  };
  const double mass = between(0.1, 10), length = between(0.1, 2);
  return {mass, length, mass * length * length * between(1.05, 1.5), 0, part};
}

Task swing_up(const Pendulum& p, const std::string& rest) {
  const double own = p.inertia - p.mass * p.length * p.length;
  const test::TemporaryModel model(fmt::format(
      "  - {{name: rod, joint: {{name: hinge, type: revolute, axis: [0, 1, 0], limits: {{effort: {:.17g}}}, friction: "
      "{{viscous: {:.17g}}}}}, mass: {:.17g}, com: [0, 0, {:.17g}], inertia: [{:.17g}, {:.17g}, {:.17g}]}}\n",
      p.limit(), p.viscous, p.mass, -p.length, own, own, own));
  return model.whole_task(rest + "subject_to:\n  start: {position: 0}\n  end: {position: 180 deg}\n");
}

/// The predictor's own verification, and the equation of a pendulum.
void expect_swung_up(const Pendulum& p, const Solution& solution) {
  ASSERT_TRUE(solution.success()) << p.part << " of the level torque: " << solution.message;
  const Trajectory& motion = solution.trajectory;
  EXPECT_NEAR(motion.at(0.0)[0], 0, 1e-9);
  EXPECT_NEAR(motion.at(motion.duration())[0], M_PI, 1e-9);
  EXPECT_NEAR(motion.at(motion.duration(), 1)[0], 0, 1e-9);
  for (int k = 0; k <= 2000; ++k) {
    const double t = motion.duration() * k / 2000;
    const double torque = p.torque(motion.at(t)[0], motion.at(t, 1)[0], motion.at(t, 2)[0]);
    EXPECT_LE(std::abs(torque), p.limit() * 1.001) << "at " << t << " s";
  }
}

/// VERNE_SWINGS=20 tries so many for each of more drives.
int tries() {
  const char* count = std::getenv("VERNE_SWINGS");
  return count ? std::atoi(count) : 1;
}
std::vector<double> parts() {
  if (tries() > 1) return {0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05};
  return {0.9, 0.6, 0.3, 0.1};
}

TEST(Swing, WeakPendulumsInTheLeastTime) {
  std::mt19937_64 random(33);
  for (const double part : parts()) {
    for (int k = 0; k < tries(); ++k) {
      const Pendulum p = random_pendulum(random, part);
      SCOPED_TRACE(fmt::format("mass {}, length {}, inertia {}, part {}", p.mass, p.length, p.inertia, p.part));
      const Solution solution = predict(swing_up(p, "duration: free\nminimize: [{time: 1}]\n"));
      expect_swung_up(p, solution);
    }
  }
}

/// Whoever stops while it is refined, or while others are tried, gets the motion that was found.
TEST(Swing, StoppedAfterAMotionWasFound) {
  const Pendulum p{1, 1, 1, 0, 0.2};
  const Task task = swing_up(p, "duration: free\nminimize: [{time: 1}]\n");
  const double shortest = 4 * p.period() / 2;  // straight ways up, which are none, take less
  for (const int solves : {2, 4, 6}) {
    int begun = 0;
    PredictOptions options;
    options.progress = [&](const PredictProgress& progress) {
      begun += progress.iteration.iteration == 0 && progress.iteration.cost > shortest ? 1 : 0;
      return begun < solves;
    };
    const Solution solution = predict(task, options);
    EXPECT_EQ(solution.status, nlp::Status::interrupted) << solution.message;
    EXPECT_NE(solution.message.find("the best motion so far is"), std::string::npos) << solution.message;
    EXPECT_GT(solution.trajectory.duration(), shortest);
    EXPECT_NEAR(solution.trajectory.at(solution.trajectory.duration())[0], M_PI, 1e-9);
  }
}

/// Whoever has no time to see swings through hears of that, not of what cannot be found.
TEST(Swing, TimeRunsOut) {
  const Pendulum p{1, 1, 1, 0, 0.2};
  const Task task = swing_up(p, "duration: free\nminimize: [{time: 1}]\nsolver: {max_seconds: 2}\n");
  PredictOptions options;
  options.progress = [&](const PredictProgress& progress) {
    if (progress.iteration.cost > 2 * p.period()) std::this_thread::sleep_for(std::chrono::milliseconds(2100));
    return true;
  };
  const Solution solution = predict(task, options);
  EXPECT_EQ(solution.status, nlp::Status::time_limit) << solution.message;
  EXPECT_NE(solution.message.find("time limit"), std::string::npos) << solution.message;
}

TEST(Swing, WeakPendulumsInAGivenTime) {
  std::mt19937_64 random(34);
  for (const double part : tries() > 1 ? parts() : std::vector<double>{0.8, 0.25}) {
    for (int k = 0; k < tries(); ++k) {
      const Pendulum p = random_pendulum(random, part);
      SCOPED_TRACE(fmt::format("mass {}, length {}, inertia {}, part {}", p.mass, p.length, p.inertia, p.part));
      const double enough = p.period() * (1.5 + 0.8 / part);
      expect_swung_up(p, predict(swing_up(p, fmt::format("duration: {:.17g}\nminimize: [{{effort: 1}}]\n", enough))));
    }
  }
}

/// Work is force times way: u π a half-swing at most, and 2 m g l in all.
TEST(Swing, GatherEnergyAlongTheVelocity) {
  const Pendulum p{1, 1, 1, 0, 0.2};
  const Eigen::VectorXd up = Eigen::VectorXd::Constant(1, M_PI);
  const std::vector<Swing> all =
      swings(swing_up(p, "duration: free\nminimize: []\n"), 0, Eigen::VectorXd::Zero(1), up, 100, false);
  ASSERT_GT(all.size(), 2u);
  for (const Swing& swing : all) {
    EXPECT_GE(swing.q.back()[0], M_PI);
    double way = 0;
    for (std::size_t k = 1; k < swing.q.size(); ++k) way += std::abs(swing.q[k][0] - swing.q[k - 1][0]);
    const double energy = swing.part * p.limit() * way;  // all of the work
    EXPECT_GE(energy, 2 * p.level() * 0.99);
    EXPECT_LE(energy, 2 * p.level() * 1.2);  // and hardly any speed is left
    EXPECT_EQ(swing.halves % 2, swing.q[1][0] > 0 ? 1 : 0);
  }
  EXPECT_LT(all.front().duration(), all.back().duration());
  // No swing gathers more than friction takes.
  Pendulum damped = p;
  damped.viscous = 2;
  EXPECT_TRUE(
      swings(swing_up(damped, "duration: free\nminimize: []\n"), 0, Eigen::VectorXd::Zero(1), up, 100, false).empty());
}

/// All joints of an arm are too weak: the upper one pushes, the lower one holds what it can.
TEST(Swing, ArmsOfWeakJoints) {
  const test::TemporaryModel model(R"(  - name: upper
    joint: {name: shoulder, type: revolute, axis: [0, 1, 0], limits: {effort: 6.3}}
    mass: 0.8
    com: [0, 0, -0.4]
    inertia: [0.04, 0.04, 0.04]
  - name: lower
    parent: upper
    pose: {xyz: [0, 0, -0.8]}
    joint: {name: elbow, type: revolute, axis: [0, 1, 0], limits: {effort: 1.1}}
    mass: 1.3
    com: [0, 0, -0.3]
    inertia: [0.04, 0.04, 0.04]
)");
  const Task task = model.whole_task(
      "duration: free\nminimize: [{time: 1}]\nsubject_to:\n  start: {position: 0}\n  end: {position: [180 deg, 0]}\n");
  const Eigen::VectorXd hanging = Eigen::VectorXd::Zero(2), up = Eigen::Vector2d(M_PI, 0);
  const std::vector<Swing> all = swings(task, 0, hanging, up, 100, false);
  ASSERT_FALSE(all.empty());
  for (const Swing& swing : all) EXPECT_GE(swing.q.back()[0], M_PI);
  const Solution solution = predict(task);
  ASSERT_TRUE(solution.success()) << solution.message;
  EXPECT_LT(solution.verification.simulation_drift, 1e-4);
  EXPECT_GT(solution.starts.size(), 3u);  // it did not get there from rest to rest
}

/// Who says how fine the curve is gets no finer one.
TEST(Swing, CurvesAreAsFineAsSwingsNeed) {
  const Pendulum p{1, 1, 1, 0, 0.12};
  const std::string time = "duration: free\nminimize: [{time: 1}]\nrefine: off\n";
  EXPECT_GT(predict(swing_up(p, time)).trajectory.basis().control_points(), 40);
  const Solution coarse = predict(swing_up(p, time + "trajectory: {control_points: 12}\n"));
  EXPECT_EQ(coarse.trajectory.basis().control_points(), 12);
  EXPECT_EQ(coarse.status, nlp::Status::not_found) << coarse.message;
}

}  // namespace
}  // namespace verne
