/// The complex instantiation is the analytic continuation of the real one.
#include "support/complex_step.h"

#include "support/compare.h"

namespace verne::test {
namespace {

class ComplexStep : public ModelTest {
 protected:
  Data<Complex> complex_data_{model_};
};
VERNE_ON_EVERY_MODEL(ComplexStep);

TEST_P(ComplexStep, RealPartsAreTheRealResults) {
  const State s = random_state(model_, rng_);
  const ComplexVector q = s.q.cast<Complex>(), v = s.v.cast<Complex>(), a = s.a.cast<Complex>();
  const ComplexVector given = s.tau.cast<Complex>();
  const auto expect_same = [](const auto& found, const auto& expected, double tolerance) {
    EXPECT_TRUE(close(found.real(), expected, tolerance));
    EXPECT_EQ(largest(found.imag()), 0);
  };
  Data<Complex>& data = complex_data_;
  expect_same(inverse_dynamics(model_, data, q, v, a), inverse_dynamics(model_, data_, s.q, s.v, s.a), kRounding);
  expect_same(forward_dynamics(model_, data, q, v, given), forward_dynamics(model_, data_, s.q, s.v, s.tau), kSolve);
  expect_same(mass_matrix(model_, data, q), mass_matrix(model_, data_, s.q), kRounding);
  expect_same(inverse_mass_matrix(model_, data, q), inverse_mass_matrix(model_, data_, s.q), kSolve);
  expect_same(coriolis_matrix(model_, data, q, v), coriolis_matrix(model_, data_, s.q, s.v), kRounding);
  const Kinematics<Complex> found = forward_kinematics(model_, data, q, v, a);
  const Kinematics<double> expected = forward_kinematics(model_, data_, s.q, s.v, s.a);
  expect_same(found.poses, expected.poses, kRounding);
  expect_same(found.velocities, expected.velocities, kRounding);
  expect_same(found.accelerations, expected.accelerations, kRounding);
  const ComplexVector step = v;
  expect_same(integrate(model_, data, q, step), integrate(model_, data_, s.q, s.v), kRounding);
}

// The error of central differences falls with h² towards the complex step, until rounding takes over.
TEST_P(ComplexStep, CentralDifferencesApproachItQuadratically) {
  const State s = random_state(model_, rng_);
  const Eigen::VectorXd direction = random_values(rng_, model_.nv(), 1);
  const ComplexVector q = stepped_configuration(model_, complex_data_, s.q, direction);
  const Eigen::VectorXd exact =
      derivative(inverse_dynamics(model_, complex_data_, q, stepped(s.v, direction), s.a.cast<Complex>()));
  const bool constant = GetParam().name == "prismatic_chain";  // no torque depends on a position or velocity
  ASSERT_EQ(largest(exact) > 0, !constant);
  const auto error = [&](double h) {
    const auto at = [&](double step) {
      const Eigen::VectorXd moved = integrate(model_, data_, s.q, step * direction);
      return inverse_dynamics(model_, data_, moved, s.v + step * direction, s.a);
    };
    return largest((at(h) - at(-h)) / (2 * h) - exact) / (constant ? 1 : largest(exact));
  };
  const double coarse = error(2e-3), fine = error(1e-3);
  EXPECT_LT(fine, 1e-2);
  if (fine > 1e-8) {  // else the function is at most quadratic here, and differences are exact
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
  }
}

}  // namespace
}  // namespace verne::test
