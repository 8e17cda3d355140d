/// Verne against another library on random states.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "support/paths.h"
#include "support/random_model.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/model_io.h"

namespace verne::test {

/// Relative to the largest entry. The peers lose digits where they diagonalise inertias or factorise M.
inline constexpr double kPeerTolerance = 1e-9;

/// A shipped model without friction, which the peers do not have or have otherwise.
inline Model frictionless(const std::string& name) {
  ModelSpec spec = load_spec(source_dir() + "/models/" + name + ".yaml");
  for (LinkSpec& link : spec.links) {
    for (DofSpec& dof : link.joint.dofs) dof.coulomb = dof.viscous = 0;
  }
  return build_model(std::move(spec));
}

template <class Block>
void expect_agreement(const Block& ours, const Block& theirs, const std::string& what) {
  ASSERT_EQ(ours.rows(), theirs.rows());
  ASSERT_EQ(ours.cols(), theirs.cols());
  const double scale = theirs.cwiseAbs().maxCoeff();
  EXPECT_LE((ours - theirs).cwiseAbs().maxCoeff(), kPeerTolerance * scale) << what << ", largest entry " << scale;
}

/// The torques of a motion, which are returned, and the mass matrix.
template <class Peer>
Eigen::VectorXd expect_inverse_agreement(Peer& peer, const Model& model, Data<double>& data, const Eigen::VectorXd& q,
                                         const Eigen::VectorXd& v, const Eigen::VectorXd& a, const std::string& where) {
  const int nv = model.nv();
  const Eigen::VectorXd tau = inverse_dynamics(model, data, q, v, a);
  Eigen::VectorXd peer_tau(nv);
  peer.inverse_dynamics(q, v, a, peer_tau);
  expect_agreement(tau, peer_tau, "inverse dynamics of " + where);
  Eigen::MatrixXd peer_M(nv, nv);
  peer.mass_matrix(q, peer_M);
  expect_agreement(mass_matrix(model, data, q), peer_M, "mass matrix of " + where);
  return tau;
}

/// Inverse dynamics, mass matrix and forward dynamics.
template <class Peer>
void compare_with(Peer& peer, const Model& model, int states = 20) {
  std::mt19937_64 rng(7);
  Data<> data(model);
  const int nv = model.nv();
  const auto random = [&] {
    return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(nv, [&] { return random_number(rng, -3, 3); }));
  };
  Eigen::VectorXd acceleration(nv), peer_acceleration(nv);
  for (int k = 0; k < states; ++k) {
    const std::string where = model.name() + ", state " + std::to_string(k);
    const Eigen::VectorXd q = random_configuration(model, rng), v = random(), a = random();
    const Eigen::VectorXd given = expect_inverse_agreement(peer, model, data, q, v, a, where) + random();
    forward_dynamics(model, data, q, v, given, acceleration);
    peer.forward_dynamics(q, v, given, peer_acceleration);
    expect_agreement(acceleration, peer_acceleration, "forward dynamics of " + where);
  }
}

}  // namespace verne::test
