/// First derivatives of inverse and forward dynamics and of the wrench in every joint, by complex step.
#include "verne/dynamics/derivatives.h"

#include "support/compare.h"
#include "support/derivatives.h"

namespace verne::test {
namespace {

std::vector<ModelCase> large_model_cases() {
  const std::vector<JointType> one_degree{JointType::revolute, JointType::prismatic, JointType::helical};
  RandomTreeOptions all{.fixed_joints = true, .friction = true, .rotor_inertia = true};
  RandomTreeOptions chain = all;
  chain.kinds = one_degree;
  chain.chain = chain.coupled_joints = true;
  return {{"tree_64", 64, all},
          {"coupled_chain_64", 64, chain},
          {"plain_chain_64", 64, {.kinds = one_degree, .chain = true}}};
}

/// tau or a, then the wrenches of all joints one below the other.
ComplexVector stacked(const ComplexVector& first, const Matrix6X<Complex>& wrenches) {
  ComplexVector out(first.size() + wrenches.size());
  out << first, wrenches.reshaped();
  return out;
}

class DerivativesOf : public ModelTest {
 protected:
  /// The library's blocks of one kind against rows of `expected` in the order of stacked().
  void expect_blocks(const Eigen::MatrixXd& found, const Matrix6X<double>& wrenches, const Eigen::MatrixXd& expected,
                     double tolerance, double wrench_scale) const {
    const int n = model_.nv();
    EXPECT_TRUE(close(found, expected.topRows(n), tolerance, kSmall));
    for (int j = 0; j < static_cast<int>(model_.joints().size()); ++j) {
      EXPECT_TRUE(close(wrenches.middleCols(j * n, n), expected.middleRows(n + 6 * j, 6), tolerance, wrench_scale))
          << model_.joints()[static_cast<std::size_t>(j)].spec.name;
    }
  }

  DynamicsDerivatives<double> expect_inverse(const State& s, const Loads<double>& loads) {
    const Loads<Complex> same = complex_loads(loads);
    const auto f = [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& a) {
      const auto [tau, wrenches] = inverse_dynamics_and_wrenches(model_, complex_data_, q, v, a, same);
      return stacked(tau, wrenches);
    };
    const auto found = inverse_derivatives_of(model_, data_, s.q, s.v, s.a, &loads);
    const Derivatives expected = stepped_derivatives(model_, s.q, s.v, s.a, f);
    expect_blocks(found.dq, found.wrenches.dq, expected.dq, kComplexStep, kSmall);
    expect_blocks(found.dv, found.wrenches.dv, expected.dv, kComplexStep, kSmall);
    expect_blocks(found.dx, found.wrenches.dx, expected.dx, kComplexStep, kSmall);
    return found;
  }
  DynamicsDerivatives<double> expect_forward(const State& s, const Loads<double>& loads) {
    const Loads<Complex> same = complex_loads(loads);
    const auto f = [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& tau) {
      const auto [a, wrenches] = forward_dynamics_and_wrenches(model_, complex_data_, q, v, tau, same);
      return stacked(a, wrenches);
    };
    const auto found = forward_derivatives_of(model_, data_, s.q, s.v, s.tau, &loads);
    const Derivatives expected = stepped_derivatives(model_, s.q, s.v, s.tau, f);
    const double tolerance =
        kComplexStep + kSolvePerCondition * mass_matrix(model_, data_, s.q).norm() * found.dx.norm();
    // The wrench of a free joint is tau itself: parts as large as those at given a cancel there. What tau does to the
    // root of a chain is a sum of ∂W/∂a M⁻¹ that nearly vanishes.
    const Eigen::VectorXd a = forward_dynamics(model_, data_, s.q, s.v, s.tau, loads);
    const auto parts = inverse_derivatives_of(model_, data_, s.q, s.v, a, &loads);
    expect_blocks(found.dq, found.wrenches.dq, expected.dq, tolerance, largest(parts.wrenches.dq));
    expect_blocks(found.dv, found.wrenches.dv, expected.dv, tolerance, largest(parts.wrenches.dv));
    double terms = kSmall;
    for (std::size_t j = 0; j < model_.joints().size(); ++j) {
      const auto by_a = parts.wrenches.dx.middleCols(static_cast<Eigen::Index>(j) * model_.nv(), model_.nv());
      terms = std::max(terms, largest(by_a.cwiseAbs() * found.dx.cwiseAbs()));
    }
    expect_blocks(found.dx, found.wrenches.dx, expected.dx, tolerance, terms);
    return found;
  }

