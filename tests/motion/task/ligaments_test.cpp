// Ligaments of all joints by one rule, and what they do to a motion.
#include "motion/task/ligaments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/task_text.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/model_io.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

constexpr double kDegree = M_PI / 180;

TEST(Ligaments, BearAtTheEndsOfTheRangeWhatTheRuleSays) {
  const Model plain = load_model(test::models() + "human55.yaml");
  ModelSpec spec = plain.spec();
  put_ligaments({.within = 10 * kDegree, .effort = 0.2}, spec);
  const Model taut = build_model(spec);
  Data<double> data(plain), other(taut);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(plain.nv());
  const auto borne = [&] {
    return Eigen::VectorXd(gravity_torques<double>(taut, other, q) - gravity_torques<double>(plain, data, q));
  };
  const auto with = [&](int dof, double angle) {
    q.setZero();
    q[dof] = angle;
    return borne()[dof];
  };
  int joints = 0;
  for (int i = 0; i < plain.nv(); ++i) {
    const DofSpec& dof = plain.dofs()[static_cast<std::size_t>(i)];
    if (!std::isfinite(dof.effort_upper)) {
      EXPECT_EQ(with(i, 0.5), 0) << i;  // nobody pulls at the way through the world
      continue;
    }
    ++joints;
    const double part = 0.2 * (dof.effort_upper - dof.effort_lower) / 2;
    EXPECT_NEAR(with(i, dof.upper), part, 1e-9 * part);
    EXPECT_NEAR(with(i, dof.lower), -part, 1e-9 * part);
    EXPECT_NEAR(with(i, (dof.lower + dof.upper) / 2), 0, 1e-12);
  }
  EXPECT_EQ(joints, 49);
}

TEST(Ligaments, InTasks) {
  const auto task = [](const std::string& ligaments) {
    return "format: verne-task/1\nmodel: {file: human55.yaml, ligaments: " + ligaments +
           "}\nduration: 1\nminimize:\n  - effort: 1\n";
  };
  const Task read = test::read(task("{within: 15 deg, effort: 0.3}"));
  const DofSpec& knee = read.model.dofs()[44];
  EXPECT_NEAR(knee.slack_lower, knee.lower + 15 * kDegree, 1e-12);
  EXPECT_GT(knee.ligament, 0);
  const std::string at = "t:2: error: model: ligaments: ";
  EXPECT_EQ(test::problems(task("{within: 15 deg}")), at + "effort is missing");
  EXPECT_EQ(test::problems(task("{within: 0, effort: 1}")), at + "within: expected a positive angle, found '0'");
  EXPECT_EQ(test::problems(task("{within: 1, effort: -1}")),
            at + "effort: expected a number that is not negative, found '-1'");
}

/// A pendulum without weight that swings from end to end of its range by its ligaments alone: effort that vanishes.
TEST(Ligaments, MoveAJointWithoutEffort) {
  const double c = 40, inertia = 1;  // per metre of string, q'' = −c q³: a quarter takes K / sqrt(c) from q = 1
  // ∫₀¹ dq / sqrt((1 − q⁴) c / 2) = sqrt(2/c) Γ(1/4)² / (4 sqrt(2π))
  const double quarter = std::sqrt(2 * inertia / c) * std::pow(std::tgamma(0.25), 2) / (4 * std::sqrt(2 * M_PI));
  const test::TemporaryModel model(
      "  - {name: arm, joint: {name: hinge, type: revolute, axis: [0, 0, 1], ligaments: {slack: [0, 0], stiffness: "
      "40}}, "
      "mass: 1, inertia: [1, 1, 1]}\n");
  // One round: on finer curves the gradient of an effort that vanishes is of the size of rounding.
  const Solution solution =
      predict(model.whole_task("subject_to:\n  start: {position: -1}\n  end: {position: 1}\nminimize: [{effort: 1}]\n"
                               "refine: {knots: 1}\ntrajectory: {control_points: 24, nodes: 48}\nduration: " +
                               std::to_string(2 * quarter) + "\n"));
  EXPECT_EQ(solution.status, nlp::Status::solved);
  EXPECT_LT(solution.cost, 1e-6 * c * c);
  EXPECT_NEAR(solution.trajectory.at(quarter)[0], 0, 1e-6);
  // Nothing else pushes: by then all that was stretched has become speed.
  EXPECT_NEAR(solution.trajectory.at(quarter, 1)[0], std::sqrt(c / 2 / inertia), 1e-3);
}

}  // namespace
}  // namespace verne
