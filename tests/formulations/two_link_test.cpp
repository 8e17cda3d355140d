/// All formulations on the thesis's two arms against closed forms with fifty digits.
#include <gtest/gtest.h>

#include "formulations/barman.h"
#include "formulations/formulation_support.h"
#include "formulations/khalil.h"
#include "formulations/lie.h"
#include "formulations/nasser.h"
#include "oracles/peer_numbers.h"
#include "support/paths.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

namespace fs = std::filesystem;

struct ArmCase {
  const char *name, *file, *key;
};

class TwoLinkFormulations : public testing::TestWithParam<ArmCase> {
 protected:
  void SetUp() override {
    const fs::path samples = source_dir() + "/../shared/refs/two_link_samples.json";
    if (!fs::exists(samples)) GTEST_SKIP() << "the reference answers are not part of the project";
    numbers_ = read_json(samples)[GetParam().key]["samples"];
    ASSERT_FALSE(numbers_.empty());
  }
  Model model_ = load_model(std::string(source_dir() + "/models/") + GetParam().file);
  Json numbers_;
};
INSTANTIATE_TEST_SUITE_P(Thesis, TwoLinkFormulations,
                         testing::Values(ArmCase{"two_link", "two_link.yaml", "A"},
                                         ArmCase{"prismatic_revolute", "prismatic_revolute.yaml", "B_offset"}),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(TwoLinkFormulations, TorquesAndAccelerations) {
  const fm::DhTree dh = *fm::dh_tree_of(model_);
  const fm::MdhTree mdh = *fm::mdh_tree_of(model_);
  const fm::ScrewTree screws = *fm::screw_tree_of(model_);
  for (const Json& sample : numbers_) {
    const Eigen::VectorXd q = vector_in(sample["q"]), v = vector_in(sample["qd"]), a = vector_in(sample["qdd"]);
    const Eigen::VectorXd tau = vector_in(sample["tau"]);
    EXPECT_TRUE(
        close(eigen(fm::khalil_inverse<double>(mdh, {span_of(q), span_of(v)}, span_of(a)).torque), tau, kRounding));
    const fm::LieState<double> state{span_of(q), span_of(v), span_of(a)};
    EXPECT_TRUE(close(eigen(fm::lie_dynamics(screws, state).tau), tau, kRounding));
    EXPECT_TRUE(close(eigen(fm::lie_dynamics_expanded(screws, state).tau), tau, kRounding));
    EXPECT_TRUE(close(eigen(fm::khalil_direct<double>(mdh, {span_of(q), span_of(v)}, span_of(tau)).qdd), a, kSolve));
    EXPECT_TRUE(
        close(eigen(fm::nasser_dynamics<double>(dh, {span_of(q), span_of(v), span_of(tau)}).acceleration), a, kSolve));
  }
}

TEST_P(TwoLinkFormulations, BarmanWithSensitivities) {
  const fm::DhTree tree = *fm::dh_tree_of(model_);
  for (const Json& sample : numbers_) {
    const Eigen::VectorXd q = vector_in(sample["q"]), v = vector_in(sample["qd"]), a = vector_in(sample["qdd"]);
    const auto sens = fm::barman_sensitivities<double>(tree, {span_of(q), span_of(v), span_of(a)});
    EXPECT_TRUE(close(eigen(sens.values.effort), vector_in(sample["tau"]), kRounding));
    // Theirs is what the link does to its predecessor, F_p the opposite.
    const std::size_t last = tree.links.size() - 1;
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

}  // namespace
}  // namespace verne::test
