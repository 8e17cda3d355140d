/// Every shipped model, written in every format: refused, or read back as a model that moves alike.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "io/io_support.h"
#include "support/paths.h"
#include "support/random_model.h"
#include "verne/codegen/base_parameters.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/par.h"
#include "verne/structures/mechanism.h"

namespace verne::test {
namespace {

using Writer = std::string (*)(const ModelSpec&, std::vector<std::string>*);
struct Format {
  std::string ending;
  Writer write;
};
const Format kFormats[] = {
    {".urdf", write_urdf},
    {".xml", write_mjcf},
    {".par", write_par},
    {".yaml", [](const ModelSpec& spec, std::vector<std::string>*) { return write_yaml(spec); }}};

/// Without what one of the formats says that it cannot express, and what would hide the rest.
ModelSpec with_what_all_can_say(ModelSpec spec) {
  for (LinkSpec& link : spec.links) {
    for (DofSpec& dof : link.joint.dofs) {
      dof.rotor_inertia = dof.stiffness = dof.ligament = dof.friction_width = dof.coulomb = dof.viscous = 0;
    }
    if (velocity_count(link.joint.type) > 1) link.joint.dofs.clear();
  }
  return spec;
}

void expect_moves_alike(const Model& before, const Model& after) {
  ASSERT_EQ(before.nq(), after.nq());
  ASSERT_EQ(before.nv(), after.nv());
  std::mt19937_64 rng(7);
  Data data(before), data_after(after);
  const int n = before.nv();
  for (int state = 0; state < 3; ++state) {
    const Eigen::VectorXd q = random_configuration(before, rng);
    const Eigen::VectorXd v = Eigen::VectorXd::NullaryExpr(n, [&] { return random_number(rng, -1, 1); });
    const Eigen::VectorXd a = Eigen::VectorXd::NullaryExpr(n, [&] { return random_number(rng, -1, 1); });
    Eigen::VectorXd tau(n), tau_after(n);
    inverse_dynamics(before, data, q, v, a, tau);
    inverse_dynamics(after, data_after, q, v, a, tau_after);
    EXPECT_LE((tau - tau_after).cwiseAbs().maxCoeff(), 1e-9 * tau.cwiseAbs().maxCoeff());
  }
}

void expect_same_mechanism(const Model& before, const Model& after) {
  ASSERT_EQ(before.loops().empty(), after.loops().empty());
  if (before.loops().empty()) return;
  const Mechanism a(before), b(after);
  EXPECT_EQ(a.mobility(), b.mobility());
  EXPECT_EQ(a.rank(), b.rank());
  EXPECT_LE((a.home().eigen() - b.home().eigen()).cwiseAbs().maxCoeff(), 1e-7);
}

class WrittenModels : public testing::TestWithParam<bool> {};

TEST_P(WrittenModels, AreRefusedOrMoveAlike) {
  const bool grouped = GetParam();
  std::map<std::string, int> written;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    const Model model = build_model(with_what_all_can_say(load_spec(entry.path().string())));
    const Model before = grouped ? build_model(with_base_parameters(model)) : model;
    for (const Format& format : kFormats) {
      SCOPED_TRACE(entry.path().filename().string() + " in " + format.ending);
      std::string text;
      try {
        text = format.write(before.spec(), nullptr);
      } catch (const InputError& error) {
        EXPECT_FALSE(error.problems().empty());
        continue;
      }
      ModelSpec back = read_spec(text, "m" + format.ending);
      back.gravity = before.gravity();  // which URDF does not tell, and says so
      const Model after = build_model(back);
      expect_moves_alike(before, after);
      expect_same_mechanism(before, after);
      ++written[format.ending];
    }
  }
  EXPECT_GE(written[".yaml"], 20);
  if (grouped) {
    EXPECT_GE(written[".par"], 5);
  } else {
    EXPECT_GE(written[".urdf"], 10);
    EXPECT_GE(written[".xml"], 15);
    EXPECT_GE(written[".par"], 5);
  }
}

INSTANTIATE_TEST_SUITE_P(Parameters, WrittenModels, testing::Bool(),
                         [](const auto& shown) { return shown.param ? "Grouped" : "AsTheyAre"; });

TEST(WrittenLoops, NeedAHomeOfZero) {
  const ModelSpec spec = load_spec(source_dir() + "/models/four_bar.yaml");
  const std::string file = spec.file;
  EXPECT_EQ(input_error([&] { write_urdf(spec); }),
            file +
                ":40: error: URDF cannot say from where loops are closed (home of 'crank_joint', 'coupler_joint', "
                "'rocker_joint'), and from zero they may close otherwise: write YAML or MJCF");
  EXPECT_NE(input_error([&] { write_par(spec, nullptr); }).find(".par cannot say from where loops are closed"),
            std::string::npos);
}

/// All kinds of joints that close loops, at random places of both links.
TEST(WrittenLoops, ComeBackFromUrdf) {
  std::mt19937_64 rng(4);
  RandomTreeOptions options;
  options.kinds = {JointType::revolute, JointType::prismatic};
  for (const LoopType type : {LoopType::revolute, LoopType::prismatic, LoopType::cylindrical, LoopType::planar,
                              LoopType::point_on_line, LoopType::universal, LoopType::spherical, LoopType::rigid}) {
    ModelSpec spec = random_tree(rng, 4, options);
    LoopSpec loop;
    loop.name = "closing", loop.type = type;
    loop.a = {spec.links[3].name, random_pose(rng, 1)};
    loop.b = {"world", random_pose(rng, 1)};
    spec.loops = {loop};
    for (const LinkSpec& link : spec.links) {
      if (velocity_count(link.joint.type) > 0) spec.independent = {link.joint.name};
    }
    const ModelSpec back = read_sound(read_urdf, write_urdf(spec));
    ASSERT_EQ(back.loops.size(), 1u);
    EXPECT_EQ(back.loops[0].type, type);
    EXPECT_EQ(back.loops[0].name, loop.name);
    EXPECT_EQ(back.independent, spec.independent);
    auto before = home_links(spec), after = home_links(back);
    expect_near(after[back.loops[0].a.link].X_WL * back.loops[0].a.X_LF, before[loop.a.link].X_WL * loop.a.X_LF, 1e-13,
                "a");
    expect_near(after[back.loops[0].b.link].X_WL * back.loops[0].b.X_LF, loop.b.X_LF, 1e-13, "b");
  }
}

}  // namespace
}  // namespace verne::test
