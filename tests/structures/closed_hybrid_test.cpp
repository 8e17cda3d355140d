/// Hybrid dynamics of mechanisms against their forward dynamics, in which all torques are given.
#include "structures/closed_hybrid.h"

#include "dynamics/hybrid.h"
#include "structures/mechanism_support.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

constexpr double kUnread = 1e6;  // in place of what is to be found

/// Any of the joints may be given, a few of which are tried: what is found is the motion that forward dynamics has, and
/// its torques and wrenches.
TEST(ClosedHybrid, CompletesWhatForwardDynamicsFinds) {
  std::mt19937_64 rng(5);
  for (const char* name : {"four_bar", "slider_crank", "five_bar", "sr400", "delta", "gough_stewart", "hybrid"}) {
    SCOPED_TRACE(name);
    const Model model = shipped_model(name);
    const Mechanism mechanism(model);
    MechanismData<double> data(mechanism);
    const auto loops = static_cast<Eigen::Index>(model.loops().size()),
               joints = static_cast<Eigen::Index>(model.joints().size());
    for (Eigen::Index j = 0; j < joints; j += 1 + joints / 6) {
      const Joint& joint = model.joints()[static_cast<std::size_t>(j)];
      if (joint.nv != 1) continue;
      const ClosedState s = closed_state(mechanism, rng, 0.2);
      Eigen::VectorXd a(model.nv()), torques = Eigen::VectorXd::Zero(model.nv());
      Matrix6X<double> loops_expected(6, loops), joints_expected(6, joints), of_loops(6, loops), of_joints(6, joints);
      forward_dynamics(mechanism, data, s.q, s.v, s.tau, a, nullptr, &loops_expected, &joints_expected);
      for (std::size_t k = 0; k < mechanism.actuated().size(); ++k) {
        torques[mechanism.actuated()[k]] = s.tau[static_cast<Eigen::Index>(k)];
      }
      // Another one beside it, where two can be told.
      std::vector<int> told{static_cast<int>(j)};
      const int second = mechanism.independent().back();
      if (mechanism.mobility() > 2 && second != joint.v) {
        for (std::size_t i = 0; i < model.joints().size(); ++i) {
          if (model.joints()[i].v == second && model.joints()[i].nv == 1) told.push_back(static_cast<int>(i));
        }
      }
      const GivenAccelerations given(model, told);
      Eigen::VectorXd found = Eigen::VectorXd::Constant(model.nv(), kUnread), tau = torques;
      for (int k = 0; k < model.nv(); ++k) {
        if (given[k]) found[k] = a[k], tau[k] = kUnread;
      }
      hybrid_dynamics(mechanism, data, given, s.q, s.v, found, tau, nullptr, &of_loops, &of_joints);
      EXPECT_LT((found - a).cwiseAbs().maxCoeff(), 1e-8 * (1 + a.cwiseAbs().maxCoeff())) << joint.spec.name;
      EXPECT_LT((tau - torques).cwiseAbs().maxCoeff(), 1e-8 * (1 + joints_expected.cwiseAbs().maxCoeff()))
          << joint.spec.name;
      const double size = 1 + joints_expected.cwiseAbs().maxCoeff();
      EXPECT_LT((of_loops - loops_expected).cwiseAbs().maxCoeff(), 1e-8 * size) << joint.spec.name;
      EXPECT_LT((of_joints - joints_expected).cwiseAbs().maxCoeff(), 1e-8 * size) << joint.spec.name;
    }
  }
}

/// Without loops it is that of the tree, loads included.
TEST(ClosedHybrid, IsThatOfTheTree) {
  const Model model = shipped_model("humanoid");
  const Mechanism mechanism(model);
  MechanismData<double> data(mechanism);
  Data<double> tree(model);
  std::mt19937_64 rng(6);
  const Eigen::VectorXd q = mechanism.home().eigen(), v = random_values(rng, model.nv(), 1),
                        known_a = random_values(rng, model.nv(), 1), known_tau = random_values(rng, model.nv(), 10);
  Loads<double> loads;
  loads.add({1, {1, 2, 3}, {0.1, 0.2, 0.3}, {0, 0, 0.1}, At::link});
  const std::vector<int> told{0, 3, 4};
  const GivenAccelerations given(model, told);
  Eigen::VectorXd a = known_a, tau = known_tau, tree_a = known_a, tree_tau = known_tau;
  hybrid_dynamics(mechanism, data, given, q, v, a, tau, &loads);
  hybrid_dynamics<double>(model, tree, given, q, v, tree_a, tree_tau, &loads);
  EXPECT_LT((a - tree_a).cwiseAbs().maxCoeff(), 1e-9 * tree_a.cwiseAbs().maxCoeff());
  EXPECT_LT((tau - tree_tau).cwiseAbs().maxCoeff(), 1e-9 * tree_tau.cwiseAbs().maxCoeff());
}

TEST(ClosedHybrid, RefusesJointsThatLoopsTie) {
  const Model model = shipped_model("four_bar");
  const Mechanism mechanism(model);
  MechanismData<double> data(mechanism);
  const std::vector<int> told{model.joint("crank_joint"), model.joint("rocker_joint")};
  Eigen::VectorXd v = Eigen::VectorXd::Zero(model.nv()), a = v, tau = v;
  const std::string text = complaint<InputError>(
      [&] { hybrid_dynamics(mechanism, data, GivenAccelerations(model, told), mechanism.home().eigen(), v, a, tau); });
  EXPECT_NE(text.find("tie coordinates to each other whose accelerations are given: 'crank_joint', 'rocker_joint'"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace verne::test
