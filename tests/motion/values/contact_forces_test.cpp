// Contact forces as variables: derivatives, the rule's motion where they are tied to it, a cheaper one where they are
// not.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "motion/guess/first_guess.h"
#include "motion/program/program.h"
#include "motion/task_text.h"
#include "motion/values/ground_forces.h"
#include "support/compare.h"
#include "support/states.h"
#include "verne/dynamics/dynamics.h"
#include "verne/motion/predict.h"
#include "verne/nlp/check_derivatives.h"

namespace verne {
namespace {

constexpr double kFriction = 0.6;

/// A body in the plane that nothing drives but two legs on long feet, one before the other.
std::string planar_body() {
  std::string text =
      "  - {name: x, parent: ground, joint: {name: x, type: prismatic, axis: [1, 0, 0], actuated: false}, mass: 0}\n"
      "  - {name: y, joint: {name: y, type: prismatic, axis: [0, 1, 0], actuated: false}, mass: 0}\n"
      "  - {name: trunk, joint: {name: tilt, type: revolute, axis: [0, 0, 1], actuated: false}, mass: 30,\n"
      "     com: [0, 0.3, 0], inertia: [1.5, 0.5, 1.5]}\n";
  for (const std::string side : {"_r", "_l"}) {
    text += "  - {name: thigh" + side + ", parent: trunk, joint: {name: hip" + side +
            ", type: revolute, axis: [0, 0, 1]}, mass: 6, com: [0, -0.2, 0], inertia: [0.1, 0.02, 0.1]}\n";
    text += "  - {name: shank" + side + ", pose: {xyz: [0, -0.4, 0]}, joint: {name: knee" + side +
            ", type: revolute, axis: [0, 0, 1]}, mass: 3, com: [0, -0.2, 0], inertia: [0.05, 0.01, 0.05]}\n";
    text += "  - {name: foot" + side + ", pose: {xyz: [0, -0.4, 0]}, joint: {name: ankle" + side +
            ", type: revolute, axis: [0, 0, 1]}, mass: 1, com: [0.05, -0.05, 0], inertia: [0.002, 0.004, 0.004]}\n";
  }
  text += "contacts:\n";
  for (const std::string side : {"_r", "_l"}) {
    for (const auto& [name, x, z] : {std::tuple("heel_in", -0.08, -0.04), std::tuple("heel_out", -0.08, 0.04),
                                     std::tuple("toe_in", 0.15, -0.04), std::tuple("toe_out", 0.15, 0.04)}) {
      text += std::string("  - {name: ") + name + side + ", link: foot" + side + ", point: [" + std::to_string(x) +
              ", -0.07, " + std::to_string(z) + "]}\n";
    }
  }
  return text + "gravity: [0, -9.81, 0]\nbase: {type: fixed, name: ground}\n";
}

std::string foot_on_ground(const std::string& side, double x) {
  const std::string at = std::to_string(x);
  return "    - {contact: heel_in" + side + ", at: path, position: [" + at +
         ", 0, free], tolerance: 1e-3}\n"
         "    - {contact: toe_in" +
         side + ", at: path, position: [free, 0, free], tolerance: 1e-3}\n";
}

std::string contacts_of(const std::string& side) {
  return "contacts: [heel_in" + side + ", heel_out" + side + ", toe_in" + side + ", toe_out" + side + "]";
}

/// From a crouch to standing, on both feet; `frames`: what bears the ground's force.
Task rising(const test::TemporaryModel& model, const std::string& forces, const std::string& frames = "foot") {
  return model.whole_task(
      "duration: 1\n"
      "trajectory: {degree: 3, control_points: 11, nodes: 20}\n"
      "minimize:\n  - effort: {weight: 1e-4}\n"
      "subject_to:\n"
      "  start: {position: {x: 0, y: 0.70, tilt: -0.3}}\n"
      "  end: {position: {x: 0.05, y: 0.82, tilt: 0}}\n"
      "  frames:\n" +
      foot_on_ground("_r", -0.1) + foot_on_ground("_l", 0.1) + "  ground:\n    friction: " + std::to_string(kFriction) +
      "\n    least_force: 0.05\n" + forces + "    supports:\n      - {frame: " + frames + "_r, share: 0.5, " +
      contacts_of("_r") + "}\n      - {frame: " + frames + "_l, share: 0.5, " + contacts_of("_l") +
      "}\n"
      "guess: {through: [{y: 0.70, tilt: -0.3, hip_r: 0.9, knee_r: -1.3, ankle_r: 0.7, hip_l: 0.9, knee_l: -1.2, "
      "ankle_l: 0.6}, {x: 0.05, y: 0.82, hip_r: 0.3, knee_r: -0.7, ankle_r: 0.4, hip_l: 0.5, knee_l: -0.7, ankle_l: "
      "0.2}]}\n"
      "refine: {tolerance: 1e-3}\n"
      "solver: {tolerance: 1e-6}\n");
}

Grid grid_on(const Task& task, const Trajectory& curve) {
  const std::vector<int> one(curve.basis().spans(), 0), phases = task.phases.empty() ? one : phase_of_spans(task);
  return {variables_of(task, curve, phases), even_nodes(curve, phases, task.curve.nodes), {}};
}

/// `tolerance`: of the differences, which those of rates, differences themselves, lose more by.
void expect_exact_with_contacts(const Task& task, double tolerance = 1e-6) {
  const Trajectory guess = first_guess(task);
  Program program = make_program(task, grid_on(task, guess), guess);
  std::mt19937_64 rng(7);
  Eigen::VectorXd x = program.problem.initial().eigen();
  const auto curve = program.curve.size();
  ASSERT_GT(x.size(), curve);
  x.head(program.curve.timing(0)) += test::random_values(rng, program.curve.timing(0), 0.1);
  x.tail(x.size() - curve) += test::random_values(rng, static_cast<int>(x.size()) - curve, 0.2);
  const nlp::DerivativeReport report = nlp::check_derivatives(program.problem, nlp::view(x), tolerance);
  for (const auto* list : {&report.gradient, &report.jacobian, &report.hessian}) {
    for (const nlp::DerivativeError& error : *list) {
      ADD_FAILURE() << error.where << ": " << error.exact << ", by differences " << error.difference
                    << (error.outside ? " (not in the pattern)" : "");
    }
  }
  EXPECT_TRUE(report.good());
}

TEST(ContactForces, Derivatives) {
  const test::TemporaryModel model(planar_body());
  Task task = rising(model, "    forces: variables\n");
  task.curve.control_points = task.curve.nodes = 6;
  expect_exact_with_contacts(task);
}

/// Of which the second stands on one foot, with a mean.
TEST(ContactForces, DerivativesInPhases) {
  const test::TemporaryModel model(planar_body());
  const Task phases = model.whole_task(
      "duration: {free: [0.5, 2]}\n"
      "trajectory: {degree: 3, control_points: 6, nodes: 6}\n"
      "phases:\n"
      "  - {name: both, duration: {free: [0.2, 1]}}\n"
      "  - {name: one, duration: {free: [0.2, 1]}, ground: [{frame: foot_r, " +
      contacts_of("_r") +
      "}]}\n"
      "minimize:\n  mean:\n    - effort: {weight: 1e-4}\n    - ground_rate: 0.01\n"
      "subject_to:\n  ground:\n    forces: variables\n    friction: 0.7\n    supports:\n"
      "      - {frame: foot_r, share: [0.3, 1], contacts: [heel_in_r]}\n"
      "      - {frame: shank_l, share: [0.7, 0], contacts: [toe_in_l]}\n"
      "  limits: {effort_rate: {hip_r: 1000}, effort: {knee_r: 200}}\n");
  expect_exact_with_contacts(phases, 1e-5);
}

/// The cost of rates of the ground's forces is that of differences of these.
TEST(ContactForces, RatesOfForces) {
  const test::TemporaryModel model(planar_body());
  Task task = rising(model, "    forces: variables\n");
  task.costs.push_back(model.whole_task("duration: 1\nminimize:\n  - ground_rate: 0.01\n").costs[0]);
  task.refine.knots = 0, task.refine.switches = false;
  const Solution solution = predict(task);
  ASSERT_TRUE(solution.success()) << solution.message;
  ASSERT_EQ(solution.rounds.front().what, "forces by the rule");
  constexpr int kSamples = 20001;
  const SampledMotion motion = sample_motion(task, solution, kSamples);
  const double step = motion.time[1], weight = task.model.mass() * 9.81;
  double sum = 0;
  for (const GroundReaction& reaction : motion.ground) {
    const Eigen::MatrixXd force = reaction.force.eigen() / weight;
    sum += (force.rightCols(kSamples - 1) - force.leftCols(kSamples - 1)).squaredNorm() / step;
  }
  ASSERT_EQ(solution.costs[1].term, "ground_rate");
  EXPECT_GT(sum, 1e-3);
  // What forces leave over of the motion is shared, too, and is no variable.
  EXPECT_NEAR(solution.costs[1].value, sum, 0.02 * sum);
}

/// Rows that are some of the variables.
class Some : public nlp::Function {
 public:
  Some(int first, int count) : first_(first), count_(count) {}
  int rows() const override { return count_; }
  std::vector<nlp::Entry> jacobian_pattern() const override {
    std::vector<nlp::Entry> pattern;
    for (int k = 0; k < count_; ++k) pattern.push_back({k, first_ + k});
    return pattern;
  }
  std::vector<nlp::Entry> hessian_pattern() const override { return {}; }
  void evaluate(std::span<const double> x, std::span<double> values) override {
    std::copy_n(x.begin() + first_, count_, values.begin());
  }
  void jacobian(std::span<const double>, std::span<double> entries) override {
    std::fill(entries.begin(), entries.end(), 1.0);
  }
  void hessian(std::span<const double>, std::span<const double>, std::span<double>) override {}

