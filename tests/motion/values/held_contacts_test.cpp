// Tasks that hold contacts: feet that stay, wrenches by other formulations, what the ground can give, phases, mistakes.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/curve/phases.h"
#include "motion/task_text.h"
#include "motion/values/undetermined.h"
#include "structures/contacts.h"
#include "support/compare.h"
#include "verne/io/model_io.h"
#include "verne/motion/predict.h"
#include "verne/motion/solution.h"

namespace verne {
namespace {

/// A trunk on two legs in the plane across y; at home its feet lie flat, the left one ahead and higher.
constexpr char kBiped[] = R"(format: verne-model/1
name: biped
convention: tree
gravity: [0, 0, -9.81]
base: {type: fixed}
links:
  - {name: sledge, joint: {name: x, type: prismatic, axis: [1, 0, 0], actuated: false}, mass: 0}
  - {name: lift, parent: sledge, joint: {name: z, type: prismatic, axis: [0, 0, 1], actuated: false}, mass: 0}
  - {name: trunk, parent: lift, joint: {name: pitch, type: revolute, axis: [0, 1, 0], actuated: false}, mass: 10, com: [0, 0, 0.2], inertia: [0.2, 0.2, 0.1]}
  - {name: thigh_l, parent: trunk, joint: {name: hip_l, type: revolute, axis: [0, 1, 0], limits: {effort: 200}}, mass: 2, com: [0, 0, -0.2], inertia: [0.03, 0.03, 0.005]}
  - {name: shank_l, parent: thigh_l, pose: {xyz: [0, 0, -0.4]}, joint: {name: knee_l, type: revolute, axis: [0, 1, 0], limits: {effort: 200}}, mass: 1.5, com: [0, 0, -0.2], inertia: [0.02, 0.02, 0.003]}
  - {name: foot_l, parent: shank_l, pose: {xyz: [0, 0, -0.4]}, joint: {name: ankle_l, type: revolute, axis: [0, 1, 0], limits: {effort: 100}}, mass: 0.5, com: [0.03, 0, -0.03], inertia: [0.001, 0.002, 0.002]}
  - {name: thigh_r, parent: trunk, joint: {name: hip_r, type: revolute, axis: [0, 1, 0], limits: {effort: 200}}, mass: 2, com: [0, 0, -0.2], inertia: [0.03, 0.03, 0.005]}
  - {name: shank_r, parent: thigh_r, pose: {xyz: [0, 0, -0.4]}, joint: {name: knee_r, type: revolute, axis: [0, 1, 0], limits: {effort: 200}}, mass: 1.5, com: [0, 0, -0.2], inertia: [0.02, 0.02, 0.003]}
  - {name: foot_r, parent: shank_r, pose: {xyz: [0, 0, -0.4]}, joint: {name: ankle_r, type: revolute, axis: [0, 1, 0], limits: {effort: 100}}, mass: 0.5, com: [0.03, 0, -0.03], inertia: [0.001, 0.002, 0.002]}
contacts:
  - {name: sole_l, link: foot_l, type: rigid, point: [0, 0, -0.05]}
  - {name: sole_r, link: foot_r, type: rigid, point: [0, 0, -0.05]}
  - {name: heel_l, link: foot_l, point: [-0.06, 0, -0.05]}
  - {name: toe_l, link: foot_l, point: [0.14, 0, -0.05]}
  - {name: heel_r, link: foot_r, point: [-0.06, 0, -0.05]}
  - {name: toe_r, link: foot_r, point: [0.14, 0, -0.05]}
home: {z: 0.75, hip_l: -0.7, knee_l: 1.1, ankle_l: -0.4, hip_r: -0.3, knee_r: 0.8, ankle_r: -0.5}
)";

constexpr char kSquat[] = R"(trajectory: {degree: 3, control_points: 14}
duration: 1
minimize: [{effort: {}}]
subject_to:
  start: {position: {pitch: 0, z: 0.78}}
  end: {position: {pitch: 0, z: 0.6}}
)";

