#include "formulations/khalil.h"

#include <gtest/gtest.h>

#include "formulations/formulation_support.h"
#include "formulations/khalil_elastic.h"
#include "formulations/khalil_moving_base.h"
#include "formulations/khalil_support.h"
#include "io/io_support.h"

namespace verne::test {
namespace {

class Khalil : public testing::TestWithParam<Case> {
 protected:
  Model model_ = one_axis_model(GetParam());
  fm::MdhTree tree_ = *fm::mdh_tree_of(model_);
  Data<double> data_{model_};
  std::mt19937_64 rng_{9};
  State s_ = random_state(model_, rng_);
  Loads<double> loads_ = random_loads(model_, rng_, 4);
  std::vector<fm::Vec6<double>> f_e_ = on_environment(model_, tree_, loads_, s_.q);
  fm::KhalilState<double> state_{span_of(s_.q), span_of(s_.v), f_e_};
};
INSTANTIATE_TEST_SUITE_P(Models, Khalil, testing::ValuesIn(one_axis_cases(true)),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(Khalil, InverseModel) {
  const auto [tau, wrenches] = inverse_dynamics_and_wrenches(model_, data_, s_.q, s_.v, s_.a, loads_);
  const auto out = fm::khalil_inverse<double>(tree_, state_, span_of(s_.a));
  EXPECT_TRUE(close(eigen(out.torque), tau, kAgreement));
  expect_wrenches(model_, wrenches, kAgreement,
                  [&](int body) { return out.wrench[static_cast<std::size_t>(body) + 1]; });
}

TEST_P(Khalil, DirectModels) {
  const auto [a, wrenches] = forward_dynamics_and_wrenches(model_, data_, s_.q, s_.v, s_.tau, loads_);
  const auto out = fm::khalil_direct<double>(tree_, state_, span_of(s_.tau));
  EXPECT_TRUE(close(eigen(out.qdd), a, kAgreement));
  EXPECT_TRUE(close(eigen(fm::khalil_direct_by_columns<double>(tree_, state_, span_of(s_.tau))), a, kAgreement));
  expect_wrenches(model_, wrenches, kAgreement,
                  [&](int body) { return out.wrench[static_cast<std::size_t>(body) + 1]; });
}

TEST_P(Khalil, MatricesOfTheInverseModel) {
  const auto m = fm::khalil_matrices<double>(tree_, state_);
  EXPECT_TRUE(close(m.A, mass_matrix(model_, data_, s_.q), kAgreement));
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model_.nv());
  EXPECT_TRUE(close(m.H, inverse_dynamics(model_, data_, s_.q, s_.v, zero, loads_), kAgreement));
}

/// Some joints become springs; whatever accelerations come out, the library must find the springs' forces for them.
TEST_P(Khalil, ElasticJoints) {
  fm::KhalilElasticTree robot{tree_, {}};
  for (int k = 0; k < tree_.variables; ++k) {
    const bool elastic = k % 2 == 1 || tree_.variables == 1;
    robot.springs.push_back(elastic ? std::optional(fm::KhalilSpring{random_number(rng_, 10, 90), 0.3}) : std::nullopt);
  }
  const auto found = fm::khalil_elastic<double>(robot, state_, span_of(s_.a));
  const auto by_matrices = fm::khalil_elastic_by_matrices<double>(robot, state_, span_of(s_.a));
  EXPECT_TRUE(close(eigen(by_matrices.qdd), eigen(found.qdd), kAgreement));
  EXPECT_TRUE(close(eigen(by_matrices.torque), eigen(found.torque), kAgreement));
  const auto [tau, wrenches] = inverse_dynamics_and_wrenches(model_, data_, s_.q, s_.v, eigen(found.qdd), loads_);
  EXPECT_TRUE(close(eigen(found.torque), tau, kAgreement));
  expect_wrenches(model_, wrenches, kAgreement,
                  [&](int body) { return found.wrench[static_cast<std::size_t>(body) + 1]; });
  for (int k = 0; k < tree_.variables; ++k) {
    const auto& spring = robot.springs[static_cast<std::size_t>(k)];
    if (spring)
      EXPECT_TRUE(close(tau[k], -spring->stiffness * (s_.q[k] - 0.3), kAgreement, largest(tau)));
    else
      EXPECT_EQ(found.qdd[static_cast<std::size_t>(k)], s_.a[k]);
  }
}

class KhalilMovingBase : public testing::TestWithParam<Case> {
 protected:
  Model model_ = one_axis_model(GetParam(), {JointType::revolute, JointType::prismatic}, JointType::free);
  fm::MdhTree tree_ = *fm::mdh_tree_of(model_);
  Data<double> data_{model_};
  std::mt19937_64 rng_{13};
  int n_ = tree_.variables;
  State s_ = random_state(model_, rng_);
  Eigen::VectorXd q_ = s_.q.tail(n_), v_ = s_.v.tail(n_), a_ = s_.a.tail(n_), tau_ = s_.tau.tail(n_);
  Loads<double> loads_ = random_loads(model_, rng_, 4);
  std::vector<fm::Vec6<double>> f_e_ = on_environment(model_, tree_, loads_, s_.q);
  fm::KhalilState<double> state_{span_of(q_), span_of(v_), f_e_};
  fm::KhalilMovingBase<double> base_ = khalil_base(model_, s_.q, s_.v);

