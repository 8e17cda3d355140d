/// Second derivatives of λᵀtau + Σ μᵀW by complex step of the first, and along paths.
#include "verne/dynamics/second_derivatives.h"

#include "support/compare.h"
#include "support/derivatives.h"

namespace verne::test {
namespace {

struct Weighed {
  State state;
  Loads<double> loads;
  Eigen::VectorXd lambda;
  Matrix6X<double> mu;
};
Weighed random_weighed(const Model& model, std::mt19937_64& rng) {
  return {random_state(model, rng), random_loads(model, rng, 4), random_values(rng, model.nv(), 1),
          random_wrench_weights(model, rng)};
}

class SecondDerivativesOf : public ModelTest {
 protected:
  SecondDerivatives<double> found(const Weighed& p) {
    SecondDerivatives<double> H(model_);
    for (Eigen::MatrixXd* block : {&H.qq, &H.qv, &H.qa, &H.vv}) {
      block->setConstant(std::numeric_limits<double>::quiet_NaN());
    }
    inverse_dynamics_second_derivatives(model_, data_, p.state.q, p.state.v, p.state.a, p.lambda, H, &p.loads, &p.mu);
    return H;
  }
  Eigen::VectorXd product(const Weighed& p, const Eigen::VectorXd& x) {
    Eigen::VectorXd y(3 * model_.nv());
    inverse_dynamics_hessian_product(model_, data_, p.state.q, p.state.v, p.state.a, p.lambda, x, y, &p.loads, &p.mu);
    return y;
  }
  Eigen::MatrixXd whole(const SecondDerivatives<double>& H) const {
    const int n = model_.nv();
    Eigen::MatrixXd out(3 * n, 3 * n);
    const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(n, n);
    out << H.qq, H.qv, H.qa, H.qv.transpose(), H.vv, zero, H.qa.transpose(), zero, zero;
    return out;
  }
  /// Blocks (gradient with respect to q, v, a) x (step along q, v, a) by complex step of the first derivatives.
  Eigen::MatrixXd stepped_gradient(const Weighed& p) {
    const Loads<Complex> loads = complex_loads(p.loads);
    const ComplexVector lambda = p.lambda.cast<Complex>();
    const Matrix6X<Complex> mu = p.mu.cast<Complex>();
    const auto gradient = [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& a) -> ComplexVector {
      const auto first = inverse_derivatives_of(model_, complex_data_, q, v, a, &loads);
      const auto part = [&](const Matrix<Complex>& torques, const Matrix6X<Complex>& wrenches) {
        ComplexVector sum = torques.transpose() * lambda;
        for (int j = 0; j < mu.cols(); ++j) sum += first.wrenches.joint(wrenches, j).transpose() * mu.col(j);
        return sum;
      };
      ComplexVector out(3 * model_.nv());
      out << part(first.dq, first.wrenches.dq), part(first.dv, first.wrenches.dv), part(first.dx, first.wrenches.dx);
      return out;
    };
    const Derivatives d = stepped_derivatives(model_, p.state.q, p.state.v, p.state.a, gradient);
    Eigen::MatrixXd out(3 * model_.nv(), 3 * model_.nv());
    out << d.dq, d.dv, d.dx;
    return out;
  }