 private:
  int first_, count_;
};

/// The largest of some rows at the start.
double largest_row(nlp::Problem& problem, const std::string& name) {
  Eigen::VectorXd values(problem.constraints());
  problem.constraints(problem.initial(), nlp::view(values));
  double largest = 0;
  int row = 0;
  for (const nlp::ConstraintBlock& block : problem.constraint_blocks()) {
    const int rows = block.function->rows();
    if (block.name == name) largest = std::max(largest, values.segment(row, rows).cwiseAbs().maxCoeff());
    row += rows;
  }
  return largest;
}

/// Of a motion under what the rule gives to contacts.
double cost_of(const Task& task, const Trajectory& motion) {
  Program program = make_program(task, grid_on(task, motion), motion);
  double even = 0;  // is no part of it
  for (const nlp::CostTerm& cost : program.problem.costs()) {
    if (cost.name != "even forces") continue;
    double value = 0;
    cost.function->evaluate(program.problem.initial(), {&value, 1});
    even += cost.weight * value;
  }
  return program.problem.cost(program.problem.initial()) - even;
}

TEST(ContactForces, TiedToTheRuleAndFree) {
  const test::TemporaryModel model(planar_body());
  Task ruled = rising(model, "");
  Task free = rising(model, "    forces: variables\n");
  ruled.refine.knots = free.refine.knots = 0;
  ruled.refine.switches = free.refine.switches = false;
  const Solution rule = predict(ruled);
  ASSERT_TRUE(rule.success()) << rule.message;

  // What bears the force need not be what touches the ground.
  Task above = rising(model, "", "shank"), above_free = rising(model, "    forces: variables\n", "shank");
  const double by_rule = cost_of(above, rule.trajectory);
  EXPECT_GT(std::abs(by_rule - rule.cost), 0.05 * rule.cost);  // no ankle feels it
  EXPECT_NEAR(cost_of(above_free, rule.trajectory), by_rule, 1e-4 * by_rule);

  // Tied to what the rule gives, nothing else is possible than the rule's motion.
  Grid grid = grid_on(free, rule.trajectory);
  grid.nodes = rule.state->nodes;
  Program program = make_program(free, grid, rule.trajectory);
  const int first = program.curve.size(), count = program.problem.variables() - first;
  const Values start = program.problem.initial();
  const Eigen::VectorXd forces = start.eigen().tail(count);
  EXPECT_LT(largest_row(program.problem, "balance"), 1e-6);
  EXPECT_NEAR(cost_of(free, rule.trajectory), rule.cost, 1e-6 * rule.cost);
  program.problem.add_constraint({"tie", std::make_unique<Some>(first, count), (forces.array() - 1e-5).matrix().eval(),
                                  (forces.array() + 1e-5).matrix().eval()});
  nlp::Options options;
  options.tolerance = 1e-6;
  const nlp::Summary summary = nlp::solve(program.problem, options);
  ASSERT_TRUE(summary.success()) << summary.message;
  const Trajectory same = program.curve.trajectory(summary.point.x);
  const double play = 2 * 1e-3 / 0.4;  // rad, that the bands of both feet leave to segments of that length
  for (const double time : {0.2, 0.5, 0.8}) {
    EXPECT_LT((same.at(time) - rule.trajectory.at(time)).cwiseAbs().maxCoeff(), play);
  }
  EXPECT_NEAR(summary.cost, rule.cost, 2e-3 * rule.cost);

  // Free, it is cheaper, and the ground gives no less.
  PredictOptions options_from_rule;
  options_from_rule.warm_start = &rule;
  const Solution best = predict(free, options_from_rule);
  ASSERT_TRUE(best.success()) << best.message;
  EXPECT_LT(best.cost, 0.99 * rule.cost);
  EXPECT_LT(best.verification.simulation_drift, 1e-6);
  const double weight = free.model.mass() * 9.81;
  EXPECT_LT(best.verification.equation_residual, 0.01 * weight);
  const SampledMotion motion = sample_motion(free, best, 101);
  EXPECT_LT(motion.tau.eigen().topRows(3).cwiseAbs().maxCoeff(), 1e-9);
  ASSERT_EQ(motion.ground.size(), 2u);
  for (const GroundReaction& reaction : motion.ground) {
    const Eigen::MatrixXd force = reaction.force.eigen();
    const double slack = 0.01 * weight;  // what is left over between places
    EXPECT_GT(force.row(1).minCoeff(), -slack);
    EXPECT_GT((kFriction * force.row(1) - force.row(0).cwiseAbs()).minCoeff(), -2 * slack);
  }
}

/// Where forces lean differently, the zero-moment point is still that of gravity and the rate of the momentum.
TEST(ContactForces, ZeroMomentPoint) {
  const test::TemporaryModel model(planar_body());
  Task task = rising(model, "    forces: variables\n");
  task.curve.control_points = task.curve.nodes = 8;
  task.solver.max_iterations = 5;
  task.refine = RefineSpec::off();
  const Solution solution = predict(task);
  const SampledMotion motion = sample_motion(task, solution, 21);
  const Eigen::MatrixXd points = zero_moment_points(task.model, motion);
  Data<double> data(task.model);
  const auto momentum = [&](double time) {  // linear, and angular about the world's origin
    const Trajectory& curve = solution.trajectory;
    const WholeBodyState<double> body =
        whole_body_state<double>(task.model, data, curve.at(time, 0), curve.at(time, 1), curve.at(time, 2));
    Eigen::Matrix<double, 6, 1> h;
    h << body.momentum, body.angular_momentum + body.com.cross(body.momentum);
    return h;
  };
  double lean = 0;
  for (const double h = 1e-4; const int k : {3, 7, 11, 17}) {
    const double time = motion.time[k];
    const Eigen::Matrix<double, 6, 1> rate =
        (8 * (momentum(time + h) - momentum(time - h)) - momentum(time + 2 * h) + momentum(time - 2 * h)) / (12 * h);
    const Eigen::Vector3d weight(0, -9.81 * task.model.mass(), 0), com = motion.com.eigen().col(k);
    const Eigen::Vector3d F = rate.head<3>() - weight, M = rate.tail<3>() - com.cross(weight), up(0, 1, 0);
    EXPECT_TRUE(test::close(points.col(k), up.cross(M) / F.y(), 1e-6)) << k;
    const Eigen::Vector3d right = motion.ground[0].force.eigen().col(k), left = motion.ground[1].force.eigen().col(k);
    lean = std::max(lean, std::abs(right.x() / right.y() - left.x() / left.y()));
  }
  EXPECT_GT(lean, 0.01);  // they are not parallel
}

/// A line is a strip, a share that begins or ends with nothing bears nothing there, and where contacts can give what
/// the motion takes, what they bear has the points that a span of the curve has.
TEST(ContactForces, WhatContactsBear) {
  const test::TemporaryModel model(planar_body());
  const auto task_with = [&](const std::string& right, const std::string& left) {
    return model.whole_task(
        "duration: 1\ntrajectory: {degree: 3, control_points: 6, nodes: 6}\nminimize:\n  - effort: {}\n"
        "subject_to:\n  ground:\n    forces: variables\n    friction: 0.7\n    supports:\n      - {frame: foot_r, " +
        right + "}\n" + (left.empty() ? "" : "      - {frame: foot_l, " + left + "}\n"));
  };
  const auto curve_of = [](const Task& task) {
    return ContactCurve(task.model, *task.ground, 3, {0, 3}, Eigen::Vector3d(1, 1, 1), 0);
  };
  const Task line = task_with("share: [0, 1], contacts: [heel_in_r, heel_out_r], margin: 0.006",
                              "share: [1, 0], contacts: [toe_in_l]");
  ASSERT_EQ(line.ground->supports[0].contacts.size(), 4u);
  for (const ContactPoint& contact : line.ground->supports[0].contacts) {
    EXPECT_NEAR(std::abs(contact.point.x + 0.08), 0.006, 1e-12);
    EXPECT_NEAR(std::abs(contact.point.z), 0.04, 1e-12);
  }
  const ContactCurve contacts = curve_of(line);
  ASSERT_TRUE(line.ground->contacts_give_all);
  ASSERT_EQ(contacts.contacts(), 5);
  ASSERT_EQ(contacts.size(), 10 * contacts.components());  // of three cubics that meet
  for (int component = 0; component < contacts.components(); ++component) {
    const bool right = component < 4 * ContactCurve::kEdges;
    for (int point = 0; point < 10; ++point) {
      EXPECT_EQ(contacts.borne(point, component), right ? point > 1 : point < 8);  // without a slope
    }
  }
  const Task point = task_with("contacts: [toe_in_r]", "");
  EXPECT_FALSE(point.ground->contacts_give_all);
  EXPECT_EQ(curve_of(point).size(), 4 * ContactCurve::kEdges);  // a polygon over three spans
}

TEST(ContactForces, Problems) {
  const test::TemporaryModel model(planar_body());
  const auto problems = [&](const std::string& ground, const std::string& rest = "") {
    return model.problems("  ground: {" + ground + ", supports: [{frame: foot_r, " + contacts_of("_r") + "}]}\n" +
                          rest);
  };
  EXPECT_EQ(problems("forces: both"),
            "t:6: error: subject_to: ground: forces: expected rule or variables, found 'both'");
  EXPECT_EQ(problems("forces: variables"), "t:6: error: subject_to: ground: forces that are variables need `friction`");
  EXPECT_EQ(model.problems("  ground: {forces: variables, friction: 0.5, supports: [{frame: foot_r, contacts: "
                           "[heel_in_r, toe_in_l], margin: 0}]}\n"),
            "t:6: error: subject_to: ground: 1: contacts: one is neither on 'foot_r' nor on what that carries");
  EXPECT_EQ(
      model.problems("  ground: {forces: variables, friction: 0.5, supports: [{frame: foot_r, contacts: "
                     "[heel_in_r, toe_in_r, toe_out_r], margin: 0.01}]}\n"),
      "t:6: error: subject_to: ground: 1: margin: where forces are variables, only a line of two contacts has one");
  EXPECT_EQ(problems("forces: variables, friction: 0.5", "drive: all\n"),
            "t:6: error: ground: forces that are variables need joints without a drive, from the world on, along and "
            "about axes of the world");
  EXPECT_EQ(problems("forces: variables, friction: 0.5", "trajectory: {knots: free}\n"),
            "t:6: error: ground: forces that are variables need knots that are not free");
}

}  // namespace
}  // namespace verne
