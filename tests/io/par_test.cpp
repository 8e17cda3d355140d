/// SYMORO's `.par`: round trips by torques and by closed motion, and what is wrong with a file.
#include "verne/io/par.h"

#include <gtest/gtest.h>

#include "structures/closed_dynamics.h"
#include "support/compare.h"
#include "support/complaint.h"
#include "support/paths.h"
#include "support/states.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

Model shipped_for_par(const std::string& name) {
  return load_model(source_dir() + "/models/" + name + ".yaml");
}

Model through_par(const Model& model) {
  Diagnostics diagnostics("robot.par");
  const ModelSpec spec = read_par(write_par(model.spec()), "robot.par", diagnostics);
  diagnostics.throw_if_errors();
  return build_model(spec);
}

TEST(Par, KeepsTorques) {
  for (const char* const name : {"rx90", "puma560", "stanford_arm", "prismatic_revolute", "shuttle_rms", "arm7"}) {
    const Model model = shipped_for_par(name), back = through_par(model);
    ASSERT_EQ(back.nv(), model.nv()) << name;
    Data<double> data(model), data_back(back);
    std::mt19937_64 rng(3);
    for (int k = 0; k < 3; ++k) {
      const State s = random_state(model, rng);
      EXPECT_TRUE(
          close(inverse_dynamics(back, data_back, s.q, s.v, s.a), inverse_dynamics(model, data, s.q, s.v, s.a), 1e-12))
          << name;
    }
  }
}

TEST(Par, KeepsRandomTrees) {
  std::mt19937_64 rng(9 + test_seed());
  for (int k = 0; k < 5; ++k) {
    const Model model = build_model(random_tree(
        rng, 6, {.kinds = {JointType::revolute, JointType::prismatic}, .fixed_joints = true, .rotor_inertia = true}));
    const Model back = through_par(model);
    Data<double> data(model), data_back(back);
    const State s = random_state(model, rng);
    EXPECT_TRUE(close(mass_matrix(back, data_back, s.q), mass_matrix(model, data, s.q), 1e-12));
  }
}

/// The format has no home: where loops are closed has to be said again.
TEST(Par, KeepsLoops) {
  const Model model = shipped_for_par("four_bar");
  const Mechanism mechanism(model);
  ModelSpec from_zero = model.spec();
  from_zero.home.clear();
  ModelSpec spec = through_par(build_model(from_zero)).spec();
  for (int k = 0; k < model.nq(); ++k) {
    spec.home.push_back({"joint" + std::to_string(k + 1), {mechanism.home().eigen()[k]}});
  }
  const Mechanism found(build_model(std::move(spec)));
  EXPECT_EQ(found.mobility(), mechanism.mobility());
  EXPECT_EQ(found.rank(), mechanism.rank());
  EXPECT_TRUE(close(found.home().eigen(), mechanism.home().eigen(), 1e-9));
}

TEST(Par, SaysWhatItCannotExpress) {
  std::vector<std::string> lost;
  write_par(shipped_for_par("rx90").spec(), &lost);
  EXPECT_EQ(lost, (std::vector<std::string>{"names of links and joints", "limits", "shapes", "named frames"}));
  EXPECT_NE(complaint<InputError>([] { write_par(shipped_for_par("humanoid").spec()); }).find(".par has no"),
            std::string::npos);
}

std::string problem_of(const std::string& text) {
  return complaint<InputError>([&] { read_spec(text, "robot.par"); });
}

TEST(Par, SaysWhatIsWrong) {
  const std::string good = write_par(shipped_for_par("two_link").spec());
  EXPECT_EQ(problem_of(good), "none");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    return text.replace(at, text.find('\n', at) - at, to);
  };
  EXPECT_NE(problem_of(with("Alpha", "")).find("the row Alpha is missing"), std::string::npos);
  EXPECT_NE(problem_of(with("XX", "")).find("the row XX is missing"), std::string::npos);
  EXPECT_NE(problem_of(with("XX", "XX = {XX1, 0}")).find("XX, entry 1"), std::string::npos);
  EXPECT_NE(problem_of(with("XX", "XX = {1}")).find("expected 2 entries, found 1"), std::string::npos);
  EXPECT_NE(problem_of(with("Ant", "Ant = {0, 2}")).find("Ant, entry 2"), std::string::npos);
  EXPECT_NE(problem_of(with("Sigma", "Sigma = {0, 7}")).find("Sigma, entry 2"), std::string::npos);
  EXPECT_NE(problem_of(good + "(* no end").find("does not end"), std::string::npos);
  EXPECT_NE(problem_of(good + "what is this\n").find("expected NAME = value"), std::string::npos);
}

}  // namespace
}  // namespace verne::test
