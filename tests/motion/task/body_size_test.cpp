// People of other sizes: what scales how, and what a task may ask for.
#include "motion/task/body_size.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/task_text.h"
#include "support/compare.h"
#include "support/states.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/io/file.h"
#include "verne/io/model_io.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

Model human() {
  return load_model(test::models() + "human55.yaml");
}

const LinkSpec& link(const Model& model, const std::string& name) {
  return *std::find_if(model.spec().links.begin(), model.spec().links.end(),
                       [&](const LinkSpec& one) { return one.name == name; });
}

TEST(BodySize, TheModelKnowsItsStature) {
  EXPECT_NEAR(*stature_of(human()), 1.741, 1e-12);
  EXPECT_FALSE(stature_of(load_model(test::models() + "two_link.yaml")));
}

/// The same motion of a body that is larger by λ and heavier by μ: angles stay, ways grow by λ. Then all mechanics
/// scales, where gravity does as lengths do: mass matrices of rotations by μλ², torques by μλ · g. That holds for the
/// whole model at once, whatever link a factor would be missing in.
TEST(BodySize, MechanicsScales) {
  const Model small = human();
  const double lambda = 1.9 / 1.741, mu = 95.0 / 73.0 * 73.0 / small.moving_mass();
  const Model large = build_model(scaled_body(small, {.stature = 1.9, .mass = 95.0}));
  EXPECT_NEAR(large.moving_mass(), 95, 1e-9);
  EXPECT_NEAR(*stature_of(large), 1.9, 1e-12);
  std::mt19937_64 rng(3);
  Eigen::VectorXd q = test::random_values(rng, small.nv(), 0.5), bigger = q;
  bigger.head(3) *= lambda;  // translations
  Data<double> data(small), other(large);
  Eigen::MatrixXd M = mass_matrix<double>(small, data, q);
  Eigen::VectorXd scale = Eigen::VectorXd::Constant(small.nv(), lambda);
  scale.head(3).setOnes();
  const Eigen::MatrixXd expected = mu * scale.asDiagonal() * M * scale.asDiagonal();
  EXPECT_TRUE(test::close(mass_matrix<double>(large, other, bigger), expected, 1e-12));
  const Eigen::VectorXd gravity = gravity_torques<double>(small, data, q);
  EXPECT_TRUE(test::close(gravity_torques<double>(large, other, bigger), mu * scale.cwiseProduct(gravity), 1e-12));
  // Contacts and strength go along; angles do not.
  EXPECT_NEAR(large.contacts()[0].point.x, lambda * small.contacts()[0].point.x, 1e-15);
  const std::size_t knee = 45 - 1;
  EXPECT_NEAR(large.dofs()[knee].effort_lower, mu * lambda * small.dofs()[knee].effort_lower, 1e-9);
  EXPECT_EQ(large.dofs()[knee].upper, small.dofs()[knee].upper);
}

/// What is held or worn stays as it is, where the person of another size has it; the rest is the person without it.
TEST(BodySize, AddedLinksStay) {
  ModelSpec laden = human().spec();
  LinkSpec grip, box;
  grip.name = "grip", grip.parent = "hand_r", grip.joint.name = "turn", grip.joint.type = JointType::revolute;
  grip.joint.axis = {0, 1, 0}, grip.joint.dofs.resize(1), grip.X_PJ.p = {0, -0.1, 0};
  grip.joint.dofs[0].effort_lower = -5, grip.joint.dofs[0].effort_upper = 5;
  box.name = "box", box.parent = "grip", box.joint.name = "held", box.X_PJ.p = {0, -0.2, 0};
  box.has_inertial = true, box.mass = 4, box.com = {0.01, 0, 0}, box.inertia = {0.1, 0, 0, 0.1, 0, 0.1};
  laden.links.push_back(grip), laden.links.push_back(box);
  const BodySize size{.stature = 1.9, .mass = 95.0};
  const Model bare = build_model(scaled_body(human(), size)),
              model = build_model(scaled_body(build_model(laden), size));
  EXPECT_NEAR(model.moving_mass(), 99, 1e-9);
  for (const LinkSpec& one : bare.spec().links) {
    const LinkSpec& other = link(model, one.name);
    EXPECT_NEAR(other.mass, one.mass, 1e-12) << one.name;
    EXPECT_NEAR(other.inertia.xx, one.inertia.xx, 1e-12) << one.name;
    EXPECT_NEAR(other.X_PJ.p.y, one.X_PJ.p.y, 1e-12) << one.name;
  }
  EXPECT_NEAR(link(model, "grip").X_PJ.p.y, -0.1 * 1.9 / 1.741, 1e-12);
  EXPECT_EQ(link(model, "grip").joint.dofs[0].effort_upper, 5);
  EXPECT_EQ(link(model, "box").mass, 4);
  EXPECT_EQ(link(model, "box").com.x, 0.01);
  EXPECT_EQ(link(model, "box").X_PJ.p.y, -0.2);
}

