/// Laws that tie the mass matrix to inverse dynamics and to energy.
#include <Eigen/Cholesky>

#include "support/compare.h"
#include "support/complex_step.h"
#include "support/reference.h"

namespace verne::test {
namespace {

class MassMatrixLaws : public ModelTest {};
VERNE_ON_EVERY_MODEL(MassMatrixLaws);

TEST_P(MassMatrixLaws, ColumnsAreInverseDynamicsOfUnitAccelerations) {
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const Eigen::VectorXd bias = bias_torques(model_, data_, s.q, s.v);
    Eigen::MatrixXd columns(model_.nv(), model_.nv());
    for (int j = 0; j < model_.nv(); ++j) {
      const Eigen::VectorXd unit = Eigen::VectorXd::Unit(model_.nv(), j);
      columns.col(j) = inverse_dynamics(model_, data_, s.q, s.v, unit) - bias;
    }
    EXPECT_TRUE(close(mass_matrix(model_, data_, s.q), columns, kRounding, largest(bias)));
  }
}

TEST_P(MassMatrixLaws, IsSymmetricAndPositiveDefinite) {
  for (int k = 0; k < kStates; ++k) {
    const Eigen::MatrixXd M = mass_matrix(model_, data_, random_state(model_, rng_).q);
    EXPECT_TRUE(close(M, M.transpose(), kRounding));
    EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(M).info(), Eigen::Success);
  }
}

TEST_P(MassMatrixLaws, TimesItsInverseIsOne) {
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const Eigen::MatrixXd inverse = inverse_mass_matrix(model_, data_, s.q);
    EXPECT_EQ(inverse, inverse.transpose());
    EXPECT_TRUE(
        close(mass_matrix(model_, data_, s.q) * inverse, Eigen::MatrixXd::Identity(model_.nv(), model_.nv()), kSolve));
  }
}

TEST_P(MassMatrixLaws, GivesKineticEnergyOfLinksAndRotors) {
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const double energy = 0.5 * s.v.dot((mass_matrix(model_, data_, s.q) - rotor_matrix(model_)) * s.v);
    EXPECT_TRUE(close(whole_body_state(model_, data_, s.q, s.v, s.a).kinetic_energy, energy, kRounding));
  }
}

TEST_P(MassMatrixLaws, RateIsCoriolisMatrixPlusItsTranspose) {
  Data<std::complex<double>> complex_data(model_);
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const ComplexVector q = stepped_configuration(model_, complex_data, s.q, s.v);
    const Eigen::MatrixXd rate = derivative(mass_matrix(model_, complex_data, q));
    const Eigen::MatrixXd C = coriolis_matrix(model_, data_, s.q, s.v);
    EXPECT_TRUE(close(C + C.transpose(), rate, kComplexStep, largest(C)));
  }
}

}  // namespace
}  // namespace verne::test
