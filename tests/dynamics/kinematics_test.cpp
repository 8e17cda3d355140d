/// Poses against the specification, everything else against complex steps of poses along the motion.
#include "verne/dynamics/kinematics.h"

#include "support/compare.h"
#include "support/complex_step.h"
#include "support/reference.h"

namespace verne::test {
namespace {

class KinematicsLaws : public ModelTest {
 protected:
  Data<Complex> complex_data_{model_};
};
VERNE_ON_EVERY_MODEL(KinematicsLaws);

/// w with Ṙ Rᵀ = [w]
Eigen::Vector3d angular_velocity(const Eigen::Matrix3d& R_rate, const Eigen::Matrix3d& R) {
  const Eigen::Matrix3d W = R_rate * R.transpose();
  return {W(2, 1), W(0, 2), W(1, 0)};
}

TEST_P(KinematicsLaws, PosesFollowTheSpecification) {
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    Kinematics<double> found(model_);
    forward_kinematics(model_, data_, s.q, found);
    const std::vector<Eigen::Isometry3d> links = link_poses(model_, s.q);
    for (int site = 0; site < model_.site_count(); ++site) {
      Eigen::Isometry3d expected;
      if (const auto index = static_cast<std::size_t>(site); index < links.size()) {
        expected = links[index];
      } else {
        const FrameSpec& frame = model_.frames()[index - links.size()];
        expected = links[static_cast<std::size_t>(model_.link(frame.link))] * to_eigen(frame.X_LF);
      }
      EXPECT_TRUE(close(found.position(site), expected.translation(), kRounding, 1)) << model_.site_name(site);
      EXPECT_TRUE(close(found.rotation(site), expected.linear(), kRounding)) << model_.site_name(site);
    }
  }
}

TEST_P(KinematicsLaws, VelocitiesAreRatesOfPoses) {
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const Kinematics<double> now = forward_kinematics(model_, data_, s.q, s.v, s.a);
    Kinematics<Complex> moved(model_);
    forward_kinematics(model_, complex_data_, stepped_configuration(model_, complex_data_, s.q, s.v), moved);
    Matrix6X<double> rates(6, model_.site_count());
    for (int site = 0; site < model_.site_count(); ++site) {
      rates.col(site) << derivative(moved.position(site)),
          angular_velocity(derivative(moved.rotation(site)), now.rotation(site));
    }
    EXPECT_TRUE(close(now.velocities, rates, kComplexStep));
  }
}

TEST_P(KinematicsLaws, AccelerationsAreRatesOfVelocities) {
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const ComplexVector q = stepped_configuration(model_, complex_data_, s.q, s.v);
    const Kinematics<Complex> moved =
        forward_kinematics(model_, complex_data_, q, stepped(s.v, s.a), ComplexVector::Zero(model_.nv()));
    EXPECT_TRUE(close(forward_kinematics(model_, data_, s.q, s.v, s.a).accelerations, derivative(moved.velocities),
                      kComplexStep));
  }
}

TEST_P(KinematicsLaws, JacobianColumnsAreVelocitiesOfUnitRates) {
  const State s = random_state(model_, rng_);
  for (int site = 0; site < model_.site_count(); ++site) {
    Matrix6X<double> expected(6, model_.nv());
    for (int j = 0; j < model_.nv(); ++j) {
      const Eigen::VectorXd unit = Eigen::VectorXd::Unit(model_.nv(), j);
      expected.col(j) = forward_kinematics(model_, data_, s.q, unit, s.a).velocities.col(site);
    }
    EXPECT_TRUE(close(jacobian(model_, data_, s.q, site), expected, kRounding)) << model_.site_name(site);
  }
}

TEST_P(KinematicsLaws, JacobianRateIsTheRateOfTheJacobian) {
  const State s = random_state(model_, rng_);
  const ComplexVector q = stepped_configuration(model_, complex_data_, s.q, s.v);
  const Kinematics<double> motion = forward_kinematics(model_, data_, s.q, s.v, s.a);
  for (int site = 0; site < model_.site_count(); ++site) {
    Matrix6X<double> J(6, model_.nv()), rate(6, model_.nv());
    jacobian_and_rate(model_, data_, s.q, s.v, site, J, rate);
    EXPECT_EQ(J, jacobian(model_, data_, s.q, site));
    EXPECT_TRUE(close(rate, derivative(jacobian(model_, complex_data_, q, site)), kComplexStep, largest(J)));
    EXPECT_TRUE(close(J * s.a + rate * s.v, motion.accelerations.col(site), kRounding, largest(J * s.a)));
  }
}

}  // namespace
}  // namespace verne::test
