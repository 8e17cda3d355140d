/// Laws of inverse and forward dynamics and of the parts of the bias torques.
#include "verne/dynamics/dynamics.h"

#include "support/compare.h"
#include "support/complex_step.h"
#include "support/reference.h"

namespace verne::test {
namespace {

class DynamicsLaws : public ModelTest {};
VERNE_ON_EVERY_MODEL(DynamicsLaws);

TEST_P(DynamicsLaws, ForwardUndoesInverse) {
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const Loads<double> loads = random_loads(model_, rng_, k);
    const Eigen::VectorXd tau = inverse_dynamics(model_, data_, s.q, s.v, s.a, loads);
    EXPECT_TRUE(close(forward_dynamics(model_, data_, s.q, s.v, tau, loads), s.a, kSolve));
  }
}

TEST_P(DynamicsLaws, InverseUndoesForward) {
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const Loads<double> loads = random_loads(model_, rng_, k);
    const Eigen::VectorXd a = forward_dynamics(model_, data_, s.q, s.v, s.tau, loads);
    EXPECT_TRUE(close(inverse_dynamics(model_, data_, s.q, s.v, a, loads), s.tau, kSolve));
  }
}

TEST_P(DynamicsLaws, ForwardGivesTheWrenchesOfItsMotion) {
  const State s = random_state(model_, rng_);
  const Loads<double> loads = random_loads(model_, rng_, 3);
  const auto [a, wrenches] = forward_dynamics_and_wrenches(model_, data_, s.q, s.v, s.tau, loads);
  EXPECT_TRUE(close(wrenches, inverse_dynamics_and_wrenches(model_, data_, s.q, s.v, a, loads).wrenches, kRounding));
}

TEST_P(DynamicsLaws, WrenchesDoNotChangeTheOtherResult) {
  const State s = random_state(model_, rng_);
  const Loads<double> loads = random_loads(model_, rng_, 3);
  EXPECT_EQ(inverse_dynamics(model_, data_, s.q, s.v, s.a, loads),
            inverse_dynamics_and_wrenches(model_, data_, s.q, s.v, s.a, loads).tau);
  EXPECT_EQ(forward_dynamics(model_, data_, s.q, s.v, s.tau, loads),
            forward_dynamics_and_wrenches(model_, data_, s.q, s.v, s.tau, loads).a);
}

TEST_P(DynamicsLaws, LoadsActThroughTheTransposedJacobian) {
  for (int k = 1; k <= kStates; ++k) {
    const State s = random_state(model_, rng_);
    const Loads<double> loads = random_loads(model_, rng_, k);
    const std::vector<Eigen::Isometry3d> poses = link_poses(model_, s.q);
    Eigen::VectorXd expected = inverse_dynamics(model_, data_, s.q, s.v, s.a);
    for (int i = 0; i < k; ++i) {
      const int link = link_of_site(model_, loads.sites()[i].site);
      const Eigen::Vector3d origin = poses[static_cast<std::size_t>(link)].translation();
      expected -= jacobian(model_, data_, s.q, link).transpose() * load_wrench(model_, loads, i, poses).about(origin);
    }
    EXPECT_TRUE(close(inverse_dynamics(model_, data_, s.q, s.v, s.a, loads), expected, kRounding));
  }
}

TEST_P(DynamicsLaws, BiasAndGravityAreInverseDynamicsAtZero) {
  const State s = random_state(model_, rng_);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model_.nv());
  EXPECT_EQ(bias_torques(model_, data_, s.q, s.v), inverse_dynamics(model_, data_, s.q, s.v, zero));
  EXPECT_TRUE(close(gravity_torques(model_, data_, s.q), inverse_dynamics(model_, data_, s.q, zero, zero), kRounding));
}

TEST_P(DynamicsLaws, GravityIsTheSlopeOfPotentialEnergy) {
  Data<std::complex<double>> complex_data(model_);
  const ComplexVector rest = ComplexVector::Zero(model_.nv());
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    Eigen::VectorXd slope(model_.nv());
    for (int j = 0; j < model_.nv(); ++j) {
      const ComplexVector q = stepped_configuration(model_, complex_data, s.q, Eigen::VectorXd::Unit(model_.nv(), j));
      slope[j] = derivative(whole_body_state(model_, complex_data, q, rest, rest).potential_energy);
    }
    EXPECT_TRUE(close(gravity_torques(model_, data_, s.q), slope, kComplexStep));
  }
}

TEST_P(DynamicsLaws, CoriolisMatrixGivesTheRestOfTheBias) {
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const Eigen::VectorXd bias = bias_torques(model_, data_, s.q, s.v);
    const Eigen::VectorXd rest = bias - gravity_torques(model_, data_, s.q) - friction_torques(model_, s.v);
    EXPECT_TRUE(close(coriolis_matrix(model_, data_, s.q, s.v) * s.v, rest, kRounding, largest(bias)));
  }
}

TEST_P(DynamicsLaws, CoriolisMatrixIsLinearInVelocity) {
  const State s = random_state(model_, rng_);
  const Eigen::MatrixXd C = coriolis_matrix(model_, data_, s.q, s.v);
  const Eigen::MatrixXd other = coriolis_matrix(model_, data_, s.q, s.a);
  EXPECT_TRUE(close(coriolis_matrix(model_, data_, s.q, s.v + 2 * s.a), C + 2 * other, kRounding));
}

}  // namespace
}  // namespace verne::test
