/// Base parameters: rules of closed form against the rank of the regressor, and the reduced model against the full one.
#include "verne/codegen/base_parameters.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>
#include <set>

#include "structures/closed_dynamics.h"
#include "support/compare.h"
#include "support/paths.h"
#include "support/states.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/regressor.h"
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

/// Factors are solved for with columns that are told apart at 1e-8.
constexpr double kOfFactors = 1e-8;

const ParameterColumns kOfBodies{.every_link = false, .friction = false, .rotors = true};

/// Names of those columns.
std::vector<std::string> names_of_columns(const Model& model) {
  std::vector<std::string> out;
  std::set<int> bodies;
  for (const Link& link : model.links()) {
    if (link.body < 0 || !bodies.insert(link.body).second) continue;
    for (const char* const name : {"M", "MX", "MY", "MZ", "XX", "XY", "XZ", "YY", "YZ", "ZZ"}) {
      out.push_back(std::string(name) + "(" + link.name + ")");
    }
  }
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.nv; ++k) {
      out.push_back("IA(" + joint.spec.name + (joint.nv > 1 ? " " + std::to_string(k + 1) : "") + ")");
    }
  }
  return out;
}

/// Base parameters in place of the parameters that are kept, and zero for all others.
Eigen::VectorXd reduced(const Model& model, const BaseParameters& found, const Eigen::VectorXd& values) {
  std::map<std::string, Eigen::Index> column;
  for (const std::string& name : names_of_columns(model))
    column.emplace(name, static_cast<Eigen::Index>(column.size()));
  Eigen::VectorXd out = Eigen::VectorXd::Zero(values.size());
  for (const BaseParameter& base : found.base) {
    double& sum = out[column.at(base.parameter)];
    sum = values[column.at(base.parameter)];
    for (const auto& [factor, name] : base.others) sum += factor * values[column.at(name)];
  }
  return out;
}

/// One test for all that is said of a mechanism: to find its parameters takes most of the time.
class ClosedBaseParameters : public testing::TestWithParam<const char*> {
 protected:
  Model model_ = shipped_arm(GetParam());
  BaseParameters found_ = numerical_base_parameters(model_);
  void expect_as_many_as_counted();
  void expect_same_forces_and_none_idle();
  void expect_not_told_whose_a_point_mass_is();
};

/// Planar bars have M, MX, MY and ZZ; less M where a pivot is fixed, and less one for each pivot between two bars,
/// where a point mass may belong to either. Of a slide, M alone counts. Rotors of pivots between bars come on top. A
/// platform has ten, each of its legs nine about its fixed centre and the four of its piston that are no inertia, less
/// a point mass at each ball; then rotors of pistons, and of the platform's six less one: the same about all three axes
/// is a ball's inertia.
void ClosedBaseParameters::expect_as_many_as_counted() {
  const struct {
    const char* name;
    int bodies, rotors;
  } cases[] = {{"four_bar", 3 + 4 + 3 - 2, 1},
               {"slider_crank", 3 + 4 + 1 - 2, 1},
               {"five_bar", 3 + 4 + 4 + 3 - 3, 2},
               {"gough_stewart", 10 + 6 * (9 + 4) - 6, 6 + 5}};
  for (const auto& c : cases) {
    if (std::string(c.name) != GetParam()) continue;
    EXPECT_EQ(of_bodies(found_), c.bodies);
    EXPECT_EQ(found_.count() - of_bodies(found_), c.rotors);
  }
}

/// Forces of closed motions by the dynamics of mechanisms, and by the regressor of the tree with reduced parameters;
/// and that none of these can be spared, by the rank of another factorization at other states.
void ClosedBaseParameters::expect_same_forces_and_none_idle() {
  const Mechanism mechanism(model_);
  MechanismData<double> closed(mechanism);
  Data<double> data(model_);
  const int n = mechanism.mobility();
  const Eigen::VectorXd values = parameters(model_, kOfBodies), base = reduced(model_, found_, values);
  const Eigen::VectorXd home = mechanism.home().eigen(), start = mechanism.independent_home().eigen();
  const int states = 2 * static_cast<int>(values.size()) / n;
  Eigen::MatrixXd W(states * n, values.size()), G(model_.nv(), n);
  Eigen::VectorXd q(model_.nq()), v(model_.nv()), a(model_.nv()), forces(n);
  std::mt19937_64 rng(9);
  for (int k = 0; k < states; ++k) {
    assemble(mechanism, closed, start + random_values(rng, static_cast<int>(start.size()), 0.05), home, q);
    closed_motion(mechanism, closed, q, random_values(rng, n, 3), random_values(rng, n, 3), v, a);
    closed_jacobian(mechanism, closed, q, G);
    const auto rows = W.middleRows(k * n, n) = G.transpose() * regressor(model_, data, q, v, a, kOfBodies);
    generalized_forces(mechanism, closed, q, v, a, forces);
    EXPECT_TRUE(close(rows * base, forces, 1e-10));
  }
  for (auto column : W.colwise()) {
    if (column.norm() > 1e-9) column.normalize();
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(W);
  factors.setThreshold(1e-9);
  EXPECT_EQ(factors.rank(), found_.count());
}

/// A point mass at a joint that closes a loop may belong to either of its links.
void ClosedBaseParameters::expect_not_told_whose_a_point_mass_is() {
  const auto with_mass_at = [&](const LoopEnd& end) {
    ModelSpec spec = model_.spec();
    LinkSpec mass;
    mass.name = "point_mass", mass.parent = end.link, mass.X_PJ = end.X_LF, mass.has_inertial = true, mass.mass = 3;
    mass.joint.name = "point_mass_joint";
    spec.links.push_back(mass);
    return parameters(build_model(std::move(spec)), kOfBodies);
  };
  for (const LoopSpec& loop : model_.spec().loops) {
    const Eigen::VectorXd a = with_mass_at(loop.a), b = with_mass_at(loop.b);
    EXPECT_GT((a - b).norm(), 1) << loop.name;
    EXPECT_TRUE(close(reduced(model_, found_, a), reduced(model_, found_, b), kOfFactors)) << loop.name;
  }
}

TEST_P(ClosedBaseParameters, AreThoseOfTheMechanism) {
  expect_as_many_as_counted();
  expect_same_forces_and_none_idle();
  expect_not_told_whose_a_point_mass_is();
}

INSTANTIATE_TEST_SUITE_P(Models, ClosedBaseParameters,
                         testing::Values("four_bar", "slider_crank", "five_bar", "sr400", "delta", "gough_stewart"),
                         [](const auto& parameter) { return std::string(parameter.param); });

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
