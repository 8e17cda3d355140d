// The tasks under tasks/ do what their descriptions say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motion/task_text.h"
#include "motion/verify/limit_check.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

void expect_verified(const Solution& solution) {
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_LE(solution.verification.limit_excess, solution.verification.limit_tolerance);
  EXPECT_LT(solution.verification.kkt_residual, 1e-6);
  EXPECT_LT(solution.verification.constraint_violation, 1e-4);
  EXPECT_TRUE(solution.verification.position_certified.value_or(true));
  EXPECT_TRUE(solution.verification.velocity_certified.value_or(true));
}

TEST(ShippedTasks, PickAndPlace) {
  const Task task = test::shipped_task("puma_pick_and_place");
  const Solution solution = predict(task);
  expect_verified(solution);
  EXPECT_LT(solution.verification.simulation_drift, 1e-8);
  // The waist has the longest way for its speed. Alone, with constant jerk J up to the speed V and down again, it would
  // take way / V + 2 sqrt(V / J): the spline, which is smoother and has other limits too, takes a little longer.
  const double way = 2 * M_PI / 3, speed = task.limits.velocity[0].upper, jerk = task.limits.jerk[0].upper;
  const double alone = way / speed + 2 * std::sqrt(speed / jerk);
  EXPECT_GT(solution.trajectory.duration(), alone - 1e-6);
  EXPECT_LT(solution.trajectory.duration(), 1.05 * alone);
}

TEST(ShippedTasks, Counterweight) {
  const Solution solution = predict(test::shipped_task("counterweight"));
  expect_verified(solution);
  ASSERT_EQ(solution.design.size(), 1u);
  EXPECT_NEAR(solution.design[0].value, 16.95, 0.01);
  EXPECT_LT(solution.cost, 65.7);
}

TEST(ShippedTasks, Carry) {
  const Task task = test::shipped_task("puma_carry");
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_LE(solution.verification.limit_excess, solution.verification.limit_tolerance);
  EXPECT_LT(solution.verification.simulation_drift, 1e-8);
  ASSERT_EQ(solution.phases.size(), 2u);
  const double taken = solution.phases[0].end;
  EXPECT_LT(solution.trajectory.at(taken, 1).norm(), 1e-6);
  // The box is felt from then on: efforts are those of an arm with a link more, which is the box.
  ModelSpec spec = task.model.spec();
  LinkSpec box;
  box.name = "box", box.parent = spec.links.back().name, box.joint.name = "grip";
  for (const FrameSpec& frame : spec.frames) {
    if (frame.name == "tool") box.parent = frame.link, box.X_PJ = frame.X_LF;
  }
  box.has_inertial = true, box.mass = 2, box.com = {0, 0, 0.1}, box.inertia = {0.01, 0, 0, 0.01, 0, 0.01};
  spec.links.push_back(box);
  const Model loaded = build_model(spec);
  const SampledMotion motion = sample_motion(task, solution, 201);
  const SampledMotion without = sample_motion(task.model, solution.trajectory, 201);
  const SampledMotion with = sample_motion(loaded, solution.trajectory, 201);
  for (Eigen::Index k = 0; k < motion.time.size(); ++k) {
    const SampledMotion& expected = motion.time[k] < taken ? without : with;
    EXPECT_LT((motion.tau.eigen().col(k) - expected.tau.eigen().col(k)).norm(), 1e-9) << motion.time[k];
  }
}

TEST(ShippedTasks, AroundAnObstacle) {
  const Task task = test::shipped_task("arm7_around_obstacle");
  const Solution solution = predict(task);
  expect_verified(solution);
  // The ball is in the way: without it the arm is faster, and would go through it.
  Task free = task;
  free.keep_out.clear();
  const Solution straight = predict(free);
  EXPECT_LT(straight.cost, solution.cost);
  double inside = 0;
  for (const LimitReport& limit : check_limits(task, straight.trajectory, {}, 0)) {
    if (limit.name.kind == "keep_out") inside = std::max(inside, limit.excess);
  }
  EXPECT_GT(inside, 0.01);
  const auto pays = [](const LimitUse& limit) { return limit.kind == "keep_out" && limit.multiplier > 1e-3; };
  EXPECT_TRUE(std::any_of(solution.limits.begin(), solution.limits.end(), pays));
}

