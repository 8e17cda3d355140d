/// Results that must not depend on how a model is written down: where its base stands, and in which order its links
/// come.
#include <algorithm>

#include "support/compare.h"
#include "support/reference.h"

namespace verne::test {
namespace {

class Invariance : public ModelTest {};
VERNE_ON_EVERY_MODEL(Invariance);

/// The same loads seen from a world in which the model stands at X.
Loads<double> moved(const Loads<double>& loads, const Eigen::Isometry3d& X) {
  Loads<double> out;
  for (int k = 0; k < loads.size(); ++k) {
    const Eigen::Map<const Eigen::Matrix3d> values(loads.values() + 9 * k);
    const bool in_world = loads.sites()[k].world_point;
    const Eigen::Vector3d point = values.col(2);
    out.add({.frame = loads.sites()[k].site,
             .force = X.linear() * values.col(0),
             .moment = X.linear() * values.col(1),
             .point = in_world ? X * point : point,
             .at = in_world ? At::world : At::link});
  }
  return out;
}

TEST_P(Invariance, BaseFrame) {
  const Transform<double> mount = random_pose(rng_, 2);
  ModelSpec spec = model_.spec();
  for (LinkSpec& link : spec.links) {
    if (link.parent.empty()) link.X_PJ = mount * link.X_PJ;
  }
  spec.gravity = mount.R * spec.gravity;
  const Model other = build_model(spec);
  Data<double> other_data(other);
  const State s = random_state(model_, rng_);
  const Loads<double> loads = random_loads(model_, rng_, 3), other_loads = moved(loads, to_eigen(mount));
  const auto [tau, wrenches] = inverse_dynamics_and_wrenches(model_, data_, s.q, s.v, s.a, loads);
  const Eigen::VectorXd a = forward_dynamics(model_, data_, s.q, s.v, s.tau, loads);
  const auto [other_tau, other_wrenches] = inverse_dynamics_and_wrenches(other, other_data, s.q, s.v, s.a, other_loads);
  EXPECT_TRUE(close(other_tau, tau, kRounding, largest(wrenches)));
  EXPECT_TRUE(close(other_wrenches, wrenches, kRounding));
  EXPECT_TRUE(close(forward_dynamics(other, other_data, s.q, s.v, s.tau, other_loads), a, kSolve));
  EXPECT_TRUE(close(mass_matrix(other, other_data, s.q), mass_matrix(model_, data_, s.q), kRounding));
  EXPECT_TRUE(close(coriolis_matrix(other, other_data, s.q, s.v), coriolis_matrix(model_, data_, s.q, s.v), kRounding));
  EXPECT_TRUE(close(whole_body_state(other, other_data, s.q, s.v, s.a).kinetic_energy,
                    whole_body_state(model_, data_, s.q, s.v, s.a).kinetic_energy, kRounding));
}

/// Copies the part of each joint from one order of coordinates to another, where joints have the same names.
struct Reordering {
  const Model &from, &to;

  Eigen::VectorXd positions(const Eigen::VectorXd& q) const {
    Eigen::VectorXd out(q.size());
    for (const Joint& joint : from.joints()) out.segment(partner(joint).q, joint.nq) = q.segment(joint.q, joint.nq);
    return out;
  }
  Eigen::VectorXd velocities(const Eigen::VectorXd& v) const {
    Eigen::VectorXd out(v.size());
    for (const Joint& joint : from.joints()) out.segment(partner(joint).v, joint.nv) = v.segment(joint.v, joint.nv);
    return out;
  }
  Matrix6X<double> wrenches(const Matrix6X<double>& w) const {
    Matrix6X<double> out(6, w.cols());
    for (const Joint& joint : from.joints()) out.col(partner(joint).child_link) = w.col(joint.child_link);
    return out;
  }
  Loads<double> loads(const Loads<double>& in) const {
    Loads<double> out;
    for (int k = 0; k < in.size(); ++k) {
      const LoadSite& site = in.sites()[k];
      const Eigen::Map<const Eigen::Matrix3d> values(in.values() + 9 * k);
      out.add({.frame = to.site(from.site_name(site.site)),
               .force = values.col(0),
               .moment = values.col(1),
               .point = values.col(2),
               .at = site.world_point ? At::world : At::link});
    }
    return out;
  }

 private:
  const Joint& partner(const Joint& joint) const {
    return to.joints()[static_cast<std::size_t>(to.joint(joint.spec.name))];
  }
};

TEST_P(Invariance, OrderOfLinks) {
  for (int k = 0; k < kStates; ++k) {
    ModelSpec spec = model_.spec();
    std::shuffle(spec.links.begin(), spec.links.end(), rng_);
    const Model other = build_model(spec);
    Data<double> other_data(other);
    const Reordering reorder{model_, other};
    const State s = random_state(model_, rng_);
    const Eigen::VectorXd q = reorder.positions(s.q), v = reorder.velocities(s.v), a = reorder.velocities(s.a);
    const Loads<double> loads = random_loads(model_, rng_, 3), other_loads = reorder.loads(loads);
    const auto [tau, wrenches] = inverse_dynamics_and_wrenches(model_, data_, s.q, s.v, s.a, loads);
    const auto [other_tau, other_wrenches] = inverse_dynamics_and_wrenches(other, other_data, q, v, a, other_loads);
    EXPECT_TRUE(close(other_tau, reorder.velocities(tau), kRounding, largest(wrenches)));
    EXPECT_TRUE(close(other_wrenches, reorder.wrenches(wrenches), kRounding));
    const Eigen::VectorXd driven = forward_dynamics(model_, data_, s.q, s.v, s.tau, loads);
    EXPECT_TRUE(close(forward_dynamics(other, other_data, q, v, reorder.velocities(s.tau), other_loads),
                      reorder.velocities(driven), kSolve));
    EXPECT_TRUE(close(mass_matrix(other, other_data, q) * v, reorder.velocities(mass_matrix(model_, data_, s.q) * s.v),
                      kRounding));
  }
}

}  // namespace
}  // namespace verne::test
