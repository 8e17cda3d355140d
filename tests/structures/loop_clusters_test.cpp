/// Local loops as aggregate joints of a tree (docs/theory/loops.md, section 10) against the general method, which is
/// what complex numbers take.
#include "structures/mechanism_batch_support.h"
#include "verne/dynamics/dynamics.h"

namespace verne::test {
namespace {

/// Four-bars that stand on each other's couplers; `spin` turns each about its coupler's axis, so that chains leave the
/// plane.
Model four_bar_chain(int count, double spin) {
  const ModelSpec one = shipped_model("four_bar").spec();
  ModelSpec spec = one;
  spec.links.resize(1), spec.loops.clear(), spec.home.clear(), spec.independent.clear();
  std::string ground = one.links[0].name;
  for (int k = 0; k < count; ++k) {
    const std::string number = "_" + std::to_string(k);
    for (std::size_t i = 1; i < one.links.size(); ++i) {
      LinkSpec link = one.links[i];
      const bool on_ground = link.parent == one.links[0].name;
      if (on_ground && k > 0) link.X_PJ = Transform<double>{rotation_x(spin), {0, 0, 0}} * link.X_PJ;
      link.name += number, link.joint.name += number;
      link.parent = on_ground ? ground : link.parent + number;
      spec.links.push_back(link);
    }
    LoopSpec loop = one.loops[0];
    loop.name += number, loop.a.link += number, loop.b.link += number;
    spec.loops.push_back(loop);
    for (HomeSpec home : one.home) home.joint += number, spec.home.push_back(home);
    for (const std::string& joint : one.independent) spec.independent.push_back(joint + number);
    ground = "coupler" + number;
  }
  return build_model(spec);
}

/// Cancellation along a chain, relative to the largest entry; the general method inverts dense matrices.
constexpr double kRounding = 1e-10;

/// For complex numbers, which take the general method.
Loads<Complex> complex_loads(const Loads<double>& loads) {
  Loads<Complex> out;
  for (int k = 0; k < loads.size(); ++k) {
    const Eigen::Map<const Eigen::Matrix3d> x(loads.values() + 9L * k);
    const auto part = [&](int i) { return Vector3<Complex>(x.col(i).cast<Complex>()); };
    out.add({loads.sites()[k].site, part(0), part(1), part(2), loads.sites()[k].world_point ? At::world : At::link});
  }
  return out;
}

class LoopClusters : public testing::TestWithParam<int> {
 protected:
  const Model model_ = four_bar_chain(GetParam(), 0.4);
  const Mechanism mechanism_{model_};
  MechanismData<double> data_{mechanism_};
  MechanismData<Complex> general_{mechanism_};
  std::mt19937_64 rng_{7};
  const ClosedState s_ = closed_state(mechanism_, rng_, 0.02);
  const ComplexVector q_ = s_.q.cast<Complex>(), v_ = s_.v.cast<Complex>(), a_ = s_.a.cast<Complex>(),
                      tau_ = s_.tau.cast<Complex>();
  const Loads<double> loads_ = random_loads(model_, rng_, 2);
};
INSTANTIATE_TEST_SUITE_P(Chains, LoopClusters, testing::Values(1, 4, 16));

TEST_P(LoopClusters, AsTheGeneralMethod) {
  const Loads<Complex> loads = complex_loads(loads_);
  const auto forward = forward_dynamics_and_wrenches<double>(mechanism_, data_, s_.q, s_.v, s_.tau, loads_);
  const auto dense = forward_dynamics_and_wrenches<Complex>(mechanism_, general_, q_, v_, tau_, loads);
  EXPECT_TRUE(close(forward.a, dense.a.real(), kRounding));
  EXPECT_TRUE(close(forward.loop_wrenches, dense.loop_wrenches.real(), kRounding));
  EXPECT_TRUE(close(forward.joint_wrenches, dense.joint_wrenches.real(), kRounding));
  EXPECT_EQ(forward.a, forward_dynamics<double>(mechanism_, data_, s_.q, s_.v, s_.tau, loads_));
  const auto inverse = inverse_dynamics_and_wrenches<double>(mechanism_, data_, s_.q, s_.v, s_.a, loads_);
  const auto needed = inverse_dynamics_and_wrenches<Complex>(mechanism_, general_, q_, v_, a_, loads);
  EXPECT_TRUE(close(inverse.tau, needed.tau.real(), kRounding));
  EXPECT_TRUE(close(inverse.loop_wrenches, needed.loop_wrenches.real(), kRounding));
  EXPECT_TRUE(close(inverse.joint_wrenches, needed.joint_wrenches.real(), kRounding));
}

/// Lanes, with wrenches where equations repeat others: no state is left to the general method.
TEST_P(LoopClusters, InBatches) {
  for (const BatchOptions& options : batch_options()) {
    MechanismBatch batch(mechanism_, kBatchStates, options);
    for (int k = 0; k < kBatchStates; ++k) put_state(batch, k, s_);
    batch.tree.set_loads(loads_);
    forward_dynamics(batch, true);
    EXPECT_EQ(batch.singles(), 0);
    const auto one = forward_dynamics_and_wrenches<double>(mechanism_, data_, s_.q, s_.v, s_.tau, loads_);
    EXPECT_TRUE(close(batch.tree.a.get(kBatchStates - 1), one.a, kRounding));
    EXPECT_TRUE(close(batch.loop_wrenches.matrix(kBatchStates - 1, 6), one.loop_wrenches, kRounding));
    put_state(batch, 0, s_);
    inverse_dynamics(batch);
    EXPECT_EQ(batch.singles(), 0);
    EXPECT_TRUE(
        close(batch.tau.get(0), inverse_dynamics<double>(mechanism_, data_, s_.q, s_.v, s_.a, loads_), kRounding));
  }
}

/// 64 four-bars fall for a while: no energy comes or goes, and no loop opens. Runge-Kutta of order four, all velocities
/// of the tree by themselves.
TEST(LoopClusters, KeepEnergyOfALongChain) {
  constexpr double kStep = 1e-3;
  constexpr int kSteps = 30;
  const Model model = four_bar_chain(64, 0.1);
  const Mechanism mechanism(model);
  MechanismData<double> data(mechanism);
  Data<double> tree(model);
  Eigen::VectorXd q = mechanism.home().eigen(), v = Eigen::VectorXd::Zero(model.nv());
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(Eigen::Index(mechanism.actuated().size()));
  const auto energy = [&] { return whole_body_state<double>(model, tree, q, v, Eigen::VectorXd::Zero(v.size())); };
  const auto before = energy();
  const auto a = [&](const Eigen::VectorXd& at, const Eigen::VectorXd& speed) -> Eigen::VectorXd {
    return forward_dynamics<double>(mechanism, data, at, speed, tau);
  };
  for (int k = 0; k < kSteps; ++k) {
    const Eigen::VectorXd a1 = a(q, v), v2 = v + 0.5 * kStep * a1, a2 = a(q + 0.5 * kStep * v, v2);
    const Eigen::VectorXd v3 = v + 0.5 * kStep * a2, a3 = a(q + 0.5 * kStep * v2, v3);
    const Eigen::VectorXd v4 = v + kStep * a3, a4 = a(q + kStep * v3, v4);
    q += kStep / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += kStep / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  const auto after = energy();
  EXPECT_GT(after.kinetic_energy, 0.1);
  EXPECT_NEAR(after.kinetic_energy + after.potential_energy, before.kinetic_energy + before.potential_energy,
              1e-7 * after.kinetic_energy);
  EXPECT_LT(largest_opening(mechanism, data, q), 1e-8);
}

}  // namespace
}  // namespace verne::test
