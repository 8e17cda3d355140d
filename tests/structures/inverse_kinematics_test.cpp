/// Postures are judged by forward kinematics, and by triangles where these tell all of them.
#include "verne/structures/inverse_kinematics.h"

#include <cmath>
#include <numbers>

#include "structures/mechanism_support.h"
#include "support/complaint.h"
#include "support/paths.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/kinematics.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

PoseGoal pose_at(const Model& model, int site, const Eigen::VectorXd& q) {
  Data<double> data(model);
  const Kinematics<double> found = forward_kinematics(model, data, q);
  PoseGoal goal{Vec3<double>::load(found.position(site).data()), Mat3<double>{}};
  for (int i = 0; i < 9; ++i) goal.rotation->m[i] = found.poses(3 + i, site);
  return goal;
}

/// The posture brings the site there, says so, and keeps the limits.
void expect_reaches(const Model& model, int site, const PoseGoal& goal, const Posture& posture) {
  EXPECT_TRUE(posture.reached);
  ASSERT_EQ(posture.q.size(), model.nq());
  const PoseGoal there = pose_at(model, site, posture.q.eigen());
  EXPECT_LT(norm(there.position - goal.position), 2e-9);
  if (goal.rotation) {
    EXPECT_LT(norm(rotation_vector_of(*there.rotation * transpose(*goal.rotation))), 2e-9);
  }
  for (const Joint& joint : model.joints()) {
    if (joint.coupled() || joint.nq != joint.nv) continue;
    for (int k = 0; k < joint.nv; ++k) {
      EXPECT_GE(posture.q[joint.q + k], model.dofs()[std::size_t(joint.v + k)].lower);
      EXPECT_LE(posture.q[joint.q + k], model.dofs()[std::size_t(joint.v + k)].upper);
    }
  }
}

double farthest_joint(const Posture& a, const Posture& b) {
  return (a.q.eigen() - b.q.eigen()).cwiseAbs().maxCoeff();
}

/// The same up to full turns of angles.
bool same_posture(const Model& model, const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.nv; ++k) {
      double apart = a[joint.q + k] - b[joint.q + k];
      if (!is_linear(joint.spec.type, k)) apart = std::remainder(apart, 2 * std::numbers::pi);
      if (std::abs(apart) > 1e-5) return false;
    }
  }
  return true;
}

bool has_posture(const Model& model, const Postures& postures, const Eigen::VectorXd& q) {
  return std::any_of(postures.found.begin(), postures.found.end(),
                     [&](const Posture& found) { return same_posture(model, found.q.eigen(), q); });
}

/// A shipped model in which some joints have other limits.
Model with_limits(const std::string& name, const std::function<bool(const JointSpec&)>& chosen, double limit) {
  ModelSpec spec = shipped_model(name).spec();
  for (LinkSpec& link : spec.links) {
    if (!chosen(link.joint)) continue;
    for (DofSpec& dof : link.joint.dofs) dof.lower = -limit, dof.upper = limit;
  }
  return build_model(spec);
}

TEST(InverseKinematics, ReachesWhatCanBeReached) {
  struct ArmCase {
    const char *model, *frame;
    int poses;
  };
  for (const auto& [name, frame, poses] :
       {ArmCase{"arm7", "tool", 300}, ArmCase{"puma560", "tool", 300}, ArmCase{"rx90", "tool", 300},
        ArmCase{"stanford_arm", "tool", 300}, ArmCase{"shuttle_rms", "tool", 300}, ArmCase{"human55", "hand_r", 40}}) {
    SCOPED_TRACE(name);
    const Model model = shipped_model(name);
    const Mechanism mechanism(model);
    const int site = model.site(frame);
    InverseKinematics solver(mechanism, site);
    std::mt19937_64 random(11 + test_seed());
    for (int k = 0; k < poses; ++k) {
      PoseGoal goal = pose_at(model, site, random_configuration(model, random));
      if (k % 4 == 3) goal.rotation.reset();
      expect_reaches(model, site, goal, solver.solve(goal, mechanism.home().eigen()));
    }
  }
}

