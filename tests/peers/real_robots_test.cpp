/// Robots of other people against KDL and MuJoCo, where these can read them.
#include <gtest/gtest.h>

#include <set>

#include "peers/agreement.h"
#include "peers/kdl_model.h"
#include "peers/mujoco_model.h"
#include "support/real_robots.h"

namespace verne::test {
namespace {

/// Without friction and couplings, which the peers do not have.
ModelSpec plain(const std::string& file) {
  ModelSpec spec = load_spec(file);
  for (LinkSpec& link : spec.links) {
    link.joint.mimic.reset();
    for (DofSpec& dof : link.joint.dofs) dof.coulomb = dof.viscous = 0;
  }
  return spec;
}

/// The way from the root to each link that carries none: KDL has solvers for chains only.
std::vector<ModelSpec> chains_of(const ModelSpec& spec) {
  std::map<std::string, const LinkSpec*> by_name;
  std::set<std::string> parents;
  for (const LinkSpec& link : spec.links) by_name[link.name] = &link, parents.insert(link.parent);
  std::vector<ModelSpec> chains;
  for (const LinkSpec& leaf : spec.links) {
    if (parents.count(leaf.name)) continue;
    ModelSpec chain = spec;
    chain.links.clear();
    for (const LinkSpec* link = &leaf; link; link = link->parent.empty() ? nullptr : by_name.at(link->parent)) {
      chain.links.insert(chain.links.begin(), *link);
    }
    chains.push_back(std::move(chain));
  }
  return chains;
}

/// Inverse dynamics and mass matrix; and that the peer finds the torques again from our accelerations, which is
/// independent of how badly a hand on an arm is conditioned.
template <class Peer>
void expect_agreement_both_ways(Peer& peer, const Model& model, const std::string& where) {
  std::mt19937_64 rng(61);
  Data<> data(model);
  const int n = model.nv();
  const auto random = [&] {
    return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(n, [&] { return random_number(rng, -2, 2); }));
  };
  Eigen::VectorXd peer_tau(n);
  for (int k = 0; k < 3; ++k) {
    const Eigen::VectorXd q = random_configuration(model, rng), v = random();
    Eigen::VectorXd tau = expect_inverse_agreement(peer, model, data, q, v, random(), where);
    if (!model.joints_without_inertia().empty()) continue;
    tau += random();
    peer.inverse_dynamics(q, v, forward_dynamics(model, data, q, v, tau), peer_tau);
    expect_agreement(tau, peer_tau, "forward dynamics of " + where);
  }
}

TEST(RealRobots, AgreeWithKdl) {
  const std::vector<std::string> files = real_urdf_files();
  VERNE_SKIP_WITHOUT_ROBOTS(files);
  for (const std::string& file : files) {
    int compared = 0;
    for (ModelSpec& spec : chains_of(plain(file))) {
      const Model model = build_model(std::move(spec));
      auto peer = peers::KdlModel::from(model);
      if (!peer) continue;
      expect_agreement_both_ways(*peer, model, file + " to " + model.links().back().name);
      ++compared;
    }
    EXPECT_GT(compared, 0) << file;
  }
}

TEST(RealRobots, AgreeWithMujoco) {
  const std::vector<std::string> files = real_urdf_files();
  VERNE_SKIP_WITHOUT_ROBOTS(files);
  int compared = 0;
  for (const std::string& file : files) {
    const Model model = build_model(plain(file));
    auto peer = peers::MujocoModel::from(model);
    if (!peer) {  // it refuses bodies beyond the triangle inequality, and moving bodies without mass
      EXPECT_FALSE(model.plausibility_warnings().empty()) << file;
      continue;
    }
    expect_agreement_both_ways(*peer, model, file);
    ++compared;
  }
  EXPECT_GE(compared, 8);
}

}  // namespace
}  // namespace verne::test
