/// Energy, momentum and centre of mass as sums over the links of the specification.
#include "support/compare.h"
#include "support/complex_step.h"
#include "support/reference.h"

namespace verne::test {
namespace {

class WholeBodyLaws : public ModelTest {};
VERNE_ON_EVERY_MODEL(WholeBodyLaws);

/// The sums, link by link; what is fixed to the world does not count.
WholeBodyState<double> summed(const Model& model, const Kinematics<double>& motion) {
  double kinetic = 0, potential = 0, mass = 0;
  Eigen::Vector3d first_moment = Eigen::Vector3d::Zero(), momentum = Eigen::Vector3d::Zero();
  Eigen::Vector3d about_origin = Eigen::Vector3d::Zero(), force = Eigen::Vector3d::Zero();
  for (int i = 0; i < static_cast<int>(model.links().size()); ++i) {
    if (model.links()[static_cast<std::size_t>(i)].body < 0) continue;
    const LinkSpec& link = model.spec().links[static_cast<std::size_t>(i)];
    const Eigen::Matrix3d R = motion.rotation(i);
    const Eigen::Vector3d arm = R * to_eigen(link.com), com = motion.position(i) + arm;
    const Eigen::Vector3d w = motion.velocities.block<3, 1>(3, i);
    const Eigen::Vector3d v = motion.velocities.block<3, 1>(0, i) + w.cross(arm);
    const Eigen::Vector3d spin = R * to_eigen(link.inertia) * R.transpose() * w;
    mass += link.mass;
    kinetic += 0.5 * (link.mass * v.squaredNorm() + w.dot(spin));
    potential -= link.mass * to_eigen(model.gravity()).dot(com);
    first_moment += link.mass * com;
    momentum += link.mass * v;
    about_origin += spin + com.cross(link.mass * v);
    force += inertial_wrench(model, i, motion).force + link.mass * to_eigen(model.gravity());
  }
  const Eigen::Vector3d com = first_moment / mass;
  return {kinetic, potential, momentum, about_origin - com.cross(momentum), com, momentum / mass, force / mass};
}

TEST_P(WholeBodyLaws, IsTheSumOverAllLinks) {
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const WholeBodyState<double> found = whole_body_state(model_, data_, s.q, s.v, s.a);
    const WholeBodyState<double> expected = summed(model_, forward_kinematics(model_, data_, s.q, s.v, s.a));
    EXPECT_TRUE(close(found.kinetic_energy, expected.kinetic_energy, kRounding));
    EXPECT_TRUE(close(found.potential_energy, expected.potential_energy + spring_energy(model_, s.q), kRounding, 1));
    EXPECT_TRUE(close(found.momentum, expected.momentum, kRounding));
    EXPECT_TRUE(close(found.angular_momentum, expected.angular_momentum, kRounding, largest(expected.momentum)));
    EXPECT_TRUE(close(found.com, expected.com, kRounding, 1));
    EXPECT_TRUE(close(found.com_velocity, expected.com_velocity, kRounding));
    EXPECT_TRUE(close(found.com_acceleration, expected.com_acceleration, kRounding));
  }
}

TEST_P(WholeBodyLaws, CentreOfMassMovesWithItsVelocityAndAcceleration) {
  Data<std::complex<double>> complex_data(model_);
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const WholeBodyState<double> now = whole_body_state(model_, data_, s.q, s.v, s.a);
    const ComplexVector q = stepped_configuration(model_, complex_data, s.q, s.v);
    const auto moved = whole_body_state(model_, complex_data, q, stepped(s.v, s.a), ComplexVector::Zero(model_.nv()));
    EXPECT_TRUE(close(now.com_velocity, derivative(moved.com), kComplexStep));
    EXPECT_TRUE(close(now.com_acceleration, derivative(moved.com_velocity), kComplexStep));
  }
}

TEST_P(WholeBodyLaws, CentroidalMomentumMatrixGivesMomentum) {
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const WholeBodyState<double> body = whole_body_state(model_, data_, s.q, s.v, s.a);
    Eigen::Matrix<double, 6, 1> momentum;
    momentum << body.momentum, body.angular_momentum;
    Matrix6X<double> A(6, model_.nv());
    centroidal_momentum_matrix(model_, data_, s.q, A);
    EXPECT_TRUE(close(A * s.v, momentum, kRounding));
  }
}

}  // namespace
}  // namespace verne::test