TEST(InverseKinematics, BothElbowsOfATriangle) {
  const Model model = shipped_model("two_link");
  InverseKinematics solver(Mechanism(model), model.site("tool"));
  std::mt19937_64 random(3 + test_seed());
  const Eigen::VectorXd home = Eigen::VectorXd::Zero(2);
  for (int k = 0; k < 50; ++k) {
    const double r = std::uniform_real_distribution(0.1, 0.79)(random),
                 angle = std::uniform_real_distribution(-3.0, 3.0)(random);
    const Postures both = solver.solve_all({{r * std::cos(angle), r * std::sin(angle), 0}, {}}, home);
    EXPECT_TRUE(both.isolated);
    ASSERT_EQ(both.found.size(), 2u);
    const double elbow = 2 * std::acos(r / 0.8);  // bars of 0.4 m: r = 0.8 cos(elbow / 2)
    for (const double bend : {elbow, -elbow}) {
      EXPECT_TRUE(has_posture(model, both, Eigen::Vector2d(angle - bend / 2, bend))) << r << " " << angle;
    }
    EXPECT_LE(both.found[0].q.eigen().norm(), both.found[1].q.eigen().norm());
    EXPECT_TRUE(both.closest.q == both.found[0].q);
  }
}

/// Turned as far as they like, these arms reach a wrist's centre from two shoulders and with two elbows; the Stanford
/// arm, whose boom slides, has no elbow. With a spherical wrist each posture has another: its first joint turned by π,
/// the second bent the other way, the third turned by π.
TEST(InverseKinematics, SixJointsHaveAllPostures) {
  for (const char* name : {"puma560", "rx90", "stanford_arm"}) {
    SCOPED_TRACE(name);
    const Model model = with_limits(
        name, [](const JointSpec& j) { return j.type == JointType::revolute; }, 3.2);
    const int site = model.site("tool");
    InverseKinematics solver(Mechanism(model), site);
    std::mt19937_64 random(5 + test_seed());
    for (int k = 0; k < 8; ++k) {
      const Eigen::VectorXd q = random_configuration(model, random);
      const PoseGoal goal = pose_at(model, site, q);
      const Postures all = solver.solve_all(goal, q);
      EXPECT_TRUE(all.isolated);
      EXPECT_TRUE(same_posture(model, all.closest.q.eigen(), q));
      EXPECT_EQ(all.found.size(), name == std::string("stanford_arm") ? 4u : 8u);
      for (const Posture& posture : all.found) {
        expect_reaches(model, site, goal, posture);
        Eigen::VectorXd flipped = posture.q.eigen();
        flipped[3] += std::numbers::pi, flipped[4] = -flipped[4], flipped[5] += std::numbers::pi;
        EXPECT_TRUE(has_posture(model, all, flipped));
      }
      const Postures two = solver.solve_all(goal, q, 2);
      ASSERT_EQ(two.found.size(), 2u);
      EXPECT_TRUE(two.found[1].q == all.found[1].q) << "the same every time";
    }
  }
}

TEST(InverseKinematics, PosturesOfARedundantArmAreApart) {
  const Model model = shipped_model("arm7");
  const int site = model.site("tool");
  InverseKinematics solver(Mechanism(model), site);
  std::mt19937_64 random(7 + test_seed());
  const PoseGoal goal = pose_at(model, site, 0.5 * random_configuration(model, random));
  const Postures some = solver.solve_all(goal, Eigen::VectorXd::Zero(7), 12);
  EXPECT_FALSE(some.isolated);
  ASSERT_EQ(some.found.size(), 12u);
  for (const Posture& posture : some.found) {
    expect_reaches(model, site, goal, posture);
    for (const Posture& other : some.found) {
      if (&other == &posture) continue;
      EXPECT_GE(farthest_joint(posture, other), 0.3);
    }
  }
  EXPECT_EQ(solver.solve_all(goal, Eigen::VectorXd::Zero(7)).found.size(), 1u);
}

TEST(InverseKinematics, ClosesLoops) {
  for (const char* name : {"sr400", "delta", "gough_stewart", "five_bar"}) {
    SCOPED_TRACE(name);
    const Mechanism mechanism(shipped_model(name));
    const Model& model = mechanism.model();
    const int site = model.site("tool");
    InverseKinematics solver(mechanism, site);
    MechanismData<double> data(mechanism);
    std::mt19937_64 random(9 + test_seed());
    for (int k = 0; k < 5; ++k) {
      const PoseGoal goal = pose_at(model, site, closed_state(mechanism, random, 0.05).q);
      const Posture posture = solver.solve(goal, mechanism.home().eigen());
      expect_reaches(model, site, goal, posture);
      EXPECT_LT(largest_opening(mechanism, data, posture.q.eigen()), 1e-9);
    }
  }
}

