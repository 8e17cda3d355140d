// Durations that limits of velocity and acceleration do not allow, on both sides of the bound.
#include "motion/guess/too_short.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "motion/task_text.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

/// The velocity that gains as much as it can and loses as late as it may, in many small steps.
double farthest_by_steps(const Rise& r, double time) {
  constexpr int kSteps = 200000;
  double sum = 0;
  for (int k = 0; k < kSteps; ++k) {
    const double t = time * (k + 0.5) / kSteps;
    sum += std::min({r.fastest, r.first + r.gain * t, r.last + r.loss * (time - t)});
  }
  return sum * time / kSteps;
}

TEST(TooShort, TheFarthestWay) {
  std::mt19937_64 random(5);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  for (int k = 0; k < 20; ++k) {
    const double fastest = between(0.5, 3);
    const Rise rise{1, between(-2, fastest), between(-2, fastest), fastest, between(0.2, 4), between(0.2, 4)};
    const double time = between(0.1, 6);
    EXPECT_NEAR(farthest(rise, time), farthest_by_steps(rise, time), 1e-8);
    const double least = least_time_above(rise, 0);
    EXPECT_NEAR(farthest(rise, least), rise.way, 1e-9);
    EXPECT_LT(farthest(rise, 0.99 * least), rise.way);
  }
  // From rest to rest, with and without a limit of velocity; velocity alone; nothing.
  Rise rise{2, 0, 0, kInfinity, 2, 2};
  EXPECT_NEAR(least_time_above(rise, 0.1), 2, 1e-12);
  rise.fastest = 1;
  EXPECT_NEAR(least_time_above(rise, 0.1), 2.5, 1e-12);
  rise.gain = rise.loss = kInfinity;
  EXPECT_NEAR(least_time_above(rise, 0.1), 2, 1e-12);
  EXPECT_EQ(farthest({1, kInfinity, kInfinity, kInfinity, kInfinity, kInfinity}, 1e-3), kInfinity);
  rise.fastest = -1;
  EXPECT_EQ(least_time_above(rise, 0.1), kInfinity);
}

Task turn(const std::string& duration, const std::string& states, const std::string& limits,
          const std::string& more = "") {
  return test::read("format: verne-task/1\nmodel: two_link.yaml\nduration: " + duration +
                    "\nminimize: [{smoothness: 1}]\n" + more + "subject_to:\n" + states + "  limits: {effort: none, " +
                    limits + "}\n");
}
const std::string kWay = "  start: {position: [0, 0]}\n  end: {position: [0, -2]}\n";

/// Both sides of a bound: below, it is certain; a little above, a motion is found.
TEST(TooShort, BothSidesOfTheBound) {
  const auto by_acceleration = [](const std::string& duration) { return turn(duration, kWay, "acceleration: 2"); };
  const std::optional<Conflict> conflict = too_short(by_acceleration("1.9"));
  ASSERT_TRUE(conflict.has_value());
  EXPECT_EQ(conflict->parts, (std::vector<std::string>{"start", "end", "duration", "acceleration of elbow"}));
  EXPECT_NEAR(conflict->amount, 0.1, 1e-9);
  const Solution hasty = predict(by_acceleration("{free: [0.1, 1.9]}"));
  EXPECT_EQ(hasty.status, nlp::Status::infeasible);
  EXPECT_EQ(hasty.iterations, 0);
  EXPECT_EQ(hasty.message,
            "cannot be met together: start, end, duration, acceleration of elbow; at best, duration is off by 0.1 s: "
            "elbow takes at least 2 s from start to end");
  EXPECT_FALSE(too_short(by_acceleration("2.001")).has_value());
  EXPECT_TRUE(predict(by_acceleration("2.1")).success());

  const auto by_velocity = [](const std::string& duration) { return turn(duration, kWay, "velocity: 1"); };
  ASSERT_TRUE(too_short(by_velocity("1.99")).has_value());
  EXPECT_EQ(too_short(by_velocity("1.99"))->parts,
            (std::vector<std::string>{"start", "end", "duration", "velocity of elbow"}));
  EXPECT_FALSE(too_short(by_velocity("2.001")).has_value());
  EXPECT_TRUE(predict(by_velocity("2.3")).success());
  // Both together
  const std::optional<Conflict> both = too_short(turn("2.4", kWay, "velocity: 1, acceleration: 2"));
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->parts.size(), 5u);
  EXPECT_NEAR(both->amount, 0.1, 1e-9);
}

TEST(TooShort, VelocitiesAtTheEnds) {
  // 3 rad/s cannot be lost in less than 1.5 s, wherever that leads.
  const std::string moving = "  start: {position: [0, 0], velocity: [0, 3]}\n";
  EXPECT_TRUE(too_short(turn("1.4", moving, "acceleration: 2")).has_value());
  EXPECT_FALSE(too_short(turn("1.6", moving, "acceleration: 2")).has_value());
  // To where it comes from it has to turn round: 1.5 s to a stop 2.25 rad away, and back.
  const std::string back = moving + "  end: {position: [0, 0]}\n";
  const double least = 1.5 + 2 * std::sqrt(2.25 / 2);
  const auto lasting = [&](double part) { return turn(std::to_string(part * least), back, "acceleration: 2"); };
  EXPECT_TRUE(too_short(lasting(0.99)).has_value());
  EXPECT_FALSE(too_short(lasting(1.01)).has_value());
  EXPECT_TRUE(predict(lasting(1.1)).success());
  // A velocity that is free takes no time.
  EXPECT_FALSE(too_short(turn("0.01",
                              "  start: {position: [0, 0], velocity: free}\n  end: {position: [0, -2], "
                              "velocity: free}\n",
                              "velocity: none, acceleration: 2"))
                   .has_value());
}

TEST(TooShort, OnTheWayAndInPhases) {
  const std::string via = kWay + "  via: [{at: 0.1, position: {elbow: -1}}]\n";
  const std::optional<Conflict> conflict = too_short(turn("4", via, "velocity: 2"));
  ASSERT_TRUE(conflict.has_value());  // 0.4 s for 1 rad
  EXPECT_EQ(conflict->parts, (std::vector<std::string>{"start", "via at 0.1", "duration", "velocity of elbow"}));
  EXPECT_FALSE(too_short(turn("5.1", via, "velocity: 2")).has_value());
  EXPECT_FALSE(
      too_short(turn("4", via, "velocity: 2", "trajectory: {knots: free}\n")).has_value());  // nobody knows when
  const std::string phases =
      "phases:\n  - {name: out, duration: 0.5, end: {position: {elbow: 1}}, limits: {velocity: 1.5}}\n"
      "  - {name: on, duration: {free: [0.1, 9]}}\n";
  const auto in_phases = [&](const std::string& duration) {
    return turn(duration, "  start: {position: [0, 0]}\n  end: {position: [0, -2]}\n", "velocity: 3", phases);
  };
  const std::optional<Conflict> first = too_short(in_phases("5"));
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->parts, (std::vector<std::string>{"start", "end of out", "duration of out", "velocity of elbow"}));
}

}  // namespace
}  // namespace verne
