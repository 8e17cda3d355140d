/// Derivatives of the motion of links, frames and points, of the centre of mass and of the momentum, by complex step.
#include "verne/dynamics/motion_derivatives.h"

#include "support/compare.h"
#include "support/derivatives.h"

namespace verne::test {
namespace {

class MotionDerivatives : public ModelTest {
 protected:
  /// Position and rotation matrix, velocity and acceleration of a point of a site: 3 + 9 + 6 + 6 values.
  ComplexVector motion_of(int site, const Eigen::Vector3d& point, const ComplexVector& q, const ComplexVector& v,
                          const ComplexVector& a) {
    const Kinematics<Complex> k = forward_kinematics(model_, complex_data_, q, v, a);
    const Eigen::Matrix3cd R = k.rotation(site);
    const Eigen::Vector3cd arm = R * point, w = k.velocities.col(site).tail(3), dw = k.accelerations.col(site).tail(3);
    // Written out: cross() of Eigen conjugates.
    const auto cross = [](const Eigen::Vector3cd& x, const Eigen::Vector3cd& y) {
      return Eigen::Vector3cd(x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]);
    };
    ComplexVector out(24);
    out << k.position(site) + arm, R.reshaped(), k.velocities.col(site).head(3) + cross(w, arm), w,
        k.accelerations.col(site).head(3) + cross(dw, arm) + cross(w, cross(w, arm)), dw;
    return out;
  }
  /// The rotation vector of each column's change of R, in world axes: [ω] = ΔR Rᵀ.
  static Eigen::MatrixXd turned(const Eigen::MatrixXd& dR, const Eigen::Matrix3d& R) {
    Eigen::MatrixXd out(3, dR.cols());
    for (Eigen::Index k = 0; k < dR.cols(); ++k) {
      const Eigen::Matrix3d W = dR.col(k).reshaped(3, 3) * R.transpose();
      out.col(k) << W(2, 1), W(0, 2), W(1, 0);
    }
    return out;
  }
  ComplexVector momentum_of(const ComplexVector& q, const ComplexVector& v, const ComplexVector& a) {
    const WholeBodyState<Complex> body = whole_body_state(model_, complex_data_, q, v, a);
    ComplexVector out(9);
    out << body.com, body.momentum, body.angular_momentum;
    return out;
  }

  Data<Complex> complex_data_{model_};
};
VERNE_ON_EVERY_MODEL(MotionDerivatives);

TEST_P(MotionDerivatives, OfEverySite) {
  const State s = random_state(model_, rng_);
  const Kinematics<double> now = forward_kinematics(model_, data_, s.q, s.v, s.a);
  for (int site = 0; site < model_.site_count(); ++site) {
    SCOPED_TRACE(model_.site_name(site));
    const bool at_origin = site % 2 == 0;
    const Eigen::Vector3d point = random_values(rng_, 3, at_origin ? 0 : 0.5);
    const Derivatives expected = stepped_derivatives(
        model_, s.q, s.v, s.a, [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& a) {
          return motion_of(site, point, q, v, a);
        });
    SiteDerivatives<double> found(model_);
    for (Matrix6X<double>* block : {&found.J, &found.velocity_dq, &found.acceleration_dq, &found.acceleration_dv}) {
      block->setConstant(std::numeric_limits<double>::quiet_NaN());
    }
    site_derivatives(model_, data_, s.q, s.v, s.a, site, found, at_origin ? nullptr : &point);
    Eigen::MatrixXd pose(6, model_.nv());
    pose << expected.dq.topRows(3), turned(expected.dq.middleRows(3, 9), now.rotation(site));
    EXPECT_TRUE(close(found.J, pose, kComplexStep, 1));
    EXPECT_TRUE(close(found.J, expected.dv.middleRows(12, 6), kComplexStep, 1));
    EXPECT_TRUE(close(found.J, expected.dx.bottomRows(6), kComplexStep, 1));
    EXPECT_TRUE(close(found.velocity_dq, expected.dq.middleRows(12, 6), kComplexStep, 1));
    EXPECT_TRUE(close(found.acceleration_dq, expected.dq.bottomRows(6), kComplexStep, 1));
    EXPECT_TRUE(close(found.acceleration_dv, expected.dv.bottomRows(6), kComplexStep, 1));
  }
}

TEST_P(MotionDerivatives, OfSitesAtZeroTinyAndLargeRotations) {
  State s = random_state(model_, rng_);
  const int site = model_.site_count() - 1;
  for (const double size : {0.0, 1e-9, 10.0}) {
    s.q = integrate(model_, data_, neutral_configuration(model_), random_values(rng_, model_.nv(), size));
    const Derivatives expected = stepped_derivatives(
        model_, s.q, s.v, s.a, [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& a) {
          return motion_of(site, Eigen::Vector3d::Zero(), q, v, a);
        });
    SiteDerivatives<double> found(model_);
    site_derivatives(model_, data_, s.q, s.v, s.a, site, found);
    EXPECT_TRUE(close(found.velocity_dq, expected.dq.middleRows(12, 6), kComplexStep, 1)) << size;
    EXPECT_TRUE(close(found.acceleration_dq, expected.dq.bottomRows(6), kComplexStep, 1)) << size;
    EXPECT_TRUE(close(found.acceleration_dv, expected.dv.bottomRows(6), kComplexStep, 1)) << size;
  }
}

TEST_P(MotionDerivatives, OfCentreOfMassAndMomentum) {
  const State s = random_state(model_, rng_);
  const Derivatives expected = stepped_derivatives(
      model_, s.q, s.v, s.a,
      [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& a) { return momentum_of(q, v, a); });
  CentroidalDerivatives<double> found(model_);
  centroidal_derivatives(model_, data_, s.q, s.v, s.a, found);
  EXPECT_TRUE(close(found.com_dq, expected.dq.topRows(3), kComplexStep));
  EXPECT_TRUE(close(found.momentum_dq, expected.dq.bottomRows(6), kComplexStep, 1));
  EXPECT_TRUE(close(found.momentum_dv, expected.dv.bottomRows(6), kComplexStep));
  EXPECT_GT(largest(found.com_dq), 1e-3);
}

// The rate of momentum is ∂h/∂q v + ∂h/∂v a, of which the centre of mass has the linear part.
TEST_P(MotionDerivatives, OfTheRateOfMomentum) {
  const State s = random_state(model_, rng_);
  const auto rate = [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& a) -> ComplexVector {
    CentroidalDerivatives<Complex> d(model_);
    centroidal_derivatives(model_, complex_data_, q, v, a, d);
    return d.momentum_dq * v + d.momentum_dv * a;
  };
  const Eigen::VectorXd now = rate(s.q.cast<Complex>(), s.v.cast<Complex>(), s.a.cast<Complex>()).real();
  const WholeBodyState<double> body = whole_body_state(model_, data_, s.q, s.v, s.a);
  EXPECT_TRUE(close(now.head(3), model_.moving_mass() * body.com_acceleration, kRounding));
  const Derivatives expected = stepped_derivatives(model_, s.q, s.v, s.a, rate);
  CentroidalDerivatives<double> found(model_);
  centroidal_derivatives(model_, data_, s.q, s.v, s.a, found);
  EXPECT_TRUE(close(found.rate_dq, expected.dq, kComplexStep, 1));
  EXPECT_TRUE(close(found.rate_dv, expected.dv, kComplexStep, 1));
  EXPECT_TRUE(close(found.momentum_dv, expected.dx, kComplexStep));
}

}  // namespace
}  // namespace verne::test
