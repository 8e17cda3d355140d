/// Base parameters: rules of closed form against the rank of the regressor, and the reduced model against the full one.
#include "verne/codegen/base_parameters.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/compare.h"
#include "support/paths.h"
#include "support/states.h"
#include "verne/dynamics/derivatives.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

Model shipped_arm(const std::string& name) {
  return load_model(source_dir() + "/models/" + name + ".yaml");
}

Model without_rotors(const Model& model) {
  ModelSpec spec = model.spec();
  for (LinkSpec& link : spec.links) {
    for (DofSpec& dof : link.joint.dofs) dof.rotor_inertia = 0;
  }
  return build_model(std::move(spec));
}

/// Base parameters that are not rotors.
int of_bodies(const BaseParameters& found) {
  return static_cast<int>(std::count_if(found.base.begin(), found.base.end(),
                                        [](const BaseParameter& p) { return !p.parameter.starts_with("IA("); }));
}

TEST(BaseParameters, AreAsManyAsKhalilCounts) {
  for (const char* const name : {"rx90", "puma560"}) {
    const Model model = shipped_arm(name);
    const BaseParameters rules = base_parameters(model), rank = numerical_base_parameters(model);
    EXPECT_EQ(rules.count(), 40) << name;
    EXPECT_EQ(rank.count(), 40) << name;
    EXPECT_EQ(of_bodies(rules), 36) << name;
    EXPECT_EQ(of_bodies(rank), 36) << name;
  }
}

TEST(BaseParameters, RulesAndRankAgreeOnShippedTrees) {
  for (const char* const name : {"arm7", "double_pendulum", "elastic_arm", "prismatic_revolute", "quadruped",
                                 "shuttle_rms", "stanford_arm", "two_link", "space_arm"}) {
    const Model model = shipped_arm(name);
    EXPECT_EQ(base_parameters(model).count(), numerical_base_parameters(model).count()) << name;
  }
}

TEST(BaseParameters, RulesAndRankAgreeOnRandomTrees) {
  std::mt19937_64 rng(5 + test_seed());
  for (int k = 0; k < 12; ++k) {
    const Model model = build_model(
        random_tree(rng, 2 + k % 5,
                    {.kinds = {JointType::revolute, JointType::prismatic}, .chain = k % 2 == 0, .fixed_joints = true}));
    EXPECT_EQ(base_parameters(model).count(), numerical_base_parameters(model).count()) << k;
  }
}

/// What a base parameter is made of acts on the torques as the parameter itself does: of the numbers found by rank,
/// each group is checked by changing one parameter and taking it out of the one that is kept.
TEST(BaseParameters, ClosedLoopsHaveFewer) {
  for (const char* const name : {"four_bar", "sr400"}) {
    const Model model = shipped_arm(name);
    const int closed = numerical_base_parameters(model).count(), open = base_parameters(model).count();
    EXPECT_LT(closed, open) << name;
    EXPECT_GT(closed, 0) << name;
  }
}

class GroupedModel : public ModelTest {};
VERNE_ON_EVERY_MODEL(GroupedModel);

TEST_P(GroupedModel, MovesAsTheFullOne) {
  const Model grouped = build_model(with_base_parameters(model_));
  Data<double> data(grouped);
  constexpr double kSame = 1e-10;
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(model_, rng_);
    const Eigen::MatrixXd M = mass_matrix(model_, data_, s.q);
    EXPECT_TRUE(close(mass_matrix(grouped, data, s.q), M, kSame));
    EXPECT_TRUE(close(inverse_dynamics(grouped, data, s.q, s.v, s.a), inverse_dynamics(model_, data_, s.q, s.v, s.a),
                      kSame, kSmall));
    const Eigen::VectorXd moments = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues();
    const double condition = std::max(1.0, moments.tail<1>()[0] / moments[0]);
    EXPECT_TRUE(close(forward_dynamics(grouped, data, s.q, s.v, s.tau),
                      forward_dynamics(model_, data_, s.q, s.v, s.tau), std::max(kSame, 1e-13 * condition)));
    // Kernels that refer to centres of mass, which these bodies do not have.
    const auto expected = inverse_dynamics_derivatives(model_, data_, s.q, s.v, s.a);
    const auto found = inverse_dynamics_derivatives(grouped, data, s.q, s.v, s.a);
    EXPECT_TRUE(close(found.dq, expected.dq, kSame, kSmall));
    EXPECT_TRUE(close(found.dv, expected.dv, kSame, kSmall));
  }
}

TEST(GroupedModelFile, IsWrittenAndReadBack) {
  const Model model = shipped_arm("rx90");
  const ModelSpec spec = with_base_parameters(model);
  Diagnostics diagnostics;
  const Model back = build_model(read_yaml(write_yaml(spec), "grouped.yaml", diagnostics));
  EXPECT_TRUE(diagnostics.errors().empty());
  Data<double> data(model), data_back(back);
  std::mt19937_64 rng(2);
  const State s = random_state(model, rng);
  EXPECT_TRUE(
      close(inverse_dynamics(back, data_back, s.q, s.v, s.a), inverse_dynamics(model, data, s.q, s.v, s.a), 1e-10));
  EXPECT_THROW(write_urdf(spec), InputError);
  const ModelSpec plain = without_rotors(model).spec();
  EXPECT_NO_THROW(write_urdf(plain));
}

TEST(FirstMoment, IsRefusedWhereNoMassCanGoWithIt) {
  ModelSpec spec = shipped_arm("prismatic_revolute").spec();
  for (LinkSpec& link : spec.links) {
    if (link.joint.type != JointType::prismatic) continue;
    link.mass = 0, link.first_moment = Vec3<double>{1, 0, 0};
  }
  EXPECT_THROW(build_model(spec), InputError);
}

}  // namespace
}  // namespace verne::test
