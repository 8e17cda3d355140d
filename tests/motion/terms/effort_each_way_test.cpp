// Effort relative to the strength of its own sign, against the cheapest way of a mass in closed form. Its derivatives
// are checked in program_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/task_text.h"
#include "support/complaint.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

constexpr double kPush = 20, kPull = 5, kMass = 2, kWay = 3, kTime = 3;  // N, N, kg, m, s

Solution slide(const std::string& effort) {
  static const test::TemporaryModel kModel(
      "  - {name: cart, joint: {name: rail, type: prismatic, axis: [1, 0, 0], limits: {effort: [-5, 20]}}, mass: 2, "
      "inertia: [1, 1, 1]}\n");
  return predict(
      kModel.whole_task("duration: 3 s\ntrajectory: {control_points: 8, nodes: 24}\nrefine: {gap: 1e-4}\n"
                        "subject_to:\n  start: {position: 0}\n  end: {position: 3}\nminimize: [{effort: " +
                        effort + "}]\n"));
}

/// Minimize ∫ (F/U)² where F > 0, (F/L)² where F < 0, from rest to rest. The multiplier falls evenly, F is in
/// proportion to it, by U² before it vanishes at t* and by L² behind, and the momentum comes back to zero:
/// U t* = L (T − t*) = s, and the cost is 3 m² d² / (s² T).
TEST(EffortEachWay, PushesSoonerAndPullsLongerWhereItIsWeaker) {
  const Solution solution = slide("{normalize: each_way}");
  ASSERT_EQ(solution.status, nlp::Status::solved) << solution.message;
  const double s = kPush * kPull * kTime / (kPush + kPull), turn = s / kPush;
  const double least = 3 * kMass * kMass * kWay * kWay / (s * s * kTime);
  const double rounded = 0.01;  // of the strength, by which the change of sign is rounded off
  EXPECT_NEAR(solution.cost, least, rounded * least);
  EXPECT_GT(solution.trajectory.at(0.8 * turn, 2)[0], 0);
  EXPECT_LT(solution.trajectory.at(1.2 * turn, 2)[0], 0);
  const double slope = 3 * kMass * kWay / (s * s * kTime);  // of the multiplier
  EXPECT_NEAR(kMass * solution.trajectory.at(0, 2)[0], kPush * kPush * slope * turn, 0.05 * kPush);
  EXPECT_NEAR(kMass * solution.trajectory.at(kTime, 2)[0], -kPull * kPull * slope * (kTime - turn), 0.05 * kPull);
}

/// A higher power spreads the force more evenly: the largest is less, the square of all more.
TEST(EffortEachWay, AHigherPowerHasALowerPeak) {
  const Solution square = slide("{normalize: each_way}"), fourth = slide("{normalize: each_way, power: 4}");
  ASSERT_EQ(fourth.status, nlp::Status::solved) << fourth.message;
  EXPECT_LT(fourth.trajectory.at(0, 2)[0], 0.9 * square.trajectory.at(0, 2)[0]);
}

TEST(EffortEachWay, BadOnesAreTold) {
  const auto problem = [](const std::string& effort) { return test::complaint<InputError>([&] { slide(effort); }); };
  EXPECT_NE(problem("{normalize: both}").find("effort: normalize: expected true, false or each_way"),
            std::string::npos);
  EXPECT_NE(problem("{normalize: each_way, power: 1}").find("effort: power: expected"), std::string::npos);
  EXPECT_NE(problem("{normalize: true, power: 3}").find("effort: power: needs normalize: each_way"), std::string::npos);
}

}  // namespace
}  // namespace verne