class HeldContacts : public test::TaskFolder {
 protected:
  HeldContacts() { write_model(kBiped); }
};

int contact_index(const Model& model, const std::string& name) {
  const auto& all = model.contacts();
  const auto at = std::find_if(all.begin(), all.end(), [&](const ContactSpec& c) { return c.name == name; });
  return static_cast<int>(at - all.begin());
}

/// Efforts and wrenches are those of contacts that are held for the moment, (L12) and (L13), which know nothing of
/// loops; for accelerations at which these contacts rest to rounding.
void expect_wrenches(const Model& loose, const std::vector<std::string>& names, const SampledMotion& motion, int k) {
  constexpr double tolerance = 1e-6;
  std::vector<int> contacts;
  for (const std::string& name : names) contacts.push_back(contact_index(loose, name));
  const Mechanism tree(loose);
  ContactData data(tree);
  const Eigen::VectorXd q = motion.q.eigen().col(k), v = motion.v.eigen().col(k), tau = motion.tau.eigen().col(k);
  const Eigen::VectorXd a = forward_dynamics(tree, data, contacts, q, v, tau);
  const ClosedTorques<double> expected = inverse_dynamics_and_wrenches(tree, data, contacts, q, v, a);
  EXPECT_TRUE(test::close(tau, Eigen::VectorXd(expected.tau), tolerance)) << k;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto at = std::find(motion.loops.begin(), motion.loops.end(), names[c]) - motion.loops.begin();
    const Eigen::VectorXd wrench = motion.loop_wrenches.eigen().col(k).segment<6>(6 * at);
    EXPECT_TRUE(
        test::close(wrench, Eigen::VectorXd(expected.loop_wrenches.col(static_cast<Eigen::Index>(c))), tolerance))
        << names[c] << " " << k;
  }
}

TEST_F(HeldContacts, FeetStayWhileTheTrunkGoesDown) {
  const Task squat = task(std::string("contacts: [sole_l, sole_r]\n") + kSquat);
  const Solution solution = predict(squat);
  ASSERT_TRUE(solution.success()) << solution.message;  // to the last digits or not: compilers round in other ways
  EXPECT_LT(solution.verification.equation_residual, 1e-6);
  EXPECT_LT(solution.verification.simulation_drift, 1e-5);
  const SampledMotion motion = sample_motion(squat, solution, 41);
  ASSERT_EQ(motion.loops, (std::vector<std::string>{"sole_l", "sole_r"}));
  const Eigen::MatrixXd poses = motion.link_poses.eigen();
  for (const char* foot : {"foot_l", "foot_r"}) {
    const auto row = 12 * Eigen::Index(squat.model.link(foot));
    for (int k = 0; k < 41; ++k) {
      EXPECT_LT((poses.col(k) - poses.col(0)).segment<12>(row).cwiseAbs().maxCoeff(), 2e-6) << foot << " " << k;
    }
  }
  for (int k = 0; k < 41; k += 5) expect_wrenches(model(), {"sole_l", "sole_r"}, motion, k);
}

/// Knees that are geared to each other, on the ways to both feet, and a knee and an ankle, on the way to one.
TEST_F(HeldContacts, CoupledJoints) {
  const auto coupled = [](const std::string& follower, const std::string& gear, const std::string& home) {
    std::string text = kBiped;
    const std::string joint = "{name: " + follower + ", type: revolute, axis: [0, 1, 0]";
    const std::size_t limits = text.find(joint) + joint.size();
    text.replace(limits, text.find("}}", limits) + 1 - limits, ", mimic: " + gear);
    return text.erase(text.find(home, text.find("home:")), home.size());
  };
  const auto squat = [&](const std::vector<std::string>& soles) {
    const Task lower =
        task("contacts: [" + soles.front() + (soles.size() > 1 ? ", " + soles.back() : "") + "]\n" + kSquat);
    const Solution solution = predict(lower);
    ASSERT_EQ(solution.status, nlp::Status::solved) << solution.message;
    EXPECT_LT(solution.verification.equation_residual, 1e-6);
    EXPECT_LT(solution.verification.simulation_drift, 1e-5);
    const SampledMotion motion = sample_motion(lower, solution, 9);
    for (int k = 0; k < 9; ++k) expect_wrenches(model(), soles, motion, k);
  };
  write_model(coupled("knee_r", "{joint: knee_l, ratio: 1.2, offset: -0.52}", ", knee_r: 0.8"));
  squat({"sole_l", "sole_r"});
  write_model(coupled("ankle_l", "{joint: knee_l, ratio: -0.6, offset: 0.26}", ", ankle_l: -0.4"));
  squat({"sole_l"});
}

