#include "formulations/lie.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "formulations/formulation_support.h"
#include "formulations/lie_support.h"
#include "formulations/lie_two_link.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

class Lie : public testing::TestWithParam<Case> {
 protected:
  Model model_ = one_axis_model(GetParam(), {JointType::revolute, JointType::prismatic, JointType::helical});
  fm::ScrewTree tree_ = *fm::screw_tree_of(model_);
  Data<double> data_{model_};
  std::mt19937_64 rng_{5};
  State s_ = random_state(model_, rng_);
  fm::LieState<double> state_{span_of(s_.q), span_of(s_.v), span_of(s_.a)};
};
INSTANTIATE_TEST_SUITE_P(Models, Lie, testing::ValuesIn(one_axis_cases()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(Lie, TorquesAndWrenchesOfBothForms) {
  const auto [tau, wrenches] = inverse_dynamics_and_wrenches(model_, data_, s_.q, s_.v, s_.a);
  for (const auto& out : {fm::lie_dynamics(tree_, state_), fm::lie_dynamics_expanded(tree_, state_)}) {
    EXPECT_TRUE(close(eigen(out.tau), tau, kAgreement));
    expect_wrenches(model_, wrenches, kAgreement, [&](int body) {
      const auto i = static_cast<std::size_t>(body + 1);
      return fm::lie_wrench(tree_.links[i], out.F[i]);
    });
  }
}

TEST_P(Lie, MatricesAndTerms) {
  const Eigen::MatrixXd M = fm::lie_mass_matrix<double>(tree_, state_.theta);
  EXPECT_TRUE(close(M, mass_matrix(model_, data_, s_.q), kAgreement));
  const Eigen::VectorXd gravity = fm::lie_gravity<double>(tree_, state_.theta);
  EXPECT_TRUE(close(gravity, gravity_torques(model_, data_, s_.q), kAgreement));
  const Eigen::VectorXd tau = inverse_dynamics(model_, data_, s_.q, s_.v, s_.a);
  const auto terms = fm::lie_terms(tree_, state_);
  EXPECT_TRUE(close(terms.inertia, M * s_.a, kAgreement, kSmall));
  EXPECT_TRUE(close(terms.inertia + terms.velocity + terms.gravity, tau, kAgreement));
  // Orders of the parts in θ̇: double the speed and the velocity part is fourfold.
  const Eigen::VectorXd twice = 2 * s_.v;
  const auto faster = fm::lie_terms<double>(tree_, {state_.theta, span_of(twice), state_.acceleration});
  EXPECT_TRUE(close(faster.velocity, 4 * terms.velocity, kAgreement, kSmall));
  const Eigen::MatrixXd coriolis = fm::lie_coriolis_matrix<double>(tree_, state_.theta, state_.rate);
  EXPECT_TRUE(close(coriolis * s_.v, terms.velocity, kAgreement, std::max(kSmall, largest(coriolis))));
}

/// Section 11, with Ṁ by complex step along θ̇.
TEST_P(Lie, PropertiesOfTheMatrices) {
  const Eigen::MatrixXd M = fm::lie_mass_matrix<double>(tree_, state_.theta);
  const Eigen::MatrixXd coriolis = fm::lie_coriolis_matrix<double>(tree_, state_.theta, state_.rate);
  const ComplexVector moved = stepped(s_.q, s_.v);
  const Eigen::MatrixXd M_dot = derivative(fm::lie_mass_matrix<Complex>(tree_, span_of(moved)));
  const double scale = std::max(kSmall, largest(M_dot));
  EXPECT_TRUE(close(M, M.transpose(), kAgreement));
  EXPECT_EQ(M.llt().info(), Eigen::Success);
  EXPECT_TRUE(close(M_dot, coriolis + coriolis.transpose(), kAgreement, scale));
  const Eigen::MatrixXd skew = M_dot - 2 * coriolis;
  EXPECT_TRUE(close(skew, -skew.transpose(), kAgreement, scale));
  EXPECT_TRUE(close(s_.v.dot(skew * s_.v), 0.0, kAgreement, scale * s_.v.squaredNorm()));
  // Energy: θ̇ᵀ τ is the rate of ½ θ̇ᵀ M θ̇ + V, and the gravity part is ∂V/∂θ.
  const Eigen::VectorXd tau = eigen(fm::lie_dynamics(tree_, state_).tau);
  const double kinetic_rate = s_.v.dot(M * s_.a) + 0.5 * s_.v.dot(M_dot * s_.v);
  Data<Complex> complex_data(model_);
  const ComplexVector zero = ComplexVector::Zero(model_.nv());
  const double potential_rate = derivative(whole_body_state(model_, complex_data, moved, zero, zero).potential_energy);
  EXPECT_TRUE(close(s_.v.dot(tau), kinetic_rate + potential_rate, kAgreement, s_.v.cwiseAbs().dot(tau.cwiseAbs())));
}

/// Section 10 on two links with skew axes, and with sliding and screwing joints.
TEST(LieTwoLink, TermByTerm) {
  std::mt19937_64 rng(11);
  const std::vector<JointType> kinds{JointType::revolute, JointType::prismatic, JointType::helical};
  for (int round = 0; round < 6; ++round) {
    const Model model = build_model(random_tree(rng, 2, {.kinds = kinds, .chain = true}));
    fm::ScrewTree tree = *fm::screw_tree_of(model);
    tree.gravity = {0, 0, 0};
    const State s = random_state(model, rng);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(2);
    const auto out = fm::lie_dynamics<double>(tree, {span_of(s.q), span_of(s.v), span_of(zero)});
    const auto axis = [&](std::size_t i) { return fm::adjoint(inverse(tree.links[i].M_0i)) * tree.links[i].screw; };
    const auto terms = fm::lie_two_link_terms(
        {out.T[2].R, out.T[2].p, axis(1).top, axis(1).bottom, axis(2).top, axis(2).bottom,
         fm::full(tree.links[1].inertia), fm::full(tree.links[2].inertia), tree.links[1].mass, tree.links[2].mass});
    const double r1 = s.v[0], r2 = s.v[1];
    const auto sum = [&](const auto& form) {
      return eigen(form.squared_1 * (r1 * r1) + form.product * (r1 * r2) + form.squared_2 * (r2 * r2));
    };
    const auto torque = [&](const fm::VelocityForm<double>& form) {
      return form.squared_1 * r1 * r1 + form.product * r1 * r2 + form.squared_2 * r2 * r2;
    };
    EXPECT_TRUE(close(sum(terms.omega_dot_2), eigen(out.V_dot[2].top), kRounding, 1));
    EXPECT_TRUE(close(sum(terms.v_dot_2), eigen(out.V_dot[2].bottom), kRounding, 1));
    EXPECT_TRUE(close(sum(terms.omega_2_cross_v_2), eigen(cross(out.V[2].top, out.V[2].bottom)), kRounding, 1));
    EXPECT_TRUE(close(sum(terms.n_2), eigen(out.F[2].top), kRounding, 1));
    EXPECT_TRUE(close(sum(terms.f_2), eigen(out.F[2].bottom), kRounding, 1));
    EXPECT_TRUE(close(sum(terms.n_1), eigen(out.F[1].top), kRounding, 1));
    EXPECT_TRUE(close(sum(terms.f_1), eigen(out.F[1].bottom), kRounding, 1));
    EXPECT_TRUE(close(torque(terms.tau_2), out.tau[1], kRounding, 1));
    EXPECT_TRUE(close(torque(terms.tau_1), out.tau[0], kRounding, 1));
  }
}

Eigen::Matrix3d eigen3(const Mat3<double>& M) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(M.m);
}

/// The appendix.
TEST(LieIdentities, SkewMatrices) {
  std::mt19937_64 rng(2);
  const Vec3<double> a = random_vector(rng, 2), b = random_vector(rng, 2), c = random_vector(rng, 2);
  const Mat3<double> R = random_rotation(rng);
  EXPECT_TRUE(close(eigen(fm::skew(a) * b), eigen(cross(a, b)), kRounding));
  EXPECT_TRUE(close(eigen(fm::skew(a) * b), eigen(-(fm::skew(b) * a)), kRounding));
  EXPECT_TRUE(close(eigen3(fm::skew(a) * fm::skew(b)),
                    eigen(b) * eigen(a).transpose() - dot(a, b) * Eigen::Matrix3d::Identity(), kRounding));
  EXPECT_TRUE(close(eigen3(fm::skew(R * a)), eigen3(R * fm::skew(a) * transpose(R)), kRounding));
  EXPECT_TRUE(close(dot(a, cross(b, c)), dot(c, cross(a, b)), kRounding));
  EXPECT_TRUE(close(dot(a, cross(b, c)), dot(b, cross(c, a)), kRounding));
}

TEST(LieIdentities, Adjoints) {
  std::mt19937_64 rng(4);
  const Transform<double> T1 = random_pose(rng, 1), T2 = random_pose(rng, 1);
  EXPECT_TRUE(close(eigen6(fm::adjoint(T1 * T2)), eigen6(fm::adjoint(T1) * fm::adjoint(T2)), kRounding));
  EXPECT_TRUE(close(eigen6(fm::adjoint(inverse(T1))), eigen6(fm::adjoint(T1)).inverse(), kRounding));
  const fm::Vec6<double> V{random_vector(rng, 1), random_vector(rng, 1)},
      F{random_vector(rng, 1), random_vector(rng, 1)};
  // Section 3.3.
  const fm::Vec6<double> expected{-cross(V.top, F.top) - cross(V.bottom, F.bottom), -cross(V.top, F.bottom)};
  EXPECT_TRUE(close(eigen(transpose(fm::lie_bracket(V)) * F), eigen(expected), kRounding));
  // Power is the same in all frames.
  const fm::Vec6<double> W = fm::adjoint(T1) * V;
  EXPECT_TRUE(close(dot(W, F), dot(V, transpose(fm::adjoint(T1)) * F), kRounding));
}

/// d/dt Ad_T = Ad_T ad_{V_b}, along T exp([A] t): its body velocity is A.
TEST(LieIdentities, DerivativeOfTheAdjoint) {
  std::mt19937_64 rng(6);
  const Transform<double> T = random_pose(rng, 1);
  const fm::Vec6<double> A{random_rotation(rng).column(2), random_vector(rng, 1)};
  const auto moved = fm::screw_exponential<Complex>(A, Complex(0, kImaginaryStep));
  const fm::Mat6<Complex> Ad = fm::adjoint(T * moved);
  Eigen::Matrix<double, 6, 6> rate;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) rate(i, j) = derivative(Ad(i, j));
  }
  EXPECT_TRUE(close(rate, eigen6(fm::adjoint(T) * fm::lie_bracket(A)), kRounding));
}

