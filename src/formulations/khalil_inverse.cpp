/// The inverse model of [K10], section 3.2, and what section 3.3.1 makes of it. Symbols: khalil_steps.h; also
///
///   ʲω_i, ʲω_j, ʲω̇_j   omega_i, omega, omega_dot
///   ʲU_j               applied as U(): U v = ω̇ × v + ω × (ω × v)
///   ʲF_j, ʲM_j         F, M                    force and moment that the motion of link j takes
///   ʲf_j, ʲm_j         wrench[j].top, .bottom

#include "formulations/factors.h"
#include "formulations/instances.h"
#include "formulations/khalil_steps.h"

namespace verne::formulations {

namespace {

template <class S>
struct LinkMotion {
  Vec3<S> omega, omega_dot, V_dot;

  Vec3<S> U(const Vec3<S>& v) const { return cross(omega_dot, v) + cross(omega, cross(omega, v)); }
};

/// (18)-(21)
template <class S>
LinkMotion<S> moved(const KhalilJoint<S>& joint, const LinkMotion<S>& before, const S& qdd) {
  const Vec3<S> velocity = joint.axis * joint.rate, acceleration = joint.axis * qdd;
  LinkMotion<S> now;
  const Vec3<S> omega_i = transpose_times(joint.R, before.omega);  // (18)
  now.omega = omega_i;
  now.omega_dot = transpose_times(joint.R, before.omega_dot);
  now.V_dot = transpose_times(joint.R, before.V_dot + before.U(joint.P));
  if (joint.revolute) {
    now.omega += velocity;                                     // (19)
    now.omega_dot += acceleration + cross(omega_i, velocity);  // (20)
  }
  if (joint.prismatic) {
    const Vec3<S> turned = cross(omega_i, velocity);
    now.V_dot += acceleration + turned + turned;  // (21)
  }
  return now;
}

}  // namespace

template <class S>
KhalilBaseMotion<S> resting_base(const MdhTree& tree) {
  return {Vec3<S>::zero(), Vec3<S>::zero(), cast<S>(-tree.gravity)};
}

template <class S>
KhalilInverse<S> khalil_inverse(const MdhTree& tree, const KhalilState<S>& state, std::span<const S> qdd,
                                const KhalilBaseMotion<S>& base) {
  check_sizes(tree, state, qdd.size(), "khalil_inverse");
  const std::size_t count = tree.links.size();
  KhalilInverse<S> out{std::vector<S>(qdd.size(), S(0)), std::vector<Vec6<S>>(count, Vec6<S>::zero()),
                       std::vector<Vec6<S>>(count, Vec6<S>::zero())};
  const std::vector<KhalilJoint<S>> joints = khalil_joints(tree, state.q, state.qd);
  std::vector<LinkMotion<S>> motion(count);
  for (std::size_t j = 0; j < count; ++j) {
    const MdhLink& link = tree.links[j];
    const S own = link.variable < 0 ? S(0) : qdd[static_cast<std::size_t>(link.variable)];
    motion[j] = j == 0 ? LinkMotion<S>{base.omega, base.omega_dot, base.V_dot}
                       : moved(joints[j], motion[static_cast<std::size_t>(link.antecedent)], own);
    const auto& [omega, omega_dot, V_dot] = motion[j];
    const Vec3<S> MS = cast<S>(link.first_moment);
    const Sym3<S> J = rotational_inertia<S>(link);
    out.wrench[j].top = V_dot * S(link.mass) + motion[j].U(MS);                         // (22)
    out.wrench[j].bottom = J * omega_dot + cross(omega, J * omega) + cross(MS, V_dot);  // (23)
    if (!state.f_e.empty()) out.wrench[j] += state.f_e[j];                              // (26), (27)
    out.acceleration[j] = {V_dot, omega_dot};
  }
  for (std::size_t j = count; j-- > 1;) {
    const MdhLink& link = tree.links[j];
    const KhalilJoint<S>& joint = joints[j];
    const Vec3<S> f_in_i = joint.R * out.wrench[j].top;  // (28)
    if (link.antecedent > 0 || tree.moving_base) {
      Vec6<S>& before = out.wrench[static_cast<std::size_t>(link.antecedent)];
      before.top += f_in_i;                                                      // (29)
      before.bottom += joint.R * out.wrench[j].bottom + cross(joint.P, f_in_i);  // (30)
    }
    if (link.variable < 0) continue;
    const auto k = static_cast<std::size_t>(link.variable);
    out.torque[k] = (joint.revolute ? out.wrench[j].bottom.z : out.wrench[j].top.z) + qdd[k] * S(link.rotor_inertia) +
                    friction(link, state.qd[k]);  // (31)
  }
  return out;
}

template <class S>
KhalilMatrices<S> khalil_matrices(const MdhTree& tree, const KhalilState<S>& state) {
  const auto n = static_cast<std::size_t>(tree.variables);
  check_sizes(tree, state, n, "khalil_matrices");
  const std::vector<S> zero(n, S(0));
  const KhalilBaseMotion<S> still{Vec3<S>::zero(), Vec3<S>::zero(), Vec3<S>::zero()};
  const auto vector = [](const std::vector<S>& x) {
    return Eigen::Map<const Eigen::Matrix<S, Eigen::Dynamic, 1>>(x.data(), static_cast<Eigen::Index>(x.size()));
  };
  KhalilMatrices<S> out;
  out.H = vector(khalil_inverse<S>(tree, state, zero).torque);
  out.A.resize(tree.variables, tree.variables);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<S> unit = zero;
    unit[i] = S(1);
    out.A.col(static_cast<Eigen::Index>(i)) = vector(khalil_inverse<S>(tree, {state.q, zero}, unit, still).torque);
  }
  return out;
}

