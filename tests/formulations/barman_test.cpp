#include "formulations/barman.h"

#include <gtest/gtest.h>

#include "formulations/formulation_support.h"
#include "model/tree.h"
#include "support/derivatives.h"

namespace verne::test {
namespace {

class Barman : public testing::TestWithParam<Case> {
 protected:
  Model model_ = one_axis_model(GetParam());
  fm::DhTree tree_ = *fm::dh_tree_of(model_);
  Data<double> data_{model_};
  std::mt19937_64 rng_{3};

  int link_of_body(int body) const {
    for (std::size_t j = 1; j < tree_.links.size(); ++j) {
      if (tree_.links[j].body == body) return static_cast<int>(j);
    }
    return -1;
  }
};
INSTANTIATE_TEST_SUITE_P(Models, Barman, testing::ValuesIn(one_axis_cases()),
                         [](const auto& parameter) { return parameter.param.name; });

/// The same loads for the library, on links of the model, and in the thesis's terms: of the link on the environment.
struct BothLoads {
  Loads<double> library;
  std::vector<fm::BarmanLoad<double>> thesis;
};
BothLoads both_loads(const Model& model, const fm::DhTree& tree, std::mt19937_64& rng) {
  BothLoads out;
  for (std::size_t j = 1; j < tree.links.size(); ++j) {
    const fm::DhLink& link = tree.links[j];
    if (link.body < 0) continue;
    // Some link of the model on that body, and where it is in the body.
    for (int site = 0; site < model.tree().link_count; ++site) {
      const TreeSite& at = model.tree().sites[site];
      if (at.body != link.body) continue;
      const Eigen::Vector3d force = random_values(rng, 3, 5), moment = random_values(rng, 3, 5),
                            point = random_values(rng, 3, 0.5);
      out.library.add({.frame = site, .force = force, .moment = moment, .point = point});
      const Transform<double> X_BS = pose_in_body(at);
      out.thesis.push_back({static_cast<int>(j), -vec3(force), -vec3(moment), link.X_LB * (X_BS * vec3(point))});
      break;
    }
  }
  return out;
}

TEST_P(Barman, EffortsAndInternalLoads) {
  const State s = random_state(model_, rng_);
  const BothLoads loads = both_loads(model_, tree_, rng_);
  const auto [tau, wrenches] = inverse_dynamics_and_wrenches(model_, data_, s.q, s.v, s.a, loads.library);
  const auto out =
      fm::barman_dynamics<double>(tree_, {span_of(s.q), span_of(s.v), span_of(s.a), std::span(loads.thesis)});
  EXPECT_TRUE(close(eigen(out.effort), tau, kAgreement));
  expect_wrenches(model_, wrenches, kAgreement, [&](int body) {
    const auto j = static_cast<std::size_t>(link_of_body(body));
    return fm::barman_wrench(tree_.links[j], out.links[j]);
  });
}

TEST_P(Barman, MotionOfLinks) {
  const State s = random_state(model_, rng_);
  const auto out = fm::barman_dynamics<double>(tree_, {span_of(s.q), span_of(s.v), span_of(s.a)});
  const Kinematics<double> expected = forward_kinematics(model_, data_, s.q, s.v, s.a);
  for (int site = 0; site < model_.tree().link_count; ++site) {
    const TreeSite& at = model_.tree().sites[site];
    if (at.body < 0) continue;
    const int j = link_of_body(at.body);
    const fm::BarmanLink<double>& link = out.links[static_cast<std::size_t>(j)];
    // The origin of the model's link, seen from that of frame j.
    const Vec3<double> r = tree_.links[static_cast<std::size_t>(j)].X_LB * Vec3<double>::load(at.p);
    const Vec3<double> velocity = link.xd + cross(link.omega, r);
    const Vec3<double> acceleration = link.xdd + cross(link.omega_dot, r) + cross(link.omega, cross(link.omega, r));
    EXPECT_TRUE(close(eigen(link.R_0 * (link.x + r)), expected.position(site), kAgreement, 1));
    EXPECT_TRUE(close(eigen(link.R_0 * velocity), expected.velocities.col(site).head(3), kAgreement, 1));
    EXPECT_TRUE(close(eigen(link.R_0 * link.omega), expected.velocities.col(site).tail(3), kAgreement, 1));
    EXPECT_TRUE(close(eigen(link.R_0 * acceleration), expected.accelerations.col(site).head(3), kAgreement, 1));
    EXPECT_TRUE(close(eigen(link.R_0 * link.omega_dot), expected.accelerations.col(site).tail(3), kAgreement, 1));
  }
}

/// Every quantity of every link, derived by complex step through the values alone.
TEST_P(Barman, SensitivitiesOfEveryQuantityByComplexStep) {
  const State s = random_state(model_, rng_);
  const BothLoads loads = both_loads(model_, tree_, rng_);
  const auto sens =
      fm::barman_sensitivities<double>(tree_, {span_of(s.q), span_of(s.v), span_of(s.a), std::span(loads.thesis)});
  std::vector<fm::BarmanLoad<Complex>> complex_loads;
  for (const auto& load : loads.thesis) {
    complex_loads.push_back(
        {load.link, fm::cast<Complex>(load.force), fm::cast<Complex>(load.moment), fm::cast<Complex>(load.point)});
  }
  const ComplexVector q = s.q.cast<Complex>(), v = s.v.cast<Complex>(), a = s.a.cast<Complex>();
  const auto fields = fm::barman_fields<double>();
  const auto complex_fields = fm::barman_fields<Complex>();
  const auto n = static_cast<int>(tree_.links.size());
  std::vector<double> sizes;  // of the largest derivative of each quantity, over all links and variables
  for (const auto& [name, field] : fields) {
    double size = 0;
    for (int j = 1; j < n; ++j) {
      for (int i = 0; i < tree_.variables; ++i) {
        for (const auto* by : {&sens.by_q, &sens.by_qd, &sens.by_qdd})
          size = std::max(size, largest(eigen(by->at(j, i).*field)));
      }
    }
    sizes.push_back(size);
  }
  const double largest_size = *std::max_element(sizes.begin(), sizes.end());
  for (int i = 0; i < tree_.variables; ++i) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(tree_.variables, i);
    const ComplexVector q1 = stepped(s.q, unit), v1 = stepped(s.v, unit), a1 = stepped(s.a, unit);
    const auto compare = [&](const char* variable, const fm::BarmanDerivatives<double>& by, const ComplexVector& qs,
                             const ComplexVector& vs, const ComplexVector& as) {
      const auto moved =
          fm::barman_dynamics<Complex>(tree_, {span_of(qs), span_of(vs), span_of(as), std::span(complex_loads)});
      for (int j = 1; j < n; ++j) {
        const auto& link = moved.links[static_cast<std::size_t>(j)];
        for (std::size_t f = 0; f < fields.size(); ++f) {
          const Vec3<Complex> value = link.*complex_fields[f].second;
          const Eigen::Vector3d expected{derivative(value.x), derivative(value.y), derivative(value.z)};
          EXPECT_TRUE(close(eigen(by.at(j, i).*fields[f].second), expected, kComplexStep, sizes[f]))
              << fields[f].first << " of link " << j << " by " << variable << i;
        }
      }
      for (int k = 0; k < tree_.variables; ++k) {
        EXPECT_TRUE(
            close(by.effort(k, i), derivative(moved.effort[static_cast<std::size_t>(k)]), kComplexStep, largest_size));
      }
    };
    compare("q", sens.by_q, q1, v, a);
    compare("qd", sens.by_qd, q, v1, a);
    compare("qdd", sens.by_qdd, q, v, a1);
  }
}

TEST_P(Barman, SensitivitiesAgainstTheFastDerivatives) {
  const State s = random_state(model_, rng_);
  const BothLoads loads = both_loads(model_, tree_, rng_);
  const auto sens =
      fm::barman_sensitivities<double>(tree_, {span_of(s.q), span_of(s.v), span_of(s.a), std::span(loads.thesis)});
  const auto fast = inverse_derivatives_of(model_, data_, s.q, s.v, s.a, &loads.library);
  const int n = model_.nv();
  const auto compare = [&](const fm::BarmanDerivatives<double>& by, const Eigen::MatrixXd& dtau,
                           const Matrix6X<double>& dwrenches) {
    Eigen::MatrixXd found(n, n);
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < n; ++k) found(k, i) = by.effort(k, i);
    }
    EXPECT_TRUE(close(found, dtau, kAgreement));
    Matrix6X<double> found_wrenches = dwrenches;
    for (int k = 0; k < model_.tree().joint_count; ++k) {
      const TreeJoint& joint = model_.tree().joints[k];
      if (joint.fixed || joint.body < 0) continue;
      const int j = link_of_body(joint.body);
      const auto at = static_cast<std::size_t>(j);
      for (int i = 0; i < n; ++i) {
        found_wrenches.col(k * n + i) = eigen(fm::in_joint_frame(
            joint, fm::barman_wrench_derivative(tree_.links[at], sens.values.links[at], by.at(j, i))));
      }
    }
    EXPECT_TRUE(close(found_wrenches, dwrenches, kAgreement));
  };
  compare(sens.by_q, fast.dq, fast.wrenches.dq);
  compare(sens.by_qd, fast.dv, fast.wrenches.dv);
  compare(sens.by_qdd, fast.dx, fast.wrenches.dx);
}

TEST(BarmanInput, WrongSizesAndNoLinks) {
  const Model model = one_axis_model({"", 3, true, false});
  const fm::DhTree tree = *fm::dh_tree_of(model);
  const std::vector<double> three(3), two(2);
  EXPECT_THROW(fm::barman_dynamics<double>(tree, {three, two, three}), std::invalid_argument);
  EXPECT_THROW(fm::barman_sensitivities<double>(tree, {two, three, three}), std::invalid_argument);
  const std::vector<fm::BarmanLoad<double>> on_base{{0, {1, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  EXPECT_THROW(fm::barman_dynamics<double>(tree, {three, three, three, on_base}), std::invalid_argument);
  EXPECT_TRUE(fm::barman_dynamics<double>({}, {}).effort.empty());
}

}  // namespace
}  // namespace verne::test