TEST(LieExponential, RotatesAboutThePointAndScrewsAlongTheAxis) {
  const Vec3<double> point{1, 2, 0};
  const fm::Vec6<double> A{{0, 0, 1}, cross(point, Vec3<double>{0, 0, 1}) + Vec3<double>{0, 0, 0.3}};
  const auto T = fm::screw_exponential<double>(A, M_PI / 2);
  EXPECT_TRUE(close(eigen(T * point), Eigen::Vector3d(1, 2, 0.15 * M_PI), kRounding));
  EXPECT_TRUE(close(eigen(T * Vec3<double>{2, 2, 0}), Eigen::Vector3d(1, 3, 0.15 * M_PI), kRounding));
}

TEST(LieInput, WrongSizesAndNoLinks) {
  const Model model = one_axis_model({"", 3, true, false});
  const fm::ScrewTree tree = *fm::screw_tree_of(model);
  const std::vector<double> three(3), two(2);
  EXPECT_THROW(fm::lie_dynamics<double>(tree, {three, two, three}), std::invalid_argument);
  EXPECT_THROW(fm::lie_dynamics_expanded<double>(tree, {three, three, two}), std::invalid_argument);
  EXPECT_TRUE(fm::lie_dynamics<double>({}, {}).tau.empty());
}

}  // namespace
}  // namespace verne::test