template <class S>
std::vector<S> khalil_direct_by_columns(const MdhTree& tree, const KhalilState<S>& state, std::span<const S> torque) {
  check_sizes(tree, state, torque.size(), "khalil_direct_by_columns");
  const KhalilMatrices<S> matrices = khalil_matrices(tree, state);
  const Factors<S> factors(matrices.A);
  if (!factors.full_rank()) throw InputError("the inertia matrix is singular: a mass or an inertia is missing");
  const Eigen::Map<const Eigen::Matrix<S, Eigen::Dynamic, 1>> Gamma(torque.data(), tree.variables);
  const Eigen::Matrix<S, Eigen::Dynamic, 1> qdd = factors.solve(Gamma - matrices.H);  // (8) corrected
  return {qdd.data(), qdd.data() + qdd.size()};
}

template <class S>
std::vector<Transform<S>> khalil_poses(const MdhTree& tree, std::span<const S> q) {
  const std::vector<KhalilJoint<S>> joints = khalil_joints(tree, q, std::span<const S>());
  std::vector<Transform<S>> poses(tree.links.size(), Transform<S>::identity());
  for (std::size_t j = 1; j < poses.size(); ++j) {
    poses[j] = poses[static_cast<std::size_t>(joints[j].i)] * Transform<S>{joints[j].R, joints[j].P};
  }
  return poses;
}

template <class S>
std::vector<Vec6<S>> khalil_velocities(const MdhTree& tree, std::span<const S> q, std::span<const S> qd) {
  const std::vector<KhalilJoint<S>> joints = khalil_joints(tree, q, qd);
  std::vector<Vec6<S>> V(tree.links.size(), Vec6<S>::zero());
  for (std::size_t j = 1; j < V.size(); ++j) {
    V[j] = joints[j].T() * V[static_cast<std::size_t>(joints[j].i)] + joints[j].a() * joints[j].rate;  // (13)
  }
  return V;
}

#define VERNE_INSTANTIATE(S)                                                                                  \
  template std::vector<Vec6<S>> khalil_velocities<S>(const MdhTree&, std::span<const S>, std::span<const S>); \
  template KhalilBaseMotion<S> resting_base<S>(const MdhTree&);                                               \
  template KhalilInverse<S> khalil_inverse<S>(const MdhTree&, const KhalilState<S>&, std::span<const S>,      \
                                              const KhalilBaseMotion<S>&);                                    \
  template std::vector<Transform<S>> khalil_poses<S>(const MdhTree&, std::span<const S>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
VERNE_INSTANTIATE(Counted)
#undef VERNE_INSTANTIATE
#define VERNE_INSTANTIATE(S)                                                            \
  template KhalilMatrices<S> khalil_matrices<S>(const MdhTree&, const KhalilState<S>&); \
  template std::vector<S> khalil_direct_by_columns<S>(const MdhTree&, const KhalilState<S>&, std::span<const S>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne::formulations
