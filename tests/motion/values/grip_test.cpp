// What two hands hold while the person stands: derivatives, the tree with the computed wrench, palms, bad input.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>

#include "motion/refine/still_posture.h"
#include "motion/task_text.h"
#include "motion/values/sample_stages.h"
#include "motion/values/standing_body.h"
#include "structures/collision_shapes.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/file.h"

namespace verne {
namespace {

using test::eigen;
using test::expect_exact_somewhere;
using test::Somewhere;
using test::standing_body;

constexpr char kHandles[] = "  at: [[0.02, 0.05, 0.2], [0.02, 0.05, -0.2]]\n  turns: [0, 0, 1]\n  moment: 4 N m\n";
constexpr char kPalms[] =
    "  at: [[0, 0, 0.2], [0, 0, -0.2]]\n  friction: 0.7\n  push: [[0, 0, -1], [0, 0, 1]]\n  palm: 0.04\n";

/// It stands and lifts a box; what is said of the grip begins on line 14.
std::string lifting(const std::string& grip, const std::string& more = "", const std::string& forces = "variables") {
  return "duration: 1.2\n"
         "minimize: [{effort: {weight: 1e-4}}]\n"
         "trajectory: {degree: 3, control_points: 5, nodes: 5}\n"
         "scene:\n"
         "  objects: {box: {box: {size: [0.3, 0.25, 0.4]}, mass: 8, com: [0.01, 0.02, 0.03]}}\n"
         "attach:\n"
         "  object: box\n"
         "  to: [hand_r, hand_l]\n"
         "  point: [0, -0.08, 0]\n" +
         grip + "subject_to:\n  ground: {stand: [leg_r, leg_l], friction: 0.8, forces: " + forces + "}\n" + more;
}

TEST(Grip, DerivativesWithHandles) {
  const test::TemporaryModel model(standing_body());
  expect_exact_somewhere(model.whole_task(lifting(kHandles)));
}

TEST(Grip, DerivativesWithPalms) {
  const test::TemporaryModel model(standing_body());
  expect_exact_somewhere(model.whole_task(lifting(kPalms)));
}

/// Efforts are those of the tree in which the first hand carries the box, the second one bears the wrench that was
/// computed, the box its opposite, and the feet what the ground gives.
TEST(Grip, EffortsAreThoseOfTheTreeWithTheWrench) {
  const test::TemporaryModel body_model(standing_body());
  const Task task = body_model.whole_task(lifting(kHandles));
  Somewhere at(task);
  const Trajectory curve = at.program.curve.trajectory(nlp::view(at.x));
  std::vector<Stage> parts = stages(task, std::vector<int>(curve.basis().spans(), 0));
  put_contact_forces(parts, at.program.contact_forces(nlp::view(at.x)));
  const SampledMotion motion = sample_stages(parts, curve, 9);
  ASSERT_EQ(motion.loops, std::vector<std::string>{"box in hand_l"});
  const Model& model = task.model;
  const LoopEnd& held = task.grips[0].loop.b;
  const int hand = model.link("hand_l"), box = model.link("box");
  Data<double> data(model);
  double pressed = 0;
  for (Eigen::Index k = 0; k < motion.time.size(); ++k) {
    const Eigen::VectorXd q = motion.q.eigen().col(k), v = motion.v.eigen().col(k), a = motion.a.eigen().col(k);
    const Kinematics<double> places = forward_kinematics<double>(model, data, q, v, a);
    const Eigen::Matrix<double, 6, 1> wrench = motion.loop_wrenches.eigen().col(k).head<6>();
    pressed = std::max(pressed, wrench.head<3>().norm());
    Eigen::Matrix3d R_BG;
    for (int j = 0; j < 3; ++j) R_BG.col(j) = eigen(held.X_LF.R.column(j));
    const Eigen::Matrix3d R = places.rotation(box) * R_BG;
    const Eigen::Vector3d force = R * wrench.head<3>(), moment = R * wrench.tail<3>();
    const Eigen::Vector3d p = places.position(box) + places.rotation(box) * eigen(held.X_LF.p);
    Loads<double> loads;
    const auto add = [&](int site, const Eigen::Vector3d& f, const Eigen::Vector3d& m, const Eigen::Vector3d& where) {
      loads.add({site, f, m + (where - places.position(site)).cross(f), Vector3<double>::Zero(), At::link});
    };
    add(hand, force, moment, p);
    add(box, -force, -moment, p);
    Eigen::VectorXd tau(model.nv());
    for (int i = 0; i < 2; ++i) {  // first what the ground gives, from the root's balance
      const GroundReaction& foot = motion.ground[static_cast<std::size_t>(i)];
      add(model.site(foot.support), foot.force.eigen().col(k), Eigen::Vector3d(0, foot.moment.eigen()[k], 0),
          foot.centre.eigen().col(k));
    }
    inverse_dynamics<double>(model, data, q, v, a, tau, &loads);
    EXPECT_LT((tau - motion.tau.eigen().col(k)).norm(), 1e-9 * (1 + tau.norm())) << motion.time[k];
    EXPECT_LT(tau.head<3>().norm(), 1e-9 * (1 + tau.norm()));
  }
  EXPECT_GT(pressed, 10);
}

/// Feet stand where the model has them at zero, on the ground; halves of the weight are for guesses alone.
TEST(Grip, FeetStand) {
  const test::TemporaryModel model(standing_body());
  const Task task = model.whole_task(lifting(kPalms));
  ASSERT_EQ(task.ground->supports.size(), 2u);
  EXPECT_EQ(task.ground->supports[0].contacts.size(), 3u);
  ASSERT_EQ(task.frames.size(), 6u);
  for (const FrameGoalSpec& foot : task.frames) EXPECT_EQ(foot.position[1].lower, 0);
  const Task moved = model.whole_task(
      "duration: 1\nminimize: [{effort: 1}]\nsubject_to:\n"
      "  ground: {stand: {leg_r: [0.3, 0.2]}, friction: 1, forces: variables}\n");
  ASSERT_EQ(moved.frames.size(), 3u);
  EXPECT_NEAR(moved.frames[0].position[0].lower, 0.3 - 0.08, 1e-12);
  EXPECT_NEAR(task.grips[0].place[0].z, 0.4, 1e-12);
  EXPECT_EQ(task.grips[0].loop.type, LoopType::rigid);
}

/// 10 kg half a metre ahead can be balanced, 3000 kg cannot, whatever the joints can.
TEST(Grip, NoPostureInBalanceIsSaidAtOnce) {
  const test::TemporaryModel model(standing_body());
  const auto holding = [&](const std::string& mass) {
    std::string text = lifting(kHandles, "  frames: [{frame: box, at: start, position: [0.45, free, free]}]\n");
    text.replace(text.find("mass: 8"), 7, "mass: " + mass);
    return model.whole_task(text);
  };
  EXPECT_FALSE(no_still_posture(holding("10"), {}));
  const auto conflict = no_still_posture(holding("3000"), {});
  ASSERT_TRUE(conflict);
  EXPECT_FALSE(conflict->certain());
  EXPECT_NE(to_string(*conflict).find("a posture at rest at the start in which both hands hold box"), std::string::npos)
      << to_string(*conflict);
  EXPECT_GT(conflict->amount, 1e-3);
}

/// The side that looks at the person, from within; against all shapes but those of arms.
TEST(Grip, WhatIsHeldKeepsClearOfThePerson) {
  const Task task = test::shipped_task("lift_box");
  ASSERT_EQ(task.keep_out.size(), 1u);
  const KeepOutSpec& zone = task.keep_out[0];
  const Vec3<double> half{0.13, 0.15, 0.2};
  double lowest = 0, highest = 0;
  for (const LinkCapsule& part : zone.parts) {
    EXPECT_EQ(part.link, task.model.link("box"));
    for (const Vec3<double>& end : {part.from, part.to}) {
      for (int i = 0; i < 3; ++i) EXPECT_LE(std::abs(end[i]) + part.radius, half[i] + 1e-12);
      EXPECT_NEAR(end.x - part.radius, -half.x, 1e-12);  // the person stands at x = 0, the box at 0.42
      EXPECT_NEAR(std::abs(end.z) + part.radius, half.z, 1e-12);
      lowest = std::min(lowest, end.y - part.radius), highest = std::max(highest, end.y + part.radius);
    }
  }
  EXPECT_NEAR(lowest, -half.y, 1e-12);
  EXPECT_NEAR(highest, half.y, 1e-12);
  std::set<std::string> links;
  for (const LinkCapsule& part : zone.against)
    links.insert(task.model.spec().links[static_cast<std::size_t>(part.link)].name);
  for (const char* name : {"shank_r", "thigh_l", "pelvis", "spine4", "head"}) EXPECT_TRUE(links.contains(name)) << name;
  for (const char* name : {"hand_r", "forearm_l", "upperarm_r", "box"}) EXPECT_FALSE(links.contains(name)) << name;
}

/// Hanging arms touch nothing; a forearm across the trunk does, and only arms are looked at.
TEST(Grip, ArmsKeepClearOfTheBody) {
  const Task task = test::shipped_task("lift_box");
  ASSERT_TRUE(task.shapes);
  Collisions collisions = task.shapes->collisions;
  Eigen::VectorXd q = Eigen::VectorXd::Zero(task.model.nq());
  const auto turn = [&](const std::string& name, double angle) {
    const auto& names = task.model.dof_names();
    q[std::ranges::find(names, name) - names.begin()] = angle;
  };
  const auto nearest = [&] {
    const auto touch = collisions.deepest(q);
    return touch ? touch->a + " and " + touch->b + " by " + std::to_string(touch->distance) : "";
  };
  EXPECT_EQ(nearest(), "");
  turn("hip_flexion_r", 1), turn("spine4_flexion", 0.2);
  EXPECT_EQ(nearest(), "");
  turn("elbow_flexion_r", 1.5), turn("shoulder_rotation_r", 1.2);
  const auto touch = collisions.deepest(q);
  ASSERT_TRUE(touch);
  EXPECT_TRUE(touch->a == "forearm_r" || touch->b == "forearm_r" || touch->a == "hand_r" || touch->b == "hand_r")
      << touch->a << " and " << touch->b;
  std::string text = read_text_file(test::source_dir() + "/tasks/lift_box.yaml") + "self_collision: false\n";
  EXPECT_FALSE(read_task(text, "t", test::source_dir() + "/tasks").shapes);
}

TEST(Grip, Refuses) {
  const test::TemporaryModel model(standing_body());
  const auto said = [&](const std::string& text) {
    return test::complaint<InputError>([&] { model.whole_task(text); });
  };
  const auto expect = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(said(text).find(part), std::string::npos) << said(text);
  };
  expect(lifting(kHandles, "", "rule"), "attach: needs `ground` with `forces: variables` all the way");
  expect(lifting("  at: [[0, 0, 0.2]]\n"), "attach: at: expected one for each of both hands, found a list of 1");
  expect(lifting(std::string(kPalms) + "  turns: [0, 0, 1]\n"), "attach: friction: not with `turns`");
  expect(lifting(std::string(kHandles) + "  turned: {rpy: [0, 0]}\n"), "attach: turned");
  expect(lifting(std::string(kHandles) + "  push: [[0, 0, 1], [0, 0, 1]]\n"), "attach: push: is of palms");
  const auto with = [](const std::string& old, const std::string& other) {
    std::string text = lifting(kHandles);
    return text.replace(text.find(old), old.size(), other);
  };
  expect(with("object: box", "object: bag"), "attach: object: there is no object 'bag' under `scene: objects`");
  expect(with("mass: 8", "mass: 0"), "box: mass: expected a positive mass, found '0'");
  expect(with("hand_l]", "hand_x]"), "attach: to: there is no link or frame 'hand_x'");
  expect(with("[hand_r, hand_l]", "[hand_r]"), "attach: to: expected one link or frame, or two hands");
  expect(with("[leg_r, leg_l]", "[leg_r, hand_l]"), "ground: stand: 'hand_l' has no sole");
  expect(lifting(kHandles, "  limits: {joint_force: {elbow_l: 100}}\n"), "in an arm that holds");
}

}  // namespace
}  // namespace verne