constexpr double kOfWoman = 1.741 / 1.735;  // statures: of the model, of the women in the table

/// Lengths of women as parts of their stature: joints are as far apart, seen from outside of the scaling, as the table
/// says, and its trunk from cervicale to the hips is the sum of its parts; widths are those of the model.
TEST(BodySize, LengthsOfWomen) {
  const Model man = human(), woman = build_model(scaled_body(man, {.female = true})),
              tall = build_model(scaled_body(man, {.stature = 1.735, .female = true}));
  const auto between = [](const Model& model, const std::string& from, const std::string& to) -> Eigen::Vector3d {
    Data<double> data(model);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
    const Kinematics<double> at = forward_kinematics<double>(model, data, zero, zero, zero);
    return at.position(model.link(to)) - at.position(model.link(from));
  };
  EXPECT_NEAR(between(tall, "thigh_r", "shank_r").norm(), 0.3685, 1e-12);
  EXPECT_NEAR(between(tall, "shank_l", "foot_l").norm(), 0.4386, 1e-12);
  EXPECT_NEAR(between(tall, "upperarm_r", "forearm_r").norm(), 0.2751, 1e-12);
  EXPECT_NEAR(between(tall, "forearm_r", "hand_r").norm(), 0.2643, 1e-12);
  EXPECT_NEAR(between(tall, "pelvis", "spine1").norm(), 0.1815, 1e-12);
  EXPECT_NEAR(between(tall, "spine1", "spine3").norm(), 0.2053, 1e-12);
  EXPECT_NEAR(between(tall, "pelvis", "neck").norm(), 0.6148, 1e-12);
  EXPECT_NEAR(between(woman, "thigh_r", "shank_r").norm(), kOfWoman * 0.3685, 1e-12);
  EXPECT_EQ(between(woman, "thigh_l", "thigh_r").z(), between(man, "thigh_l", "thigh_r").z());
  const double foot = 0.2283 / 0.2581 * kOfWoman;
  for (std::size_t k = 0; k < man.contacts().size(); ++k) {
    const Vec3<double>&mine = woman.contacts()[k].point, &his = man.contacts()[k].point;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(mine[i], foot * his[i], 1e-15);
  }
  EXPECT_NEAR(between(woman, "foot_r", "toes_r").x(), foot * between(man, "foot_r", "toes_r").x(), 1e-12);
}

/// Segments of women by the tables of de Leva (1996): parts of the mass, and inertia about the centre of mass.
TEST(BodySize, Sex) {
  const Model man = human(), woman = build_model(scaled_body(man, {.female = true}));
  EXPECT_NEAR(woman.moving_mass(), man.moving_mass(), 1e-9);
  const LinkSpec &thigh = link(woman, "thigh_r"), &hip = link(woman, "pelvis");
  const double mass = woman.moving_mass(), written = 1e-4;  // digits of the model file
  const double length = kOfWoman * 0.3685, trunk = kOfWoman * 0.1815;
  EXPECT_NEAR(thigh.mass, 0.1478 * mass, 2e-4 * thigh.mass);  // fractions sum to 0.9999
  EXPECT_NEAR(thigh.com.y, -0.3612 * length, written);
  EXPECT_NEAR(thigh.inertia.xx, thigh.mass * std::pow(0.369 * length, 2), written);
  EXPECT_NEAR(thigh.inertia.yy, thigh.mass * std::pow(0.162 * length, 2), written);
  EXPECT_NEAR(thigh.inertia.zz, thigh.mass * std::pow(0.364 * length, 2), written);
  EXPECT_NEAR(hip.com.y, (1 - 0.492) * trunk, written);
  EXPECT_NEAR(hip.inertia.xx, hip.mass * std::pow(0.433 * trunk, 2), written);
  EXPECT_NEAR(link(woman, "spine1").mass + link(woman, "spine2").mass, 0.1465 * mass, 2e-3);
  EXPECT_NEAR(link(woman, "foot_l").mass + link(woman, "toes_l").mass, 0.0129 * mass, 2e-3);
  EXPECT_TRUE(woman.plausibility_warnings().empty());
}

