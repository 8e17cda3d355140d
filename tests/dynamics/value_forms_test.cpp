/// Value forms give what the in-place functions give, bit for bit; maps of batches show what get() shows.
#include "dynamics/hybrid.h"
#include "support/states.h"
#include "verne/dynamics/batch_derivatives.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/control_terms.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/dynamics/motion_derivatives.h"
#include "verne/dynamics/regressor.h"
#include "verne/dynamics/second_derivatives.h"

namespace verne::test {
namespace {

// Rows of loads and poses have names.
TEST(BatchRows, OfLoads) {
  const Model model = rich_model();
  Batch batch(model, 2);
  Loads<double> loads;
  loads.add({.frame = 1, .force = {1, 2, 3}, .moment = {4, 5, 6}, .point = {7, 8, 9}});
  loads.add({.frame = 2, .force = {10, 11, 12}});
  batch.set_loads(loads);
  const Eigen::VectorXd rows = batch.load_values.get(1);
  EXPECT_EQ(rows.segment<3>(kLoadForce), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(rows.segment<3>(kLoadMoment), Eigen::Vector3d(4, 5, 6));
  EXPECT_EQ(rows.segment<3>(kLoadPoint), Eigen::Vector3d(7, 8, 9));
  EXPECT_EQ(rows.segment<3>(kLoadRows + kLoadForce), Eigen::Vector3d(10, 11, 12));
}

class ValueForms : public testing::Test {
 protected:
  Model model_ = rich_model();
  Data<double> data_{model_};
  std::mt19937_64 rng_{3};
  State s_ = random_state(model_, rng_);
  Loads<double> loads_ = random_loads(model_, rng_, 2);
  int n_ = model_.nv();
};

TEST_F(ValueForms, OfDynamics) {
  Eigen::VectorXd x(n_);
  Matrix6X<double> wrenches(6, static_cast<Eigen::Index>(model_.joints().size()));
  inverse_dynamics(model_, data_, s_.q, s_.v, s_.a, x, &loads_, &wrenches);
  EXPECT_EQ(inverse_dynamics(model_, data_, s_.q, s_.v, s_.a, loads_), x);
  EXPECT_EQ(inverse_dynamics_and_wrenches(model_, data_, s_.q, s_.v, s_.a, loads_).wrenches, wrenches);
  inverse_dynamics(model_, data_, s_.q, s_.v, s_.a, x);
  EXPECT_EQ(inverse_dynamics(model_, data_, s_.q, s_.v, s_.a), x);
  forward_dynamics(model_, data_, s_.q, s_.v, s_.tau, x, &loads_, &wrenches);
  EXPECT_EQ(forward_dynamics_and_wrenches(model_, data_, s_.q, s_.v, s_.tau, loads_).wrenches, wrenches);
  EXPECT_EQ(forward_dynamics_and_wrenches(model_, data_, s_.q, s_.v, s_.tau, loads_).a, x);
  bias_torques(model_, data_, s_.q, s_.v, x);
  EXPECT_EQ(bias_torques(model_, data_, s_.q, s_.v), x);
  gravity_torques(model_, data_, s_.q, x);
  EXPECT_EQ(gravity_torques(model_, data_, s_.q), x);
  Eigen::MatrixXd matrix(n_, n_);
  mass_matrix(model_, data_, s_.q, matrix);
  EXPECT_EQ(mass_matrix(model_, data_, s_.q), matrix);
  inverse_mass_matrix(model_, data_, s_.q, matrix);
  EXPECT_EQ(inverse_mass_matrix(model_, data_, s_.q), matrix);
  coriolis_matrix(model_, data_, s_.q, s_.v, matrix);
  EXPECT_EQ(coriolis_matrix(model_, data_, s_.q, s_.v), matrix);
  Matrix6X<double> A(6, n_);
  centroidal_momentum_matrix(model_, data_, s_.q, A);
  EXPECT_EQ(centroidal_momentum_matrix(model_, data_, s_.q), A);
}

TEST_F(ValueForms, OfDerivatives) {
  Eigen::MatrixXd dq(n_, n_), dv(n_, n_), dx(n_, n_);
  Eigen::VectorXd a(n_);
  WrenchDerivatives<double> wrenches(model_);
  inverse_dynamics_derivatives(model_, data_, s_.q, s_.v, s_.a, dq, dv, dx, &loads_, &wrenches);
  const auto dtau = inverse_dynamics_derivatives(model_, data_, s_.q, s_.v, s_.a, loads_);
  EXPECT_TRUE(dtau.dq == dq && dtau.dv == dv && dtau.da == dx);
  EXPECT_EQ(joint_wrench_derivatives(model_, data_, s_.q, s_.v, s_.a, loads_).dq, wrenches.dq);
  forward_dynamics_derivatives(model_, data_, s_.q, s_.v, s_.tau, a, dq, dv, dx, &loads_);
  const auto da = forward_dynamics_derivatives(model_, data_, s_.q, s_.v, s_.tau, loads_);
  EXPECT_TRUE(da.a == a && da.dq == dq && da.dv == dv && da.dtau == dx);
  SecondDerivatives<double> second(model_);
  inverse_dynamics_second_derivatives(model_, data_, s_.q, s_.v, s_.a, s_.tau, second, &loads_);
  EXPECT_EQ(inverse_dynamics_second_derivatives(model_, data_, s_.q, s_.v, s_.a, s_.tau, loads_).qq, second.qq);
  const int site = model_.site_count() - 1;
  SiteDerivatives<double> motion(model_);
  site_derivatives(model_, data_, s_.q, s_.v, s_.a, site, motion);
  EXPECT_EQ(site_derivatives(model_, data_, s_.q, s_.v, s_.a, site).acceleration_dq, motion.acceleration_dq);
  CentroidalDerivatives<double> whole(model_);
  centroidal_derivatives(model_, data_, s_.q, s_.v, s_.a, whole);
  EXPECT_EQ(centroidal_derivatives(model_, data_, s_.q, s_.v, s_.a).rate_dq, whole.rate_dq);
  Eigen::MatrixXd Y(n_, parameter_count(model_)), by_loads(n_, 18);
  regressor(model_, data_, s_.q, s_.v, s_.a, Y);
  EXPECT_EQ(regressor(model_, data_, s_.q, s_.v, s_.a), Y);
  load_derivatives(model_, data_, s_.q, loads_, by_loads);
  EXPECT_EQ(load_derivatives(model_, data_, s_.q, loads_), by_loads);
  forward_load_derivatives(model_, data_, s_.q, loads_, by_loads);
  EXPECT_EQ(forward_load_derivatives(model_, data_, s_.q, loads_), by_loads);
}

TEST_F(ValueForms, OfHybridDynamics) {
  const GivenAccelerations given = GivenAccelerations::of_all(model_);
  Eigen::VectorXd a = s_.a, tau = s_.tau;
  Matrix6X<double> wrenches(6, static_cast<Eigen::Index>(model_.joints().size()));
  hybrid_dynamics(model_, data_, given, s_.q, s_.v, a, tau, &loads_, &wrenches);
  const HybridMotion<double> motion = hybrid_motion(model_, data_, given, s_.q, s_.v, s_.a, s_.tau, loads_);
  EXPECT_TRUE(motion.a == a && motion.tau == tau && motion.wrenches == wrenches);
  Eigen::MatrixXd dq(n_, n_), dv(n_, n_), dgiven(n_, n_);
  hybrid_dynamics_derivatives(model_, data_, given, s_.q, s_.v, a, tau, dq, dv, dgiven, &loads_);
  const auto d = hybrid_dynamics_derivatives(model_, data_, given, s_.q, s_.v, s_.a, s_.tau, loads_);
  EXPECT_TRUE(d.a == a && d.tau == tau && d.dq == dq && d.dv == dv && d.dgiven == dgiven);
}

TEST_F(ValueForms, OfKinematicsAndSteps) {
  const int site = model_.site_count() - 1;
  const auto [J, rate] = jacobian_and_rate(model_, data_, s_.q, s_.v, site);
  EXPECT_EQ(J, jacobian(model_, data_, s_.q, site));
  const Kinematics<double> all = forward_kinematics(model_, data_, s_.q, s_.v, s_.a);
  EXPECT_EQ(all.poses, forward_kinematics(model_, data_, s_.q).poses);
  EXPECT_TRUE((J * s_.a + rate * s_.v).isApprox(all.accelerations.col(site), 1e-10));
  const std::vector<int> sites{site, 0};
  const ControlTerms<double> terms = control_terms(model_, data_, s_.q, s_.v, sites);
  EXPECT_TRUE(terms.jacobian(0).isApprox(J, 1e-12));
  EXPECT_TRUE(terms.drifts.col(0).isApprox(rate * s_.v, 1e-10));
  EXPECT_TRUE(terms.position(1).isApprox(all.position(0), 1e-12));
  EXPECT_TRUE(terms.rotation(0).isApprox(all.rotation(site), 1e-12));
  const Eigen::VectorXd moved = integrate(model_, data_, s_.q, s_.v);
  EXPECT_TRUE(difference(model_, data_, s_.q, interpolate(model_, data_, s_.q, moved, 0.25))
                  .isApprox(0.25 * difference(model_, data_, s_.q, moved), 1e-10));
}

TEST_F(ValueForms, MapsOfBatches) {
  Batch batch(model_, 5);
  for (int k = 0; k < 5; ++k) {
    const State s = random_state(model_, rng_);
    batch.q.column(k) = s.q;
    batch.v.set(k, s.v);
  }
  batch.set_loads(loads_);
  BatchDerivatives dtau;
  inverse_dynamics(model_, batch);
  inverse_dynamics_derivatives(model_, batch, dtau);
  for (int k = 0; k < 5; ++k) {
    const Eigen::VectorXd q = batch.q.get(k), v = batch.v.get(k), a = batch.a.get(k);
    EXPECT_TRUE(batch.tau.column(k).isApprox(inverse_dynamics(model_, data_, q, v, a, loads_), 1e-12));
    const auto single = inverse_dynamics_derivatives(model_, data_, q, v, a, loads_);
    EXPECT_TRUE(dtau.dq.matrix(k, n_).isApprox(single.dq, 1e-10));
    EXPECT_EQ(std::as_const(dtau.dx).matrix(k, n_)(1, 2), dtau.dx(2 * n_ + 1, k));
  }
  forward_kinematics(model_, batch);
  const int site = model_.site_count() - 1;
  const Kinematics<double> one = forward_kinematics(model_, data_, batch.q.get(3));
  const auto pose = batch.poses.column(3).segment(kPoseRows * site, kPoseRows);
  EXPECT_TRUE(pose.segment(kPosePosition, 3).isApprox(one.position(site), 1e-12));
  EXPECT_TRUE(pose.segment(kPoseRotation, 9).reshaped<Eigen::RowMajor>(3, 3).isApprox(one.rotation(site), 1e-12));
  whole_body_state(model_, batch);
  EXPECT_TRUE(batch.whole_body.column(4)
                  .segment(kComVelocity, 3)
                  .isApprox(batch.whole_body.column(4).segment(kMomentum, 3) / model_.moving_mass(), 1e-10));
}

}  // namespace
}  // namespace verne::test
