#include "formulations/nasser.h"
#include "model/tree.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "formulations/formulation_support.h"
#include "io/io_support.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

/// Rotor inertia, which the paper has, but no friction.
ModelSpec geared_tree(std::mt19937_64& rng, const Case& c, JointType root = JointType::fixed) {
  ModelSpec spec = random_tree(rng, c.joints,
                               {.kinds = {JointType::revolute, JointType::prismatic},
                                .root = root,
                                .chain = c.chain,
                                .fixed_joints = true,
                                .rotor_inertia = true});
  spec.links[0].joint.dofs.clear();
  return spec;
}

class Nasser : public testing::TestWithParam<Case> {
 protected:
  std::mt19937_64 rng_{21};
};
INSTANTIATE_TEST_SUITE_P(Models, Nasser, testing::ValuesIn(one_axis_cases()),
                         [](const auto& parameter) { return parameter.param.name; });

const fm::DhLink& link_of(const fm::DhTree& tree, int body, std::size_t& i) {
  for (i = 1; tree.links[i].body != body;) ++i;
  return tree.links[i];
}

TEST_P(Nasser, AccelerationsAndReactions) {
  const Model model = build_model(geared_tree(rng_, GetParam()));
  const fm::DhTree tree = *fm::dh_tree_of(model);
  Data<double> data(model);
  const State s = random_state(model, rng_);
  const auto found = forward_dynamics_and_wrenches(model, data, s.q, s.v, s.tau);
  const auto out = fm::nasser_dynamics<double>(tree, {span_of(s.q), span_of(s.v), span_of(s.tau)});
  EXPECT_TRUE(close(eigen(out.acceleration), found.a, kAgreement));
  expect_wrenches(model, found.wrenches, kAgreement, [&](int body) {
    std::size_t i = 0;
    const fm::DhLink& link = link_of(tree, body, i);
    // Reaction loads have no part of the actuator but the inertia of its rotor; together they are the joint's wrench.
    const double along = link.joint == fm::DhJoint::revolute ? out.reaction[i].bottom.z : out.reaction[i].top.z;
    EXPECT_TRUE(close(along, -link.rotor_inertia * found.a[link.variable], kAgreement, largest(found.wrenches)));
    return fm::nasser_wrench(link, s.q[link.variable], out.wrench[i]);
  });
}

/// A base that moves as prescribed, against the rows of the whole equation of motion that belong to the joints.
TEST_P(Nasser, PrescribedBaseMotionAndLoads) {
  ModelSpec spec = geared_tree(rng_, GetParam());
  spec.links[0].X_PJ = spec.links[0].X_JL = Transform<double>::identity();
  const Model fixed = build_model(spec);
  spec.links[0].joint.type = JointType::free;
  const Model moving = build_model(spec);
  const fm::DhTree tree = *fm::dh_tree_of(fixed);
  const int n = tree.variables;
  Data<double> data(moving);
  const State s = random_state(moving, rng_);
  const Eigen::Matrix3d R = forward_kinematics(moving, data, s.q, s.v, s.a).rotation(0);
  const Eigen::Vector3d omega = s.v.segment<3>(3), linear = s.a.head<3>() + omega.cross(s.v.head<3>());

  // Loads at the centres of mass of the links, in their axes.
  std::vector<fm::Vec6<double>> external(tree.links.size(), fm::Vec6<double>::zero());
  Loads<double> loads;
  for (std::size_t i = 1; i < tree.links.size(); ++i) {
    if (tree.links[i].body < 0) continue;
    for (int site = 0; site < moving.tree().link_count; ++site) {
      const TreeSite& at = moving.tree().sites[site];
      if (at.body != tree.links[i].body + 1) continue;  // the moving model counts the base as a body
      const Transform<double> X_BS = pose_in_body(at);
      const Transform<double> X_SL = inverse(tree.links[i].X_LB * X_BS);
      external[i] = {random_vector(rng_, 3), random_vector(rng_, 3)};
      const Eigen::Matrix3d R_WS = forward_kinematics(moving, data, s.q, s.v, s.a).rotation(site);
      loads.add({.frame = site,
                 .force = R_WS * eigen(X_SL.R * external[i].top),
                 .moment = R_WS * eigen(X_SL.R * external[i].bottom),
                 .point = eigen(X_SL * tree.links[i].com)});
      break;
    }
  }

  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n + 6);
  const Eigen::VectorXd bias = inverse_dynamics(moving, data, s.q, s.v, zero, loads);
  const Eigen::MatrixXd M = mass_matrix(moving, data, s.q);
  const Eigen::VectorXd right = s.tau.tail(n) - bias.tail(n) - M.bottomLeftCorner(n, 6) * s.a.head(6);
  const Eigen::VectorXd expected = M.bottomRightCorner(n, n).llt().solve(right);

  const Eigen::VectorXd q = s.q.tail(n), v = s.v.tail(n), tau = s.tau.tail(n);
  const auto out = fm::nasser_dynamics<double>(
      tree, {span_of(q), span_of(v), span_of(tau), external},
      {vec3(omega), vec3(s.a.segment<3>(3)), vec3(linear - R.transpose() * eigen(moving.gravity()))});
  EXPECT_TRUE(close(eigen(out.acceleration), expected, kAgreement));
}

/// Nasser's own verification: the Shuttle's arm against the inversion of its mass matrix (Walker and Orin).
TEST(NasserShuttle, AgainstTheMassMatrix) {
  const Model model = load_model(source_dir() + "/models/shuttle_rms.yaml");
  const fm::DhTree tree = *fm::dh_tree_of(model);
  Data<double> data(model);
  std::mt19937_64 rng(1);
  for (int round = 0; round < 20; ++round) {
    const State s = random_state(model, rng);
    const Eigen::MatrixXd M = mass_matrix(model, data, s.q);
    const Eigen::VectorXd expected = M.llt().solve(s.tau - bias_torques(model, data, s.q, s.v));
    const auto out = fm::nasser_dynamics<double>(tree, {span_of(s.q), span_of(s.v), span_of(s.tau)});
    EXPECT_TRUE(close(eigen(out.acceleration), expected, kAgreement));
  }
}

TEST(NasserInput, SingularLinkWrongSizesAndNoLinks) {
  const Model model = one_axis_model({"", 3, true, false});
  fm::DhTree tree = *fm::dh_tree_of(model);
  const std::vector<double> three(3, 0.2), two(2);
  EXPECT_THROW(fm::nasser_dynamics<double>(tree, {three, two, three}), std::invalid_argument);
  for (fm::DhLink& link : tree.links) link.mass = 0, link.inertia = Sym3<double>::zero();
  EXPECT_NE(input_error([&] {
              fm::nasser_dynamics<double>(tree, {three, three, three});
            }).find("L is singular"),
            std::string::npos);
  EXPECT_TRUE(fm::nasser_dynamics<double>({}, {}).acceleration.empty());
}

}  // namespace
}  // namespace verne::test