  Data<Complex> complex_data_{model_};
};
VERNE_ON_EVERY_MODEL(DerivativesOf);
INSTANTIATE_TEST_SUITE_P(LargeModels, DerivativesOf, testing::ValuesIn(large_model_cases()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(DerivativesOf, InverseDynamics) {
  const State s = random_state(model_, rng_);
  const auto found = expect_inverse(s, random_loads(model_, rng_, 6));
  const bool straight = GetParam().name == "prismatic_chain";  // no torque depends on where it is or how fast
  EXPECT_EQ(largest(found.dq) > 1e-3, !straight);
  EXPECT_EQ(largest(found.dv) > 1e-3, !straight);
  EXPECT_GT(largest(found.dx), 1e-3);
  EXPECT_GT(largest(found.wrenches.dq), 1e-3);
  EXPECT_EQ(largest(found.wrenches.dv) > 1e-3, !straight);
  EXPECT_GT(largest(found.wrenches.dx), 1e-3);
}

TEST_P(DerivativesOf, ForwardDynamics) {
  const State s = random_state(model_, rng_);
  const auto found = expect_forward(s, random_loads(model_, rng_, 6));
  EXPECT_GT(largest(found.dx), 1e-3);
  EXPECT_GT(largest(found.wrenches.dx), 1e-3);
}

TEST_P(DerivativesOf, DynamicsAtRestAndWithoutAcceleration) {
  const Loads<double> none;
  State s = random_state(model_, rng_);
  s.a.setZero();
  expect_inverse(s, none);
  s.v.setZero();
  expect_inverse(s, none);
  expect_forward(s, none);
  s.a = random_values(rng_, model_.nv(), 5);
  expect_inverse(s, none);
}

TEST_P(DerivativesOf, DynamicsAtZeroTinyAndLargeRotations) {
  const Loads<double> loads = random_loads(model_, rng_, 2);
  State s = random_state(model_, rng_);
  for (const double size : {0.0, 1e-9, 10.0}) {
    SCOPED_TRACE(size);
    s.q = integrate(model_, data_, neutral_configuration(model_), random_values(rng_, model_.nv(), size));
    expect_inverse(s, loads);
    expect_forward(s, loads);
  }
}

TEST_P(DerivativesOf, TheThirdArgumentAreTheMassMatrixAndItsInverse) {
  const State s = random_state(model_, rng_);
  EXPECT_TRUE(
      close(inverse_derivatives_of(model_, data_, s.q, s.v, s.a).dx, mass_matrix(model_, data_, s.q), kRounding));
  const Eigen::MatrixXd inverse = inverse_mass_matrix(model_, data_, s.q);
  const double condition = mass_matrix(model_, data_, s.q).norm() * inverse.norm();
  EXPECT_TRUE(close(forward_derivatives_of(model_, data_, s.q, s.v, s.tau).dx, inverse,
                    kRounding + condition * kSolvePerCondition));
}

TEST_P(DerivativesOf, TorquesAreTheSameWithoutThoseOfWrenches) {
  const State s = random_state(model_, rng_);
  const Loads<double> loads = random_loads(model_, rng_, 3);
  Eigen::VectorXd a(model_.nv());
  DynamicsDerivatives<double> alone(model_);
  inverse_dynamics_derivatives(model_, data_, s.q, s.v, s.a, alone.dq, alone.dv, alone.dx, &loads);
  const auto inverse = inverse_derivatives_of(model_, data_, s.q, s.v, s.a, &loads);
  EXPECT_TRUE(alone.dq == inverse.dq && alone.dv == inverse.dv && alone.dx == inverse.dx);
  forward_dynamics_derivatives(model_, data_, s.q, s.v, s.tau, a, alone.dq, alone.dv, alone.dx, &loads);
  const auto forward = forward_derivatives_of(model_, data_, s.q, s.v, s.tau, &loads);
  EXPECT_TRUE(alone.dq == forward.dq && alone.dv == forward.dv && alone.dx == forward.dx);
  const double condition = mass_matrix(model_, data_, s.q).norm() * forward.dx.norm();
  EXPECT_TRUE(
      close(a, forward_dynamics(model_, data_, s.q, s.v, s.tau, loads), kRounding + condition * kSolvePerCondition));
}

// Loads take another way through the kernel.
TEST_P(DerivativesOf, ForwardDynamicsAreTheSameWithALoadOfZero) {
  const State s = random_state(model_, rng_);
  Loads<double> nothing;
  nothing.add(
      {.frame = static_cast<int>(model_.links().size()) - 1, .point = Eigen::Vector3d::Ones(), .at = At::world});
  const auto with = forward_derivatives_of(model_, data_, s.q, s.v, s.tau, &nothing);
  const auto without = forward_derivatives_of(model_, data_, s.q, s.v, s.tau);
  EXPECT_TRUE(close(with.dq, without.dq, kRounding, kSmall));
  EXPECT_TRUE(close(with.dv, without.dv, kRounding, kSmall));
  EXPECT_TRUE(close(with.dx, without.dx, kRounding, kSmall));
}

// The error of central differences falls with h².
TEST(DerivativesOfTheRichModel, AreApproachedByCentralDifferencesQuadratically) {
  const Model model = rich_model();
  Data<double> data(model);
  std::mt19937_64 rng(8);
  const State s = random_state(model, rng);
  const Eigen::VectorXd direction = random_values(rng, model.nv(), 1);
  const auto inverse = inverse_derivatives_of(model, data, s.q, s.v, s.a);
  const auto forward = forward_derivatives_of(model, data, s.q, s.v, s.tau);
  const auto error = [&](double h) {
    const auto tau = [&](double t) {
      return inverse_dynamics(model, data, integrate(model, data, s.q, t * direction), s.v + t * direction, s.a);
    };
    const auto a = [&](double t) {
      return forward_dynamics(model, data, integrate(model, data, s.q, t * direction), s.v + t * direction, s.tau);
    };
    return Eigen::Vector2d(largest((tau(h) - tau(-h)) / (2 * h) - (inverse.dq + inverse.dv) * direction),
                           largest((a(h) - a(-h)) / (2 * h) - (forward.dq + forward.dv) * direction));
  };
  const Eigen::Vector2d coarse = error(2e-3), fine = error(1e-3);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(std::log2(coarse[k] / fine[k]), 2, 0.2);
}

// A model may have nothing that moves.
TEST(DerivativesOfAStatue, AreEmpty) {
  std::mt19937_64 rng(1);
  const Model model = build_model(random_tree(rng, 3, {.kinds = {JointType::fixed}}));
  Data<double> data(model);
  const Eigen::VectorXd none(0);
  EXPECT_EQ(inverse_derivatives_of(model, data, none, none, none).wrenches.dq.size(), 0);
  EXPECT_EQ(forward_derivatives_of(model, data, none, none, none).dx.size(), 0);
}

}  // namespace
}  // namespace verne::test
