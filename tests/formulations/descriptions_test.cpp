/// Models in the terms of the documents: the same places of all bodies, and reasons where there are none.
#include <gtest/gtest.h>

#include "formulations/barman.h"
#include "formulations/formulation_support.h"
#include "formulations/khalil.h"
#include "formulations/lie.h"
#include "model/tree.h"
#include "support/paths.h"
#include "support/reference.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

/// Pose of a body of the tree in the world, from any of its links.
Eigen::Isometry3d body_pose(const Model& model, int body, const Eigen::VectorXd& q) {
  const std::vector<Eigen::Isometry3d> poses = link_poses(model, q);
  for (int link = 0; link < model.tree().link_count; ++link) {
    const TreeSite& site = model.tree().sites[link];
    if (site.body != body) continue;
    const Transform<double> X_BS = pose_in_body(site);
    return poses[static_cast<std::size_t>(link)] * to_eigen(X_BS).inverse();
  }
  return Eigen::Isometry3d::Identity();
}

class Descriptions : public testing::TestWithParam<Case> {
 protected:
  Model model_ = one_axis_model(GetParam());
  std::mt19937_64 rng_{1};
  State s_ = random_state(model_, rng_);
};
INSTANTIATE_TEST_SUITE_P(Models, Descriptions, testing::ValuesIn(one_axis_cases()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(Descriptions, PlaceEveryBody) {
  const fm::DhTree dh = *fm::dh_tree_of(model_);
  std::vector<Transform<double>> dh_poses{Transform<double>::identity()};
  for (std::size_t j = 1; j < dh.links.size(); ++j) {
    const fm::DhLink& link = dh.links[j];
    DhParameters parameters = link.dh;
    if (link.joint == fm::DhJoint::revolute) parameters.theta += s_.q[link.variable];
    if (link.joint == fm::DhJoint::prismatic) parameters.d += s_.q[link.variable];
    dh_poses.push_back(dh_poses[static_cast<std::size_t>(link.parent)] * dh_transform(parameters));
    if (link.body < 0) continue;
    const Eigen::Isometry3d expected = body_pose(model_, link.body, s_.q);
    EXPECT_TRUE(close(to_eigen(dh_poses[j] * link.X_LB).matrix(), expected.matrix(), kAgreement));
  }
  const fm::MdhTree mdh = *fm::mdh_tree_of(model_);
  const auto mdh_poses = fm::khalil_poses<double>(mdh, span_of(s_.q));
  const fm::ScrewTree screws = *fm::screw_tree_of(model_);
  const auto lie = fm::lie_dynamics<double>(screws, {span_of(s_.q), span_of(s_.v), span_of(s_.a)});
  std::vector<Transform<double>> lie_poses{Transform<double>::identity()};
  for (int body = 0; body < model_.tree().body_count; ++body) {
    const auto i = static_cast<std::size_t>(body) + 1;
    const Eigen::Matrix4d expected = body_pose(model_, body, s_.q).matrix();
    EXPECT_TRUE(close(to_eigen(mdh_poses[i]).matrix(), expected, kAgreement));
    lie_poses.push_back(lie_poses[static_cast<std::size_t>(screws.links[i].parent)] * inverse(lie.T[i]));
    const Transform<double> at_origin{Mat3<double>::identity(), -screws.links[i].com};
    EXPECT_TRUE(close(to_eigen(lie_poses[i] * at_origin).matrix(), expected, kAgreement));
  }
}

/// Any pose has modified Denavit-Hartenberg parameters; special ones get the zeros that a person would write.
TEST(MdhParametersOf, AnyPose) {
  std::mt19937_64 rng(3);
  for (int k = 0; k < 50; ++k) {
    const Transform<double> X = random_pose(rng, 2);
    EXPECT_TRUE(close(to_eigen(mdh_transform(mdh_parameters_of(X))).matrix(), to_eigen(X).matrix(), kAgreement));
  }
  for (const MdhParameters& p : {MdhParameters{}, MdhParameters{.alpha = M_PI, .d = 0.3, .theta = 0.4, .r = -1},
                                 MdhParameters{.alpha = 0, .d = 0, .theta = -2, .r = 3},
                                 MdhParameters{.gamma = 0.5, .d = 0.2, .theta = 1, .r = 0.1},
                                 MdhParameters{.alpha = M_PI / 2, .theta = 0.3, .r = 0.7}}) {
    const Transform<double> X = mdh_transform(p);
    const MdhParameters found = mdh_parameters_of(X);
    EXPECT_TRUE(close(to_eigen(mdh_transform(found)).matrix(), to_eigen(X).matrix(), kAgreement));
    EXPECT_NEAR(found.b, 0, 1e-15);
    EXPECT_NEAR(found.d, p.d, 1e-15);
    EXPECT_NEAR(found.r, p.r, 1e-15);
  }
}

/// Joints of several coordinates become several rows.
TEST(DescriptionsOf, CompoundJoints) {
  const Model model =
      one_axis_model({"", 6, false, false}, {JointType::universal, JointType::cylindrical, JointType::planar});
  std::mt19937_64 rng(2);
  Data<double> data(model);
  const State s = random_state(model, rng);
  const Eigen::VectorXd tau = inverse_dynamics(model, data, s.q, s.v, s.a);
  const auto khalil = fm::khalil_inverse<double>(*fm::mdh_tree_of(model), {span_of(s.q), span_of(s.v)}, span_of(s.a));
  EXPECT_TRUE(close(eigen(khalil.torque), tau, kAgreement));
  const auto barman = fm::barman_dynamics<double>(*fm::dh_tree_of(model), {span_of(s.q), span_of(s.v), span_of(s.a)});
  EXPECT_TRUE(close(eigen(barman.effort), tau, kAgreement));
  const auto lie = fm::lie_dynamics<double>(*fm::screw_tree_of(model), {span_of(s.q), span_of(s.v), span_of(s.a)});
  EXPECT_TRUE(close(eigen(lie.tau), tau, kAgreement));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(DescriptionsOf, WhatIsOutOfReachHasAReason) {
  std::mt19937_64 rng(4);
  using T = JointType;
  const auto model = [&](T type, T root = T::fixed) {
    return build_model(random_tree(rng, 2, {.kinds = {type}, .root = root, .chain = true}));
  };
  for (const T type : {T::spherical, T::helical}) {
    const std::string expected = std::string("joint 'joint_1' is ") + to_string(type);
    EXPECT_TRUE(contains(fm::dh_tree_of(model(type)).reason, expected));
    EXPECT_TRUE(contains(fm::mdh_tree_of(model(type)).reason, expected));
  }
  EXPECT_TRUE(contains(fm::screw_tree_of(model(T::spherical)).reason, "joint 'joint_1' is spherical"));
  EXPECT_TRUE(fm::screw_tree_of(model(T::helical)));
  EXPECT_TRUE(contains(fm::dh_tree_of(model(T::revolute, T::free)).reason, "is free"));
  EXPECT_TRUE(fm::mdh_tree_of(model(T::revolute, T::free))->moving_base);
  EXPECT_TRUE(contains(fm::mdh_tree_of(model(T::free)).reason, "is free"));
  EXPECT_EQ(fm::dh_tree_of(model(T::fixed)).reason, "no joint moves");
  EXPECT_EQ(fm::mdh_tree_of(model(T::fixed, T::free)).reason, "no joint moves but the free base");
  ModelSpec losses = random_tree(rng, 2, {.kinds = {T::revolute}, .root = T::free});
  losses.links[0].joint.dofs.resize(6);
  losses.links[0].joint.dofs[2].viscous = 1;
  EXPECT_TRUE(contains(fm::mdh_tree_of(build_model(losses)).reason, "friction"));
  const Model coupled = load_model(source_dir() + "/tests/data/urdf/gripper.urdf");
  EXPECT_TRUE(contains(fm::screw_tree_of(coupled).reason, "joint 'grip_right' follows another"));
}

TEST(DescriptionsOf, AlmostParallelAxes) {
  std::mt19937_64 rng(4);
  ModelSpec spec = random_tree(rng, 2, {.kinds = {JointType::revolute}, .chain = true});
  for (LinkSpec& link : spec.links) link.joint.axis = {0, 0, 1}, link.X_JL = Transform<double>::identity();
  spec.links[2].X_PJ = {rotation_x(1e-7), {0.1, 0.2, 0.3}};
  const std::string reason = fm::dh_tree_of(build_model(spec)).reason;
  EXPECT_TRUE(contains(reason, "almost, but not quite, parallel")) << reason;
  EXPECT_TRUE(contains(reason, "km away")) << reason;
  spec.links[2].X_PJ.R = Mat3<double>::identity();
  EXPECT_TRUE(fm::dh_tree_of(build_model(spec)));
}

}  // namespace
}  // namespace verne::test
