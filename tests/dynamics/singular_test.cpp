/// A joint that carries nothing: what needs the inverse of the mass matrix says so, everything else goes on.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "support/random_model.h"
#include "verne/dynamics/batch.h"
#include "verne/dynamics/batch_derivatives.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/dynamics/regressor.h"

namespace verne::test {
namespace {

/// A chain of three hinges whose last link weighs nothing.
Model chain_with_empty_hand() {
  std::mt19937_64 rng(41);
  RandomTreeOptions options;
  options.kinds = {JointType::revolute};
  options.chain = true;
  ModelSpec spec = random_tree(rng, 3, options);
  spec.file = "arm.urdf";
  spec.links[3].mass = 0;
  spec.links[3].inertia = Sym3<double>::zero();
  spec.links[3].joint.line = 12;
  return build_model(spec);
}

void expect_refusal(const std::string& function, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << function << " did not refuse";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what())
                  .find("arm.urdf:12: error: " + function +
                        ": the mass matrix is singular: joint 'joint_3': moves but carries no mass"),
              0u)
        << error.what();
  }
}

TEST(Singular, InverseOfTheMassMatrixIsRefusedByName) {
  const Model model = chain_with_empty_hand();
  ASSERT_EQ(model.joints_without_inertia().size(), 1u);
  EXPECT_EQ(model.joints()[static_cast<std::size_t>(model.joints_without_inertia()[0])].spec.name, "joint_3");
  Data<> data(model);
  const Eigen::VectorXd q = neutral_configuration(model), v = Eigen::VectorXd::Ones(3);
  Eigen::VectorXd a(3);
  Eigen::MatrixXd A(3, 3), B(3, 3), C(3, 3), D(3, 9);
  Loads<double> loads;
  loads.add({.frame = 3, .force = {1, 2, 3}});
  expect_refusal("forward_dynamics", [&] { forward_dynamics(model, data, q, v, v, a); });
  expect_refusal("inverse_mass_matrix", [&] { inverse_mass_matrix(model, data, q, A); });
  expect_refusal("forward_dynamics_derivatives",
                 [&] { forward_dynamics_derivatives(model, data, q, v, v, a, A, B, C); });
  expect_refusal("forward_load_derivatives", [&] { forward_load_derivatives(model, data, q, loads, D); });
  Batch batch(model, 5);
  BatchDerivatives derivatives;
  LaneArray columns;
  expect_refusal("forward_dynamics", [&] { forward_dynamics(model, batch); });
  expect_refusal("inverse_mass_matrix", [&] { inverse_mass_matrix(model, batch); });
  expect_refusal("forward_dynamics_derivatives", [&] { forward_dynamics_derivatives(model, batch, derivatives); });
  expect_refusal("forward_load_derivatives", [&] { forward_load_derivatives(model, batch, columns); });
}

TEST(Singular, EverythingElseGoesOn) {
  const Model model = chain_with_empty_hand();
  Data<> data(model);
  const Eigen::VectorXd q = neutral_configuration(model), v = Eigen::VectorXd::Ones(3);
  Eigen::VectorXd tau(3);
  inverse_dynamics(model, data, q, v, v, tau);
  EXPECT_TRUE(tau.allFinite());
  EXPECT_GT(std::abs(tau[0]), 1e-3);
  EXPECT_EQ(tau[2], 0);
  Eigen::MatrixXd M(3, 3);
  mass_matrix(model, data, q, M);
  EXPECT_GT(M(1, 1), 0);
  EXPECT_EQ(M(2, 2), 0);
  Kinematics<double> kinematics(model);
  forward_kinematics(model, data, q, kinematics);
  EXPECT_TRUE(kinematics.position(3).allFinite());
}

/// Odd inertias are computed as they are: M a + bias = tau holds with moments that no body has.
TEST(Singular, OddInertiasHaveForwardDynamics) {
  std::mt19937_64 rng(42);
  ModelSpec spec = random_tree(rng, 8, {});
  for (std::size_t i = 1; i < spec.links.size(); ++i) {
    spec.links[i].inertia.zz += 3 * (spec.links[i].inertia.xx + spec.links[i].inertia.yy);
  }
  spec.links.back().inertia.xx = -0.01;
  const Model model = build_model(spec);
  EXPECT_GE(model.plausibility_warnings().size(), 8u);
  EXPECT_TRUE(model.joints_without_inertia().empty());
  Data<> data(model);
  const Eigen::VectorXd q = random_configuration(model, rng);
  Eigen::VectorXd v(model.nv()), tau(model.nv()), a(model.nv()), back(model.nv());
  for (int i = 0; i < model.nv(); ++i) v[i] = random_number(rng, -1, 1), tau[i] = random_number(rng, -5, 5);
  forward_dynamics(model, data, q, v, tau, a);
  inverse_dynamics(model, data, q, v, a, back);
  EXPECT_LE((back - tau).cwiseAbs().maxCoeff(), 1e-9 * tau.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace verne::test