TEST(BodySize, InTasks) {
  const auto task = [](const std::string& model) {
    return "format: verne-task/1\nparameters: {tall: 1.8}\nmodel: " + model +
           "\nduration: 1\nminimize:\n  - effort: 1\n";
  };
  EXPECT_NEAR(test::read(task("{file: human55.yaml, stature: tall, mass: 80 kg}")).model.moving_mass(), 80, 1e-9);
  EXPECT_NEAR(*stature_of(test::read(task("{file: human55.yaml, stature: tall m}")).model), 1.8, 1e-12);
  EXPECT_EQ(test::problems(task("{file: human55.yaml, mass: -3}")),
            "t:3: error: model: mass: expected a positive number, found '-3'");
  EXPECT_EQ(test::problems(task("{file: human55.yaml, mass: tall - 2}"), {{"tall", 1.5}}),
            "t:3: error: model: mass: expected a positive number, found 'tall - 2', which is -0.5");
  EXPECT_EQ(test::problems(task("{file: human55.yaml, mass: tall}"), {{"tall", -3}}),
            "t:3: error: model: mass: expected a positive number, found 'tall', which is -3");
  EXPECT_EQ(test::problems(task("{file: human55.yaml, stature: 0}")),
            "t:3: error: model: stature: expected a positive number, found '0'");
  EXPECT_EQ(test::problems(task("{file: human55.yaml, stature: 19}")),
            "t:3: error: model: stature: expected at most 3 m, more than any person, found '19'");
  EXPECT_EQ(test::problems(task("{file: human55.yaml, sex: femal}")),
            "t:3: error: model: sex: expected male or female, found 'femal'");
  const auto thigh = [&](const std::string& sex) {
    return link(test::read(task("{file: human55.yaml, sex: " + sex + "}"), {{"tall", 1}}).model, "thigh_r").mass;
  };
  EXPECT_EQ(thigh("{female: tall}"), thigh("female"));
  EXPECT_EQ(thigh("{female: 0}"), thigh("male"));
  EXPECT_NE(thigh("female"), thigh("male"));
  EXPECT_EQ(test::problems(task("{file: human55.yaml, sex: {female: tall}}")),
            "t:3: error: model: sex: female: expected 0 or 1, found 'tall', which is 1.8");
  EXPECT_EQ(test::problems(task("{file: human55.yaml, sex: {}}")), "t:3: error: model: sex: female is missing");
  EXPECT_EQ(test::problems(task("{file: human55.yaml, height: 2}")), "t:3: error: model: unknown key 'height'");
  EXPECT_EQ(test::problems(task("{stature: 2}")), "t:3: error: model: file is missing");
  EXPECT_EQ(test::problems(task("{file: two_link.yaml, mass: 2}")),
            "t:3: error: model: only models of humans can be scaled, whose links are called as those of human55");
}

/// A smaller person walks, too, and so does a woman, whose feet are shorter.
TEST(BodySize, OthersWalk) {
  Task task = test::shipped_task("gait", {{"stature", 1.65}, {"mass", 60}, {"step", 0.57}, {"woman", 1}});
  std::erase_if(task.costs,
                [](const CostSpec& cost) { return cost.type == &cost_type("energy"); });  // takes several solves
  for (PhaseSpec& phase : task.phases) phase.spans = 3;
  task.curve.control_points = 12, task.curve.nodes = 36;
  const Solution solution = predict(task);
  EXPECT_TRUE(solution.success()) << solution.message;
}

}  // namespace
}  // namespace verne