  /// Entries of `a` of the library's free joint.
  Eigen::VectorXd accelerations(const fm::KhalilMovingBaseMotion<double>& motion) const {
    Eigen::VectorXd a(6 + n_);
    a << free_joint_acceleration(motion.base, s_.v), eigen(motion.qdd);
    return a;
  }
};
INSTANTIATE_TEST_SUITE_P(Models, KhalilMovingBase, testing::ValuesIn(one_axis_cases(true)),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(KhalilMovingBase, InverseModels) {
  for (const auto& found : {fm::khalil_moving_inverse<double>(tree_, state_, base_, span_of(a_)),
                            fm::khalil_moving_inverse_by_matrices<double>(tree_, state_, base_, span_of(a_))}) {
    // The library needs no wrench on the base for that motion, and the same torques.
    const auto [tau, wrenches] = inverse_dynamics_and_wrenches(model_, data_, s_.q, s_.v, accelerations(found), loads_);
    const double scale = largest(wrenches);
    EXPECT_TRUE(close(tau.head(6), Eigen::VectorXd::Zero(6), kAgreement, scale));
    EXPECT_TRUE(close(eigen(found.torque), tau.tail(n_), kAgreement, scale));
    if (found.wrench.empty()) continue;
    expect_wrenches(model_, wrenches, kAgreement,
                    [&](int body) { return found.wrench[static_cast<std::size_t>(body)]; });
  }
}

TEST_P(KhalilMovingBase, DirectModels) {
  Eigen::VectorXd tau(6 + n_);
  tau << Eigen::VectorXd::Zero(6), tau_;
  const auto [a, wrenches] = forward_dynamics_and_wrenches(model_, data_, s_.q, s_.v, tau, loads_);
  for (const auto& found : {fm::khalil_moving_direct<double>(tree_, state_, base_, span_of(tau_)),
                            fm::khalil_moving_direct_by_matrices<double>(tree_, state_, base_, span_of(tau_))}) {
    EXPECT_TRUE(close(accelerations(found), a, kAgreement));
    if (found.wrench.empty()) continue;
    expect_wrenches(model_, wrenches, kAgreement,
                    [&](int body) { return found.wrench[static_cast<std::size_t>(body)]; });
  }
}

/// A tree whose only mass is gone.
TEST(KhalilInput, MassMissing) {
  const Model model = one_axis_model({"", 3, true, false});
  fm::MdhTree tree = *fm::mdh_tree_of(model);
  const std::vector<double> three(3, 0.1);
  tree.links.back().mass = 0, tree.links.back().first_moment = {0, 0, 0},
  tree.links.back().inertia = Sym3<double>::zero();
  EXPECT_NE(input_error([&] {
              fm::khalil_direct<double>(tree, {three, three}, three);
            }).find("link 3"),
            std::string::npos);
  EXPECT_NE(input_error([&] {
              fm::khalil_direct_by_columns<double>(tree, {three, three}, three);
            }).find("singular"),
            std::string::npos);
  for (fm::MdhLink& link : tree.links) link = {link.antecedent, link.sigma, link.frame, link.variable};
  tree.moving_base = true;
  const fm::KhalilMovingBase<double> base{Mat3<double>::identity(), {0, 0, 0}};
  EXPECT_NE(input_error([&] {
              fm::khalil_moving_inverse<double>(tree, {three, three}, base, three);
            }).find("singular"),
            std::string::npos);
}

TEST(KhalilInput, WrongSizesAndNoLinks) {
  const Model model = one_axis_model({"", 3, true, false});
  const fm::MdhTree tree = *fm::mdh_tree_of(model);
  const std::vector<double> three(3), two(2);
  const std::vector<fm::Vec6<double>> load(1);
  EXPECT_THROW(fm::khalil_inverse<double>(tree, {three, two}, three), std::invalid_argument);
  EXPECT_THROW(fm::khalil_inverse<double>(tree, {three, three, load}, three), std::invalid_argument);
  EXPECT_THROW(fm::khalil_direct<double>(tree, {three, three}, two), std::invalid_argument);
  EXPECT_THROW(fm::khalil_elastic<double>({tree, {}}, {three, three}, three), std::invalid_argument);
  EXPECT_TRUE(fm::khalil_inverse<double>({}, {}, {}).torque.empty());
  EXPECT_TRUE(fm::khalil_direct<double>({}, {}, {}).qdd.empty());
}

}  // namespace
}  // namespace verne::test
