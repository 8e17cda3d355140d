// What two hands take, lift, put down and let go: derivatives, the tree with the welded box and the computed wrench,
// what phases have of it, bad input.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "motion/guess/first_guess.h"
#include "motion/guess/ways.h"
#include "motion/program/program.h"
#include "motion/task_text.h"
#include "motion/terms/channels.h"
#include "motion/terms/task_terms.h"
#include "motion/values/sample_stages.h"
#include "motion/values/standing_body.h"
#include "verne/dynamics/dynamics.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

using test::eigen;
using test::Somewhere;
using test::standing_body;

constexpr char kBoxInBothHands[] = "object: box, to: [hand_r, hand_l], point: [0, -0.08, 0]";
constexpr char kFirmly[] = ", at: [[0.02, 0.05, 0.2], [0.02, 0.05, -0.2]]";
constexpr char kByHandles[] = ", at: [[0.02, 0.05, 0.2], [0.02, 0.05, -0.2]], turns: [0, 0, 1], moment: 4 N m";
constexpr char kPutDown[] = ", put: {xyz: [0.45, 0.6, 0]}";
constexpr char kOnBothLegs[] = "subject_to:\n  ground: {stand: [leg_r, leg_l], friction: 0.8, forces: variables}\n";

/// A box on the floor; what phases say begins on line 8.
std::string taking(const std::string& phases, const std::string& ground = kOnBothLegs) {
  return "minimize: [{effort: {weight: 1e-4}}]\n"
         "trajectory: {degree: 3, control_points: 6, nodes: 6}\n"
         "scene:\n"
         "  objects: {box: {box: {size: [0.3, 0.25, 0.4]}, mass: 8, com: [0.01, 0.02, 0.03], pose: {xyz: [0.4, 0.4, "
         "0]}}}\n"
         "phases:\n" +
         phases + ground;
}

std::string take_and_put(const std::string& how) {
  return std::string("  - {name: reach, duration: 0.6}\n  - {name: lift, duration: 0.6, attach: {") + kBoxInBothHands +
         how + kPutDown + "}}\n  - {name: let go, duration: 0.6}\n";
}

TEST(GripInPhases, Derivatives) {
  const test::TemporaryModel model(standing_body());
  test::expect_exact_somewhere(model.whole_task(taking(take_and_put(kByHandles))));
}

/// Phases without the grip have no wrench, no closure and no mass; it is taken and put where it stands, at rest.
TEST(GripInPhases, HoldsInItsPhaseAlone) {
  const test::TemporaryModel body_model(standing_body());
  const Task task = body_model.whole_task(taking(take_and_put(kFirmly)));
  EXPECT_TRUE(task.grips.empty());
  const double bare = task.phases[0].model.mass();
  EXPECT_NEAR(task.phases[1].model.mass() - bare, 8, 1e-12);
  EXPECT_EQ(task.phases[2].model.mass(), bare);
  EXPECT_EQ(task.phases[1].in_hands, 8);
  for (const int k : {0, 2}) {
    EXPECT_TRUE(task.phases[static_cast<std::size_t>(k)].grips.empty());
    EXPECT_TRUE(task.phases[static_cast<std::size_t>(k)].keep_out.empty());
    EXPECT_EQ(task.phases[static_cast<std::size_t>(k)].in_hands, 0);
  }
  const PhaseSpec& lift = task.phases[1];
  ASSERT_EQ(lift.grips.size(), 1u);
  ASSERT_EQ(lift.frames.size(), 2u);
  EXPECT_EQ(lift.frames[0].position[1].lower, 0.4);
  EXPECT_EQ(lift.frames[1].position[1].lower, 0.6);
  for (const int k : {0, 1}) {
    for (const Interval& v : task.phases[static_cast<std::size_t>(k)].end.velocity) EXPECT_TRUE(v.fixed());
  }
  Somewhere at(task);
  const ContactForces forces = at.program.contact_forces(nlp::view(at.x));
  ASSERT_EQ(forces.size(), 3u);
  EXPECT_EQ(forces[1]->coordinates() - forces[0]->coordinates(), 6);
  EXPECT_EQ(forces[2]->coordinates(), forces[0]->coordinates());
  const std::vector<Stage> parts = stages(task, phase_of_spans(task));
  for (std::size_t k = 0; k < parts.size(); ++k) {
    ChannelLayout channels(parts[k].task.model);
    EXPECT_EQ(closure_terms(parts[k].task, channels).size(), k == 1 ? 6u : 0u);
  }
}