/// A smaller coefficient of friction than the cheapest motion needs makes it dearer; so does a smaller sole.
TEST_F(HeldContacts, TheGroundPushesAndRubs) {
  const auto solve = [&](const std::string& of_sole) {
    const Task squat = task("contacts: [{contact: sole_l" + of_sole + "}, {contact: sole_r" + of_sole + "}]\n" +
                            kSquat + "refine: {gap: 1e-4}\n");
    const Solution solution = predict(squat);
    EXPECT_TRUE(solution.success()) << solution.message;
    double needed = 0, least = kInfinity;
    const Eigen::MatrixXd wrenches = sample_motion(squat, solution, 201).loop_wrenches.eigen();
    for (Eigen::Index k = 0; k < wrenches.cols(); ++k) {
      for (const int row : {0, 6}) {
        needed = std::max(needed, std::abs(wrenches(row, k)) / wrenches(row + 2, k));  // flat feet: axes of the world
        least = std::min(least, wrenches(row + 2, k));
      }
    }
    EXPECT_GT(least, 0) << of_sole;
    return std::pair(solution.cost, needed);
  };
  const auto [free_cost, free_friction] = solve("");
  const double less = 0.8 * free_friction;
  const auto [cost, friction] = solve(", friction: " + std::to_string(less));
  EXPECT_LT(friction, less * (1 + 1e-3));
  EXPECT_GT(cost, free_cost * (1 + 1e-5));
}

/// Which loop is which differs from phase to phase.
TEST_F(HeldContacts, CostsOfForcesGoByName) {
  const Task step = task(R"(trajectory: {degree: 3, control_points: 24}
minimize: [{joint_force: {joints: {sole_r: 3}}}]
contacts: [sole_l, sole_r]
phases:
  - {name: right, duration: 0.4, contacts: [sole_r]}
  - {name: left, duration: 0.5, contacts: [sole_l]}
  - {name: both, duration: 0.4}
)");
  const double weight = step.costs[0].scale.back();
  ASSERT_GT(weight, 0);
  const std::vector<Stage> in = stages(step, phase_of_spans(step));
  EXPECT_EQ(in[0].task.costs[0].scale.back(), weight);
  EXPECT_EQ(in[1].task.costs[0].scale.back(), 0);
  EXPECT_EQ(in[2].task.costs[0].scale, step.costs[0].scale);
}