TEST(ShippedTasks, ReachWithAnArm) {
  const Task task = test::shipped_task("arm7_reach");
  const Solution solution = predict(task);
  expect_verified(solution);
  ASSERT_EQ(solution.verification.frames.size(), 1u);
  EXPECT_LT(solution.verification.frames[0].position.value(), 1e-6);
  EXPECT_LT(solution.verification.frames[0].angle.value(), 1e-6);
}

TEST(ShippedTasks, ReachWithAPerson) {
  const Task task = test::shipped_task("human55_reach");
  EXPECT_EQ(task.model.nv(), 55);
  for (const Interval& effort : task.limits.effort) EXPECT_FALSE(effort.fixed());  // all are driven
  const Solution solution = predict(task);
  expect_verified(solution);
  ASSERT_EQ(solution.verification.frames.size(), 1u);
  EXPECT_LT(solution.verification.frames[0].position.value(), 1e-6);
}

TEST(ShippedTasks, ForceInTheElbow) {
  const auto peak = [](const Task& task, const Solution& solution) {
    const SampledMotion motion = sample_motion(task, solution, 2001);
    return motion.joint_wrenches.eigen().middleRows(6 * task.model.joint("elbow"), 3).colwise().norm().maxCoeff();
  };
  const Task limited = test::shipped_task("joint_force_limited_lift");
  Task unlimited = test::shipped_task("joint_force_limited_lift", {{"elbow_force", 1000}});
  unlimited.refine = RefineSpec::off();  // quicker
  const Solution gentle = predict(limited), fast = predict(unlimited);
  expect_verified(gentle);
  EXPECT_NEAR(peak(limited, gentle), 90, 90 * 1e-4);
  EXPECT_GT(peak(unlimited, fast), 300);
  EXPECT_GT(gentle.trajectory.duration(), 1.9 * fast.trajectory.duration());
}

TEST(ShippedTasks, SwingUp) {
  const Solution solution = predict(test::shipped_task("swing_up"));
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_LT(solution.verification.equation_residual, 5e-3);  // N m in a free elbow; the shoulder has 5
  EXPECT_LT(solution.verification.simulation_drift, 1e-3);
  // It ends upright, at rest, by swinging: the shoulder alone could not hold it half-way up.
  const Eigen::VectorXd end = solution.trajectory.at(solution.trajectory.duration());
  EXPECT_NEAR(std::cos(end[0]), -1, 1e-9);
  EXPECT_NEAR(std::cos(end[1]), 1, 1e-9);
}

/// The first solve of a task by our own method, and by Ipopt. At the usual tolerance, what is left of their barriers
/// moves joints that time leaves free by 1e-4.
std::pair<Solution, Solution> first_solves(const char* name) {
  Task task = test::shipped_task(name);
  task.refine = RefineSpec::off();
  task.solver.tolerance = 1e-9;
  Solution ours = predict(task);
  EXPECT_EQ(ours.message.find("Ipopt"), std::string::npos) << ours.message;
  EXPECT_LT(ours.verification.kkt_residual, 1e-6) << name;
  task.solver.method = nlp::Method::ipopt;
  return {std::move(ours), predict(task)};
}

/// From the same start, our own method and Ipopt find the same motion.
TEST(ShippedTasks, OptimaAreThoseOfIpopt) {
  for (const char* name : {"arm7_around_obstacle", "joint_force_limited_lift", "prismatic_revolute",
                           "puma_pick_and_place", "two_link_min_time"}) {
    const auto [ours, reference] = first_solves(name);
    EXPECT_NEAR(ours.cost, reference.cost, 1e-6 * reference.cost) << name;
    EXPECT_TRUE(ours.trajectory.control_points().isApprox(reference.trajectory.control_points(), 1e-4)) << name;
  }
}

/// Where there are several optima, or some motions cost the same, ours is not the worse one.
TEST(ShippedTasks, OptimaAreNotHigherThanThoseOfIpopt) {
  for (const char* name : {"arm7_reach", "puma_carry", "five_bar", "delta", "space_arm_reach", "swing_up"}) {
    const auto [ours, reference] = first_solves(name);
    EXPECT_LE(ours.cost, reference.cost + 1e-6 * std::abs(reference.cost)) << name;
  }
}

}  // namespace
}  // namespace verne