/// Of first guesses: the second hand is where the first one has the thing, while both hold it.
TEST(GripInPhases, GuessesTakeHold) {
  const test::TemporaryModel body_model(standing_body());
  const Task flat = without_phases(body_model.whole_task(taking(take_and_put(kByHandles))));
  ASSERT_EQ(flat.grips.size(), 1u);
  EXPECT_NEAR(flat.grips[0].during.lower, 1.0 / 3, 1e-12);
  EXPECT_NEAR(flat.grips[0].during.upper, 2.0 / 3, 1e-12);
  EXPECT_TRUE(is_held_at(flat.grips[0], flat.flattened[0]));
  EXPECT_FALSE(is_held_at(flat.grips[0], 0.2));
  EXPECT_FALSE(flat.grips[0].borne);
}

/// Efforts while both hold the box are those of the body with the box welded to the first hand, with the computed
/// wrench on the second one and its opposite on the box; before and after, those of the body alone. The feet bear what
/// the ground gives.
TEST(GripInPhases, EffortsAreThoseOfTheWeldedTree) {
  const test::TemporaryModel body_model(standing_body());
  const Task task = body_model.whole_task(taking(take_and_put(kFirmly)));
  const Model bare = body_model.whole_task("duration: 1\nminimize: []\n").model;
  ModelSpec spec = bare.spec();
  LinkSpec box;
  box.name = box.joint.name = "welded", box.parent = "hand_r";
  box.joint.type = JointType::fixed;
  box.X_PJ = {Mat3<double>::identity(), {-0.02, -0.08 - 0.05, -0.2}};
  box.has_inertial = true, box.mass = 8, box.com = {0.01, 0.02, 0.03};
  const auto bar = [](double a, double b) { return 8 * (a * a + b * b) / 12; };
  box.inertia = {bar(0.25, 0.4), 0, 0, bar(0.3, 0.4), 0, bar(0.3, 0.25)};
  spec.links.push_back(box);
  const Model welded = build_model(spec);
  Somewhere at(task);
  auto points = at.x.head(at.program.curve.timing(0)).array();
  points = 0.1 + 0.3 * (points - 0.1);  // slower, and with less that contacts make up: the ground pushes both feet
  at.x.tail(at.x.size() - at.program.curve.size()) *= 0.3;
  const Trajectory curve = at.program.curve.trajectory(nlp::view(at.x));
  std::vector<Stage> parts = stages(task, phase_of_spans(task));
  put_contact_forces(parts, at.program.contact_forces(nlp::view(at.x)));
  const SampledMotion motion = sample_stages(parts, curve, 20);
  ASSERT_EQ(motion.loops, std::vector<std::string>{"box in hand_l"});
  double pressed = 0;
  for (Eigen::Index k = 0; k < motion.time.size(); ++k) {
    const bool holds = motion.time[k] > 0.6 && motion.time[k] < 1.2;
    const Model& model = holds ? welded : bare;
    Data<double> data(model);
    const Eigen::VectorXd q = motion.q.eigen().col(k), v = motion.v.eigen().col(k), a = motion.a.eigen().col(k);
    const Kinematics<double> places = forward_kinematics<double>(model, data, q, v, a);
    Loads<double> loads;
    const auto add = [&](const std::string& link, const Eigen::Vector3d& f, const Eigen::Vector3d& m,
                         const Eigen::Vector3d& where) {
      const int site = model.site(link);
      loads.add({site, f, m + (where - places.position(site)).cross(f), Vector3<double>::Zero(), At::link});
    };
    const Eigen::Matrix<double, 6, 1> wrench = motion.loop_wrenches.eigen().col(k).head<6>();
    if (holds) {
      pressed = std::max(pressed, wrench.head<3>().norm());
      const int link = welded.link("welded");
      const Eigen::Matrix3d R = places.rotation(link);
      const Eigen::Vector3d p = places.position(link) + R * Eigen::Vector3d(0.02, 0.05, -0.2);
      add("hand_l", R * wrench.head<3>(), R * wrench.tail<3>(), p);
      add("welded", R * -wrench.head<3>(), R * -wrench.tail<3>(), p);
    } else {
      EXPECT_EQ(wrench.norm(), 0);
    }
    for (const GroundReaction& foot : motion.ground) {
      add(foot.support, foot.force.eigen().col(k), Eigen::Vector3d(0, foot.moment.eigen()[k], 0),
          foot.centre.eigen().col(k));
    }
    Eigen::VectorXd tau(model.nv());
    inverse_dynamics<double>(model, data, q, v, a, tau, &loads);
    EXPECT_LT((tau - motion.tau.eigen().col(k)).norm(), 1e-9 * (1 + tau.norm())) << motion.time[k];
    EXPECT_LT(tau.head<3>().norm(), 1e-9 * (1 + tau.norm())) << motion.time[k];
  }
  EXPECT_GT(pressed, 10);
}

