#include "verne/formulations/barman.h"

#include <gtest/gtest.h>

#include "formulations/formulation_support.h"
#include "oracles/peer_numbers.h"
#include "support/derivatives.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

namespace fs = std::filesystem;

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
      out.library.add(site, force, moment, point);
      Transform<double> X_BS;
      for (int k = 0; k < 9; ++k) X_BS.R.m[k] = at.R[k];
      X_BS.p = Vec3<double>::load(at.p);
      out.thesis.push_back({static_cast<int>(j), -vec3(force), -vec3(moment), link.X_LB * (X_BS * vec3(point))});
      break;
    }
  }
  return out;
}

TEST_P(Barman, EffortsAndInternalLoads) {
  const State s = random_state(model_, rng_);
  const BothLoads loads = both_loads(model_, tree_, rng_);
  Matrix6X<double> wrenches;
  const Eigen::VectorXd tau = inverse_dynamics_of(model_, data_, s.q, s.v, s.a, &loads.library, &wrenches);
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
  const Kinematics<double> expected = kinematics_of(model_, data_, s.q, s.v, s.a);
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
  const auto size = [&](std::size_t f) {  // of the largest derivative of this quantity, over all links and variables
    double largest_entry = 0;
    for (int j = 1; j < n; ++j) {
      for (int i = 0; i < tree_.variables; ++i) {
        for (const auto* by : {&sens.by_q, &sens.by_qd, &sens.by_qdd}) {
          largest_entry = std::max(largest_entry, largest(eigen(by->at(j, i).*fields[f].second)));
        }
      }
    }
    return largest_entry;
  };
  std::vector<double> sizes;
  for (std::size_t f = 0; f < fields.size(); ++f) sizes.push_back(size(f));
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
        EXPECT_TRUE(close(by.effort(k, i), derivative(moved.effort[static_cast<std::size_t>(k)]), kComplexStep,
                          sizes[27]));  // tau_p
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

struct Arm {
  const char *name, *file, *key;
};
class BarmanArm : public testing::TestWithParam<Arm> {};
INSTANTIATE_TEST_SUITE_P(Thesis, BarmanArm,
                         testing::Values(Arm{"two_link", "two_link.yaml", "A"},
                                         Arm{"prismatic_revolute", "prismatic_revolute.yaml", "B_offset"}),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(BarmanArm, ClosedFormsWithFiftyDigits) {
  const fs::path samples = VERNE_SOURCE_DIR "/../shared/refs/two_link_samples.json";
  if (!fs::exists(samples)) GTEST_SKIP() << "the reference answers are not part of the project";
  const Model model = load_model(std::string(VERNE_SOURCE_DIR "/models/") + GetParam().file);
  const fm::DhTree tree = *fm::dh_tree_of(model);
  const Json numbers = read_json(samples)[GetParam().key]["samples"];
  ASSERT_FALSE(numbers.empty());
  for (const Json& sample : numbers) {
    const Eigen::VectorXd q = vector_in(sample["q"]), v = vector_in(sample["qd"]), a = vector_in(sample["qdd"]);
    const auto sens = fm::barman_sensitivities<double>(tree, {span_of(q), span_of(v), span_of(a)});
    EXPECT_TRUE(close(eigen(sens.values.effort), vector_in(sample["tau"]), kRounding));
    const std::size_t last = tree.links.size() - 1;
    // Theirs is what the link does to its predecessor, F_p the opposite.
    EXPECT_TRUE(close(-eigen(sens.values.links[last].F_p), vector_in(sample["F2_in_frame2"]), kRounding));
    const auto compare = [&](const fm::BarmanDerivatives<double>& by, const char* key) {
      Eigen::Matrix2d found;
      for (int k = 0; k < 4; ++k) found(k / 2, k % 2) = by.effort(k / 2, k % 2);
      EXPECT_TRUE(close(found, matrix_in(sample["d_tau"][key]), kRounding, kSmall)) << key;
    };
    compare(sens.by_q, "dq");
    compare(sens.by_qd, "dqd");
    compare(sens.by_qdd, "dqdd");
  }
}

TEST(BarmanInput, WrongSizesAndNoLinks) {
  const Model model = one_axis_model({"", 3, true, false});
  const fm::DhTree tree = *fm::dh_tree_of(model);
  const std::vector<double> three(3), two(2);
  EXPECT_THROW(fm::barman_dynamics<double>(tree, {three, two, three}), std::invalid_argument);
  EXPECT_THROW(fm::barman_sensitivities<double>(tree, {two, three, three}), std::invalid_argument);
  EXPECT_TRUE(fm::barman_dynamics<double>({}, {}).effort.empty());
}

}  // namespace
}  // namespace verne::test