/// One foot is put ahead: it stays where it was, comes to rest before it is held again, and bears nothing in between.
TEST_F(HeldContacts, FeetAreHeldInPhases) {
  const Task step = task(R"(trajectory: {degree: 3, control_points: 24}
minimize: [{effort: {}}]
phases:
  - {name: both, duration: 0.4, contacts: [sole_l, sole_r]}
  - {name: left, duration: 0.5, contacts: [sole_l]}
  - {name: again, duration: 0.4, contacts: [sole_l, {contact: sole_r, pose: {xyz: [0.2, 0, 0]}}], limits: {joint_force: {sole_r: 900}}}
subject_to:
  start: {position: {pitch: 0}}
  end: {position: {pitch: 0}}
refine: {knots: 2}
)");
  EXPECT_EQ(step.phases[1].limits.joint_force.size(), step.model.joints().size() + 1);
  EXPECT_EQ(step.phases[2].limits.joint_force.back(), 900);
  const Solution solution = predict(step);
  EXPECT_LT(solution.verification.constraint_violation, 1e-6);
  EXPECT_LT(solution.verification.equation_residual, 1e-3);
  const SampledMotion motion = sample_motion(step, solution, 14);  // every 0.1 s
  const Eigen::MatrixXd poses = motion.link_poses.eigen(), wrenches = motion.loop_wrenches.eigen();
  const auto left = 12 * Eigen::Index(step.model.link("foot_l")), right = 12 * Eigen::Index(step.model.link("foot_r"));
  for (int k = 0; k < 14; ++k) {
    EXPECT_LT((poses.col(k) - poses.col(0)).segment<12>(left).cwiseAbs().maxCoeff(), 1e-3) << k;
    const double moved = (poses.col(k) - poses.col(0)).segment<12>(right).cwiseAbs().maxCoeff();
    EXPECT_TRUE(k > 4 || moved < 1e-3) << k;
    EXPECT_TRUE(k < 9 || std::abs(poses(right, k) - 0.2) < 1e-3) << k;
    if (k == 4 || k == 9) continue;  // where phases meet
    const bool swings = k > 4 && k < 9;
    EXPECT_EQ(wrenches.col(k).segment<6>(6).norm() == 0, swings) << k;
    expect_wrenches(model(), swings ? std::vector<std::string>{"sole_l"} : std::vector<std::string>{"sole_l", "sole_r"},
                    motion, k);
  }
  Data<double> data(step.model);
  for (const double border : {0.4, 0.9}) {
    const Eigen::VectorXd q = solution.trajectory.at(border, 0), v = solution.trajectory.at(border, 1);
    const Kinematics<double> at = forward_kinematics<double>(step.model, data, q, v, Eigen::VectorXd(0 * v));
    EXPECT_LT(at.velocities.col(step.model.link("foot_r")).norm(), 1e-5) << border;
  }
}

/// Where accelerations may jump, closure leaves no freedom of the curve to itself: a foot that is held through both
/// phases stays, nearly, on a coarse curve, too.
TEST_F(HeldContacts, FeetStayWhereAccelerationsJump) {
  const Task step = task(R"(trajectory: {degree: 3, control_points: 16}
minimize: [{effort: {}}]
phases:
  - {name: both, duration: 0.4, jump: true, contacts: [sole_l, sole_r]}
  - {name: left, duration: 0.4, contacts: [sole_l]}
subject_to:
  start: {position: {pitch: 0}}
  end: {position: {pitch: 0}}
refine: off
)");
  const Solution solution = predict(step);
  EXPECT_LT(solution.verification.constraint_violation, 1e-6);
  EXPECT_LT(solution.verification.equation_residual, 0.03);  // of a curve as coarse as that; once it was 1
}

/// Feet that are held in phases, on ground that only pushes and rubs.
TEST_F(HeldContacts, TheGroundPushesInPhases) {
  const Task step = task(R"(trajectory: {degree: 3, control_points: 10, nodes: 16}
minimize: [{effort: {}}]
phases:
  - {name: one, duration: 0.4, jump: true, contacts: [{contact: sole_l, friction: 0.8}]}
  - {name: both, duration: 0.4, contacts: [{contact: sole_l, friction: 0.8}, {contact: sole_r, friction: 0.8}]}
subject_to:
  end: {position: {pitch: 0, z: 0.72}}
refine: off
)");
  const Solution solution = predict(step);
  EXPECT_LT(solution.verification.constraint_violation, 1e-6);
  const SampledMotion motion = sample_motion(step, solution, 9);
  for (const int k : {0, 1, 2, 3, 5, 6, 7, 8}) {
    const bool both = k > 4;
    expect_wrenches(model(), both ? std::vector<std::string>{"sole_l", "sole_r"} : std::vector<std::string>{"sole_l"},
                    motion, k);
    for (int foot = 0; foot <= (both ? 1 : 0); ++foot) {
      EXPECT_GT(motion.loop_wrenches.eigen()(6 * foot + 2, k), 0) << k;
    }
  }
}

