/// The list of quantities: complete, in order, and what the program's help and the docs say.
#include "verne/quantities/quantities.h"

#include <gtest/gtest.h>

#include <set>

#include "cli/program.h"
#include "io/io_support.h"
#include "support/paths.h"
#include "support/random_model.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/dynamics/motion_derivatives.h"
#include "verne/quantities/evaluation.h"

namespace verne::test {
namespace {

TEST(Quantities, AreInOrder) {
  std::set<std::string> names;
  int place = 0;
  for (const QuantityInfo& info : quantities()) {
    EXPECT_EQ(static_cast<int>(info.quantity), place++) << info.name;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(info_of(info.quantity).name, info.name);
    EXPECT_NE(info.known & (kKnownTrees | kKnownLoops | kKnownContacts), 0U) << info.name;
    EXPECT_FALSE(info.is_known(kKnownSymbolic) && !info.is_known(kKnownCode)) << info.name;
  }
}

/// Every quantity stands in the table of docs/cli.md and in the program's help.
TEST(Quantities, AreDocumented) {
  const std::string docs = read_file(source_dir() + "/docs/cli.md"), help = verne({"eval", "--help"}).out;
  for (const QuantityInfo& info : quantities()) {
    const std::string name = std::string(info.name) + (info.of_frame ? ":NAME`" : "`");
    EXPECT_NE(docs.find("`" + name), std::string::npos) << info.name;
    EXPECT_NE(help.find(info.name), std::string::npos) << info.name;
  }
}

TEST(Quantities, SayWhatIsNotKnown) {
  std::mt19937_64 rng(1);
  const Model tree = build_model(random_tree(rng, 4));
  const auto error = [&](const std::string& word, unsigned where = 0) {
    return input_error([&] { wanted_quantity(word, tree, "--want", where); });
  };
  EXPECT_NE(error("tua").find("--want: unknown quantity 'tua'"), std::string::npos);
  EXPECT_NE(error("mass_matrx").find("did you mean 'mass_matrix'"), std::string::npos);
  EXPECT_NE(error("energy", kKnownCode).find("unknown quantity 'energy'"), std::string::npos);
  EXPECT_NE(error("tau:link_1").find("takes no frame"), std::string::npos);
  EXPECT_NE(error("pose").find("which link or frame? Write pose:NAME"), std::string::npos);
  EXPECT_NE(error("tree").find("the model has no loops"), std::string::npos);
  EXPECT_NE(input_error([&] { Evaluation(System(tree), {"tree"}, 4); }).find("the model has no loops"),
            std::string::npos);
}

/// Each quantity that arrays are known of has finite numbers of the shape that it says, whatever else is wanted.
TEST(Evaluation, DoesNotDependOnWhatElseIsWanted) {
  std::mt19937_64 rng(5);
  const Model model = build_model(random_tree(rng, 6, {.friction = true, .springs = true}));
  std::vector<std::string> all;
  for (const QuantityInfo& info : quantities()) {
    if (!info.is_known(kKnownTrees | kKnownArrays)) continue;
    all.push_back(std::string(info.name) + (info.of_frame ? ":link_2" : ""));
  }
  constexpr int kCount = 11;
  const auto fill = [&](Evaluation& evaluation) {
    std::mt19937_64 same(8);
    std::uniform_real_distribution<double> draw(-1, 1);
    for (int k = 0; k < kCount; ++k) {
      evaluation.states().q().set(k, random_configuration(model, same));
      for (LaneArray* rows : {&evaluation.states().v(), &evaluation.states().a(), &evaluation.states().tau()}) {
        for (int i = 0; i < model.nv(); ++i) (*rows)(i, k) = draw(same);
      }
    }
    evaluation.compute();
  };
  Evaluation together(System(model), all, kCount);
  fill(together);
  for (std::size_t w = 0; w < all.size(); ++w) {
    if (all[w] == "joint_wrenches") continue;  // alone they are of the same motion, but see below
    SCOPED_TRACE(all[w]);
    Evaluation alone(System(model), {all[w]}, kCount);
    fill(alone);
    ASSERT_EQ(alone.arrays(0).size(), together.arrays(w).size());
    EXPECT_FALSE(alone.arrays(0).empty());
    for (std::size_t a = 0; a < alone.arrays(0).size(); ++a) {
      const QuantityArray &x = alone.arrays(0)[a], &y = together.arrays(w)[a];
      EXPECT_EQ(x.shape, y.shape);
      std::vector<double> numbers(static_cast<std::size_t>(kCount * x.size())), others = numbers;
      x.copy(0, kCount, numbers.data()), y.copy(0, kCount, others.data());
      EXPECT_EQ(numbers, others);
      for (int i = 0; i < x.size(); ++i) {
        for (int k = 0; k < kCount; ++k) {
          const double number = numbers[static_cast<std::size_t>(k * x.size() + i)];
          EXPECT_TRUE(std::isfinite(number));
          EXPECT_EQ(number, x.at(i, k));
        }
      }
    }
  }
}

/// Arrays in C order against single calls.
TEST(Evaluation, AgreesWithSingleStates) {
  std::mt19937_64 rng(6);
  const Model model = build_model(random_tree(rng, 5));
  const int nv = model.nv(), joints = static_cast<int>(model.joints().size());
  const Eigen::VectorXd q = random_configuration(model, rng), v = Eigen::VectorXd::Random(nv),
                        a = Eigen::VectorXd::Random(nv), tau = Eigen::VectorXd::Random(nv);
  Evaluation evaluation(System(model),
                        {"tau", "joint_wrenches", "acceleration", "d_tau", "pose:link_3", "d_link_velocities"}, 3);
  for (int k = 0; k < 3; ++k) {
    evaluation.states().q().set(k, q), evaluation.states().v().set(k, v);
    evaluation.states().a().set(k, a), evaluation.states().tau().set(k, tau);
  }
  evaluation.compute();
  const auto numbers = [&](std::size_t want, std::size_t array = 0) {
    std::vector<double> out(static_cast<std::size_t>(evaluation.arrays(want)[array].size()));
    evaluation.arrays(want)[array].copy(2, 1, out.data());
    return out;
  };
  Data data(model);
  const auto [torques, wrenches] = inverse_dynamics_and_wrenches(model, data, q, v, a);
  const Eigen::VectorXd found = forward_dynamics(model, data, q, v, tau);
  Eigen::MatrixXd dq(nv, nv), dv(nv, nv), da(nv, nv);
  inverse_dynamics_derivatives(model, data, q, v, a, dq, dv, da);
  Kinematics<double> kinematics(model);
  forward_kinematics(model, data, q, kinematics);
  constexpr double kRounding = 1e-11;
  for (int i = 0; i < nv; ++i) {
    EXPECT_NEAR(numbers(0)[static_cast<std::size_t>(i)], torques[i], kRounding);
    EXPECT_NEAR(numbers(2)[static_cast<std::size_t>(i)], found[i], kRounding * (1 + found.norm()));
    for (int j = 0; j < nv; ++j) EXPECT_NEAR(numbers(3, 1)[static_cast<std::size_t>(i * nv + j)], dv(i, j), kRounding);
  }
  for (int j = 0; j < joints; ++j) {
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(numbers(1)[static_cast<std::size_t>(6 * j + i)], wrenches(i, j), kRounding);
  }
  const int site = model.site("link_3");
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(numbers(4)[static_cast<std::size_t>(i)], kinematics.position(site)[i], kRounding);
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(numbers(4, 1)[static_cast<std::size_t>(3 * i + j)], kinematics.rotation(site)(i, j), kRounding);
  }
  SiteDerivatives<double> of_site(model);
  site_derivatives(model, data, q, v, a, site, of_site);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < nv; ++j) {
      EXPECT_NEAR(numbers(5, 1)[static_cast<std::size_t>((site * 6 + i) * nv + j)], of_site.J(i, j), kRounding);
    }
  }
}

}  // namespace
}  // namespace verne::test