  Data<Complex> complex_data_{model_};
};
VERNE_ON_EVERY_MODEL(SecondDerivativesOf);

TEST_P(SecondDerivativesOf, InverseDynamicsAreThoseOfTheFirst) {
  const Weighed p = random_weighed(model_, rng_);
  const SecondDerivatives<double> H = found(p);
  const Eigen::MatrixXd G = stepped_gradient(p);
  const int n = model_.nv();
  const auto block = [&](int i, int j) { return G.block(i * n, j * n, n, n); };
  // Steps of one rotation do not commute; the exponential chart is the mean of both orders.
  EXPECT_TRUE(close(H.qq, (block(0, 0) + block(0, 0).transpose()) / 2, kComplexStep, kSmall));
  EXPECT_TRUE(close(H.qq, H.qq.transpose(), kRounding, kSmall));
  EXPECT_TRUE(close(H.qv, block(0, 1), kComplexStep, kSmall));
  EXPECT_TRUE(close(H.qv, block(1, 0).transpose(), kComplexStep, kSmall));
  EXPECT_TRUE(close(H.qa, block(0, 2), kComplexStep, kSmall));
  EXPECT_TRUE(close(H.qa, block(2, 0).transpose(), kComplexStep, kSmall));
  EXPECT_TRUE(close(H.vv, block(1, 1), kComplexStep, kSmall));
  for (const auto& [i, j] : {std::pair(1, 2), std::pair(2, 1), std::pair(2, 2)}) EXPECT_EQ(largest(block(i, j)), 0);
  const bool straight = GetParam().name == "prismatic_chain";
  EXPECT_GT(largest(H.qa), 1e-3);  // of the moments in the joints, for straight chains
  for (const Eigen::MatrixXd* one : {&H.qq, &H.qv, &H.vv}) EXPECT_EQ(largest(*one) > 1e-3, !straight);
}

TEST_P(SecondDerivativesOf, HessianProductIsTheHessianTimesTheDirection) {
  const Weighed p = random_weighed(model_, rng_);
  const Eigen::VectorXd x = random_values(rng_, 3 * model_.nv(), 1);
  EXPECT_TRUE(close(product(p, x), whole(found(p)) * x, kRounding));
}

TEST_P(SecondDerivativesOf, TorquesAndWrenchesAddUp) {
  Weighed p = random_weighed(model_, rng_);
  const Eigen::MatrixXd both = whole(found(p));
  const Matrix6X<double> mu = p.mu;
  p.mu.setZero();
  const Eigen::MatrixXd torques = whole(found(p));
  SecondDerivatives<double> H(model_);
  inverse_dynamics_second_derivatives(model_, data_, p.state.q, p.state.v, p.state.a, p.lambda, H, &p.loads);
  EXPECT_EQ(whole(H), torques);
  p.mu = mu;
  p.lambda.setZero();
  EXPECT_TRUE(close(torques + whole(found(p)), both, kRounding));
}

// d²/dt² of λᵀtau + Σ μᵀW along q ⊕ t x_q, v + t x_v, a + t x_a: what an optimizer's line search sees.
TEST_P(SecondDerivativesOf, CurvatureAlongAPathIsTheQuadraticForm) {
  const Weighed p = random_weighed(model_, rng_);
  const Loads<Complex> loads = complex_loads(p.loads);
  const int n = model_.nv();
  const Eigen::VectorXd x = random_values(rng_, 3 * n, 1);
  const auto slope = [&](double t) {
    const auto along = [&](const Eigen::VectorXd& from, int part) {
      return ComplexVector(from.cast<Complex>() + x.segment(part * n, n).cast<Complex>() * Complex(t, kImaginaryStep));
    };
    const ComplexVector q =
        integrate(model_, complex_data_, p.state.q.cast<Complex>(), along(Eigen::VectorXd::Zero(n), 0));
    const auto [tau, wrenches] =
        inverse_dynamics_and_wrenches(model_, complex_data_, q, along(p.state.v, 1), along(p.state.a, 2), loads);
    return p.lambda.dot(derivative(tau)) + p.mu.cwiseProduct(derivative(wrenches)).sum();
  };
  const auto difference = [&](double h) { return (slope(h) - slope(-h)) / (2 * h); };
  const double curvature = (4 * difference(5e-4) - difference(1e-3)) / 3;
  EXPECT_TRUE(close(x.dot(whole(found(p)) * x), curvature, kDifference, largest(whole(found(p)))));
}

TEST_P(SecondDerivativesOf, AtRestAndAtZeroTinyAndLargeRotations) {
  Weighed p = random_weighed(model_, rng_);
  p.state.v.setZero();
  for (const double size : {0.0, 1e-9, 10.0}) {
    p.state.q = integrate(model_, data_, neutral_configuration(model_), random_values(rng_, model_.nv(), size));
    const Eigen::MatrixXd G = stepped_gradient(p), H = whole(found(p));
    EXPECT_TRUE(close(H, (G + G.transpose()) / 2, kComplexStep)) << size;
    const Eigen::VectorXd x = random_values(rng_, 3 * model_.nv(), 1);
    EXPECT_TRUE(close(product(p, x), H * x, kRounding)) << size;
  }
}

TEST(SecondDerivativesOfALargeModel, AreThoseOfTheFirst) {
  RandomTreeOptions options{.kinds = {JointType::revolute}, .chain = true};
  std::mt19937_64 rng(3);
  const Model model = build_model(random_tree(rng, 64, options));
  Data<double> data(model);
  Data<Complex> complex_data(model);
  const Weighed p = random_weighed(model, rng);
  SecondDerivatives<double> H(model);
  inverse_dynamics_second_derivatives(model, data, p.state.q, p.state.v, p.state.a, p.lambda, H);
  const auto gradient = [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& a) -> ComplexVector {
    Matrix<Complex> dq(model.nv(), model.nv()), dv = dq, da = dq;
    inverse_dynamics_derivatives(model, complex_data, q, v, a, dq, dv, da);
    return dq.transpose() * p.lambda;
  };
  const Derivatives expected = stepped_derivatives(model, p.state.q, p.state.v, p.state.a, gradient);
  EXPECT_TRUE(close(H.qq, expected.dq, kComplexStep));
  EXPECT_TRUE(close(H.qv, expected.dv, kComplexStep));
  EXPECT_TRUE(close(H.qa, expected.dx, kComplexStep));
}

}  // namespace
}  // namespace verne::test