/// What feet bear across the plane nothing tells. By phases it is
/// what contacts say that are held for the moment.
TEST_F(HeldContacts, WhatIsNotToldInPhases) {
  const auto in_phases = [&](const std::string& phases) {
    return Determined(mechanisms_of(task("duration: {free: [0.5, 2]}\nminimize: [{effort: {}}]\nphases:\n" + phases)));
  };
  const auto expect_told = [&](const Determined& found, const std::vector<std::string>& names) {
    std::vector<int> contacts;
    for (const std::string& name : names) contacts.push_back(contact_index(model(), name));
    const Mechanism tree(model());
    ContactData data(tree);
    const DeterminedWrenches expected = determined_wrenches(tree, data, contacts, tree.home().eigen());
    ASSERT_EQ(found.joints.size(), expected.joints.size());
    for (std::size_t k = 0; k < expected.joints.size(); ++k) EXPECT_EQ(found.joints[k].second, expected.joints[k]) << k;
    for (std::size_t k = 0; k < expected.loops.size(); ++k) {
      EXPECT_EQ(found.loops[k].first, names[k]);
      EXPECT_EQ(found.loops[k].second, expected.loops[k]) << names[k];
    }
  };
  const std::string one = "  - {name: one, contacts: [sole_l]}\n",
                    both = "  - {name: both, contacts: [sole_l, sole_r]}\n";
  expect_told(in_phases(one), {"sole_l"});
  expect_told(in_phases(both), {"sole_l", "sole_r"});
  expect_told(in_phases(one + both), {"sole_l", "sole_r"});  // not told in one phase at least
}

TEST_F(HeldContacts, Problems) {
  const std::string rest = kSquat;
  EXPECT_EQ(problems("contacts: [sole_m]\n" + rest),
            "contacts: the model has no contact 'sole_m' (did you mean 'sole_l'?)");
  EXPECT_EQ(problems("contacts: [sole_l, sole_l]\n" + rest), "contacts: 'sole_l' is held already");
  EXPECT_EQ(problems("contacts: [{contact: sole_l, friction: -1}]\n" + rest),
            "contacts: friction: expected a positive number, found '-1'");
  EXPECT_EQ(problems("contacts: [{contact: sole_l, hull: [toe_l]}]\n" + rest),
            "contacts: hull: expected two contacts or more");
  EXPECT_EQ(test::complaint<InputError>([&] { task("contacts: [{contact: sole_l, hull: [toe_l, toe]}]\n" + rest); }),
            "t:3: error: contacts: hull: the model has no contact 'toe' (did you mean 'toe_l'?)");
  EXPECT_NE(problems("contacts: [{contact: sole_l, pose: {xyz: [0, 3, 0]}}]\n" + rest).find("contacts: "),
            std::string::npos);
  EXPECT_EQ(
      problems("contacts: [sole_l]\n" + rest + "  ground: {supports: [{frame: foot_r, contacts: [heel_r, toe_r]}]}\n"),
      "subject_to: ground: not with a model that has closed loops, nor where contacts are held");
  EXPECT_EQ(problems("contacts: [sole_l]\n" + rest + "  limits: {joint_force: {sole_r: 3}}\n"),
            "subject_to: limits: joint_force: there is no joint 'sole_r' (did you mean 'sole_l'?)");
  std::string text = kBiped;
  text.erase(text.find("contacts:"), text.find("home:") - text.find("contacts:"));
  text.erase(text.find("home:"));
  write_model(text);
  EXPECT_EQ(problems("contacts: [sole_l]\n" + rest), "contacts: the model has no contact 'sole_l'");
}

}  // namespace
}  // namespace verne