TEST(InverseKinematics, LeastErrorWhereNothingReaches) {
  const Model model = shipped_model("two_link");
  InverseKinematics solver(Mechanism(model), model.site("tool"));
  const PoseGoal beyond{{0, 2, 0}, {}}, above{{0.3, 0.2, 0.25}, {}};
  for (const auto& [goal, error] : {std::pair(beyond, 1.2), std::pair(above, 0.25)}) {
    const Postures none = solver.solve_all(goal, Eigen::VectorXd::Zero(2));
    EXPECT_TRUE(none.found.empty());
    EXPECT_FALSE(none.closest.reached);
    EXPECT_NEAR(none.closest.position_error, error, 1e-4);
    EXPECT_NEAR(solver.solve(goal, Eigen::VectorXd::Zero(2)).position_error, error, 1e-4);
  }
}

TEST(InverseKinematics, OfWhatDoesNotMove) {
  const Model model = shipped_model("arm7");
  InverseKinematics solver(Mechanism(model), model.site("base"));
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(7, 0.1);
  const Postures there = solver.solve_all({{0, 0, 0}, Mat3<double>::identity()}, q);
  ASSERT_EQ(there.found.size(), 1u);
  EXPECT_TRUE(there.isolated);
  EXPECT_TRUE(there.found[0].q.eigen() == q);
  EXPECT_NEAR(solver.solve({{0, 0, 1}, {}}, q).position_error, 1, 1e-15);
}

TEST(InverseKinematics, FreeBasesAndFollowersMove) {
  const Model floating = build_model(with_floating_base(shipped_model("two_link").spec()));
  const int tool = floating.site("tool");
  const PoseGoal far{{7, -3, 2}, rotation_rpy({2, 1, -2})};
  expect_reaches(floating, tool, far,
                 InverseKinematics(Mechanism(floating), tool).solve(far, neutral_configuration(floating)));

  ModelSpec spec = shipped_model("two_link").spec();
  for (LinkSpec& link : spec.links) {
    if (link.joint.name == "elbow") link.joint.mimic = {"shoulder", 2, 0}, link.joint.dofs[0].upper = 0.5;
  }
  const Model coupled = build_model(spec);
  InverseKinematics solver(Mechanism(coupled), coupled.site("tool"));
  const auto at = [](double q) {
    return PoseGoal{{0.4 * (std::cos(q) + std::cos(3 * q)), 0.4 * (std::sin(q) + std::sin(3 * q)), 0}, {}};
  };
  EXPECT_NEAR(solver.solve(at(0.2), Eigen::VectorXd::Zero(1)).q[0], 0.2, 1e-8);
  EXPECT_FALSE(solver.solve(at(0.3), Eigen::VectorXd::Zero(1)).reached) << "the elbow ends at 0.5";
}

TEST(InverseKinematics, ManyAsEach) {
  const Model model = shipped_model("arm7");
  const int site = model.site("tool");
  InverseKinematics solver(Mechanism(model), site);
  std::mt19937_64 random(13 + test_seed());
  std::vector<PoseGoal> goals;
  for (int k = 0; k < 20; ++k) goals.push_back(pose_at(model, site, random_configuration(model, random)));
  goals.push_back({{5, 0, 0}, {}});
  Eigen::MatrixXd q(7, 21), errors(2, 21);
  EXPECT_EQ(solver.solve(goals, Eigen::MatrixXd::Zero(7, 1), q, errors), 20);
  for (Eigen::Index k = 0; k < 21; ++k) {
    const Posture one = solver.solve(goals[std::size_t(k)], Eigen::VectorXd::Zero(7));
    EXPECT_TRUE(one.q.eigen() == q.col(k));
    EXPECT_EQ(one.position_error, errors(0, k));
  }
}

TEST(InverseKinematics, RefusesWhatMakesNoSense) {
  const Model model = shipped_model("arm7");
  const Mechanism mechanism(model);
  EXPECT_THROW(InverseKinematics(mechanism, -1), std::invalid_argument);
  EXPECT_THROW(InverseKinematics(mechanism, model.site_count()), std::invalid_argument);
  InverseKinematics solver(mechanism, 0);
  const Eigen::VectorXd home = Eigen::VectorXd::Zero(7);
  EXPECT_THROW(solver.solve_all({}, home, 0), std::invalid_argument);
  EXPECT_THROW(solver.solve({{0, 0, NAN}, {}}, home), InputError);
  EXPECT_THROW(solver.solve({{0, 0, 0}, Mat3<double>::zero()}, home), InputError);
  EXPECT_THROW(solver.solve({}, Eigen::VectorXd::Zero(6)), InputError);
  Eigen::MatrixXd q(7, 2), errors(2, 1);
  const std::vector<PoseGoal> goals(2);
  EXPECT_THROW(solver.solve(goals, home, q, errors), std::invalid_argument);
}

}  // namespace
}  // namespace verne::test
