// What joints bear by themselves, from tables: the fit against functions that it contains, the joint's torque against
// the table, and what is wrong with tables.
#include "motion/task/passive_torques.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/task_text.h"
#include "support/paths.h"
#include "support/text.h"
#include "verne/dynamics/dynamics.h"

namespace verne {
namespace {

constexpr double kDegree = M_PI / 180;

TEST(PassiveTorques, FindsSpringsAndLigaments) {
  const double k = 3, rest = 0.1, c = 40, lower = -0.5, upper = 0.4;
  std::vector<PassivePoint> table;
  for (double q = -1; q < 1.01; q += 0.1) {
    const double x = q - std::clamp(q, lower, upper);
    table.push_back({q, -k * (q - rest) - c * x * x * x});
  }
  const PassiveFit fit = fit_passive(table);
  EXPECT_NEAR(fit.stiffness, k, 0.02);
  EXPECT_NEAR(fit.rest, rest, 0.01);
  EXPECT_NEAR(fit.slack_lower, lower, 0.01);
  EXPECT_NEAR(fit.slack_upper, upper, 0.01);
  EXPECT_NEAR(fit.ligament, c, 0.05 * c);
  EXPECT_LT(fit.misfit, 5e-3 * std::abs(table.back().torque));
}

/// A table that pushes away from its middle has neither a spring nor ligaments.
TEST(PassiveTorques, TakesNothingAway) {
  const PassiveFit fit = fit_passive({{-1, -2}, {0, 0}, {1, 2}});
  EXPECT_EQ(fit.stiffness, 0);
  EXPECT_EQ(fit.ligament, 0);
  EXPECT_NEAR(fit.misfit, 2, 1e-12);
}

std::string person(const std::string& passive, const std::string& size = "") {
  return "format: verne-task/1\nmodel: {file: human55.yaml" + size + (passive.empty() ? "" : ", passive: " + passive) +
         "}\ndrive: all\nduration: 1\nminimize: [{effort: 1}]\n";
}

/// What muscles bear besides, at rest at an angle of one joint.
double borne(const Task& with, const Task& without, const std::string& joint, double angle) {
  const auto torque = [&](const Task& task) {
    const auto names = task.model.dof_names();
    const auto dof = std::find(names.begin(), names.end(), joint) - names.begin();
    Data data(task.model);
    Eigen::VectorXd q = Eigen::VectorXd::Zero(task.model.nv()), v = q, a = q, tau = q;
    q[dof] = angle;
    inverse_dynamics(task.model, data, q, v, a, tau);
    return tau[dof];
  };
  return torque(with) - torque(without);
}

TEST(PassiveTorques, MusclesBearTheRest) {
  const std::string table = "{knee_flexion_*: [[-10 deg, 20], [0, 2.5], [60 deg, 0], [130 deg, -2.5], [140 deg, -20]]}";
  const Task with = test::read(person(table)), without = test::read(person(""));
  for (const auto& [angle, torque] : {std::pair{-10.0, 20.0}, {0.0, 2.5}, {60.0, 0.0}, {130.0, -2.5}, {140.0, -20.0}}) {
    for (const char* joint : {"knee_flexion_r", "knee_flexion_l"}) {
      EXPECT_NEAR(borne(with, without, joint, angle * kDegree), -torque, 0.1) << joint << angle;
    }
    EXPECT_EQ(borne(with, without, "hip_flexion_r", angle * kDegree), 0);
  }
  // Somebody half as heavy has half of it.
  const std::string half = ", mass: 36.5";
  const double all = borne(with, without, "knee_flexion_r", -0.1);
  EXPECT_NEAR(borne(test::read(person(table, half)), test::read(person("", half)), "knee_flexion_r", -0.1), all / 2,
              1e-5 * std::abs(all));
}

/// The stops of Anderson and Pandy, in closed form where they are large.
TEST(PassiveTorques, TheTableOfAPerson) {
  const Task with = test::read(person("human55_passive.csv")), without = test::read(person(""));
  const double stretched = -6.09 * std::exp(33.94 * (10 * kDegree - 0.13));
  EXPECT_NEAR(borne(with, without, "knee_flexion_r", -10 * kDegree), stretched, 0.15 * std::abs(stretched));
  const double bent = -2.44 * std::exp(5.05 * (120 * kDegree - 1.81));
  EXPECT_NEAR(borne(with, without, "hip_flexion_l", 120 * kDegree), -bent, 0.15 * std::abs(bent));
  EXPECT_NEAR(borne(with, without, "ankle_dorsiflexion_r", 0), 0, 0.05);
}

TEST(PassiveTorques, BadTables) {
  const auto wrong = [](const std::string& passive) { return test::problems(person(passive)); };
  EXPECT_TRUE(test::contains(wrong("{knee: [[0, 1], [1, 0], [2, 0]]}"),
                             "t:2: error: model: passive: knee: the model has no "
                             "joint 'knee' that turns about one axis"));
  EXPECT_TRUE(test::contains(wrong("{knee_flexion_r: [[0, 1], [1, 0]]}"), "expected at least three angles"));
  EXPECT_TRUE(test::contains(wrong("{knee_flexion_r: [[0, 1], [2, 0], [1, 0]]}"), "expected angles that grow"));
  EXPECT_TRUE(test::contains(wrong("{knee_flexion_r: [[0, 1], [2], [1, 0]]}"), "expected [angle, torque]"));
  EXPECT_TRUE(test::contains(wrong("human55.yaml"), "expected the columns joint, angle_deg, torque_Nm"));
  EXPECT_TRUE(test::contains(wrong("nothing.csv"), "nothing.csv"));
}

}  // namespace
}  // namespace verne