TEST(GripInPhases, Refuses) {
  const test::TemporaryModel model(standing_body());
  const auto said = [&](const std::string& phases, const std::string& ground = kOnBothLegs) {
    return test::complaint<InputError>([&] { model.whole_task(taking(phases, ground)); });
  };
  const auto expect = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const std::string hold = std::string("  - {duration: 1, attach: {") + kBoxInBothHands;
  expect(said(hold + "}}\n"), "t:8: error: phases: 1: attach: at is missing");
  expect(said(hold + ", at: [[0, 0, 0.2]]}}\n"),
         "t:8: error: phases: 1: attach: at: expected one for each of both hands");
  expect(said("  - {duration: 1, attach: {object: bag, to: [hand_r, hand_l]}}\n"),
         "t:8: error: phases: 1: attach: object: there is no object 'bag' under `scene: objects`");
  expect(said("  - {duration: 1, attach: {object: box, to: [hand_r], at: [[0, 0, 0], [0, 0, 0]]}}\n"),
         "t:8: error: phases: 1: attach: to: expected one link or frame, or two hands, found a list of 1");
  expect(said("  - {duration: 1, attach: {object: box, to: [hand_r, hand_r], at: [[0, 0, 0], [0, 0, 0]]}}\n"),
         "t:8: error: phases: 1: attach: to: both are 'hand_r': expected two hands");
  expect(said("  - {duration: 1, put: {xyz: [0, 0, 0]}}\n"), "put");
  const std::string first = hold + kFirmly + "}}\n";
  expect(said(first + hold + kByHandles + "}}\n"),
         "t:9: error: phases: 2: attach: at: how it is held is said where it is first: in line 8");
  expect(
      said(first + "  - {duration: 1, attach: {object: box, to: hand_r}}\n"),
      "t:9: error: phases: 2: attach: to: 'box' is held by 'hand_r and hand_l' in line 8: say there where it is handed "
      "over, by `put`");
  expect(said(first, "subject_to:\n  ground: {stand: [leg_r, leg_l], friction: 0.8}\n"),
         "t:8: error: phases: phase 1: attach: both hands hold it: needs `ground` with `forces: variables`");
}

}  // namespace
}  // namespace verne
