/// [K10], section 7. Symbols: khalil_steps.h, khalil_recursion.h; also
///
///   ʲ𝕁^c_j, ʲβ^c_j   J_c[j], beta_c[j]   inertia and bias wrench of the composite link j
///   ʲζ_j             zeta[j]
#include "formulations/khalil_moving_base.h"

#include "formulations/factors.h"
#include "formulations/instances.h"
#include "formulations/khalil_recursion.h"

namespace verne::formulations {

namespace {

template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;

/// ⁰g, to be added to V̇_0 − g.
template <class S>
Vec6<S> gravity_of(const MdhTree& tree, const KhalilMovingBase<S>& base) {
  return {transpose_times(base.R_w0, cast<S>(tree.gravity)), Vec3<S>::zero()};
}

/// A and H of (83): 6 + n rows, gravity left out, by the inverse model as section 7.1 says.
template <class S>
KhalilMatrices<S> matrices(const MdhTree& tree, const KhalilState<S>& state, const KhalilMovingBase<S>& base) {
  const auto n = static_cast<std::size_t>(tree.variables);
  const auto column = [&](const KhalilInverse<S>& out) {
    Vector<S> all(tree.variables + 6);
    for (int i = 0; i < 6; ++i) all[i] = out.wrench[0][i];
    for (std::size_t k = 0; k < n; ++k) all[static_cast<Eigen::Index>(k) + 6] = out.torque[k];
    return all;
  };
  const Vec3<S> none = Vec3<S>::zero();
  const std::vector<S> zero(n, S(0));
  KhalilMatrices<S> m;
  m.H = column(khalil_inverse<S>(tree, state, zero, {base.omega, none, none}));
  m.A.resize(tree.variables + 6, tree.variables + 6);
  for (int i = 0; i < tree.variables + 6; ++i) {
    Vec6<S> base_unit = Vec6<S>::zero();
    std::vector<S> unit = zero;
    (i < 6 ? base_unit[i] : unit[static_cast<std::size_t>(i - 6)]) = S(1);
    m.A.col(i) = column(khalil_inverse<S>(tree, {state.q, zero}, unit, {none, base_unit.bottom, base_unit.top}));
  }
  return m;
}

template <class S>
Vector<S> solved(const Matrix<S>& A, const Vector<S>& b) {
  const Factors<S> factors(A);
  if (!factors.full_rank()) throw InputError("the inertia matrix is singular: a mass or an inertia is missing");
  return factors.solve(b);
}

template <class S>
Vec6<S> screw_of(const Vector<S>& x) {
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

}  // namespace

template <class S>
KhalilMovingBaseMotion<S> khalil_moving_inverse_by_matrices(const MdhTree& tree, const KhalilState<S>& state,
                                                            const KhalilMovingBase<S>& base, std::span<const S> qdd) {
  check_sizes(tree, state, qdd.size(), "khalil_moving_inverse_by_matrices");
  const KhalilMatrices<S> m = matrices(tree, state, base);
  const Eigen::Map<const Vector<S>> given(qdd.data(), tree.variables);
  const auto n = tree.variables;
  const Vector<S> right = -(m.H.head(6) + m.A.topRightCorner(6, n) * given);
  const Vector<S> V_dot_0 = solved<S>(m.A.topLeftCorner(6, 6), right);  // (86)
  const Vector<S> Gamma =
      m.A.bottomLeftCorner(n, 6) * V_dot_0 + m.A.bottomRightCorner(n, n) * given + m.H.tail(n);  // (87)
  return {
      screw_of<S>(V_dot_0) + gravity_of(tree, base), {Gamma.data(), Gamma.data() + n}, {qdd.begin(), qdd.end()}, {}};
}

template <class S>
KhalilMovingBaseMotion<S> khalil_moving_direct_by_matrices(const MdhTree& tree, const KhalilState<S>& state,
                                                           const KhalilMovingBase<S>& base, std::span<const S> torque) {
  check_sizes(tree, state, torque.size(), "khalil_moving_direct_by_matrices");
  const KhalilMatrices<S> m = matrices(tree, state, base);
  Vector<S> right = -m.H;
  right.tail(tree.variables) += Eigen::Map<const Vector<S>>(torque.data(), tree.variables);
  const Vector<S> all = solved<S>(m.A, right);  // (88)
  return {screw_of<S>(all.head(6)) + gravity_of(tree, base),
          {torque.begin(), torque.end()},
          {all.data() + 6, all.data() + all.size()},
          {}};
}

template <class S>
KhalilMovingBaseMotion<S> khalil_moving_inverse(const MdhTree& tree, const KhalilState<S>& state,
                                                const KhalilMovingBase<S>& base, std::span<const S> qdd) {
  check_sizes(tree, state, qdd.size(), "khalil_moving_inverse");
  const std::size_t count = tree.links.size();
  const std::vector<KhalilJoint<S>> joints = khalil_joints(tree, state.q, state.qd);
  std::vector<Vec3<S>> omega(count, base.omega);
  std::vector<Vec6<S>> zeta(count, Vec6<S>::zero()), beta_c(count);
  std::vector<Mat6<S>> J_c(count);
  for (std::size_t j = 0; j < count; ++j) {  // i), also for the base
    const MdhLink& link = tree.links[j];
    if (j > 0) {
      const Vec3<S>& omega_i = omega[static_cast<std::size_t>(joints[j].i)];
      omega[j] = transpose_times(joints[j].R, omega_i);
      if (joints[j].revolute) omega[j] += joints[j].axis * joints[j].rate;
      zeta[j] = joints[j].gamma(omega_i);
      if (link.variable >= 0) zeta[j] += joints[j].a() * qdd[static_cast<std::size_t>(link.variable)];  // (89)
    }
    beta_c[j] = beta(link, omega[j], state, static_cast<int>(j));  // (90) corrected
    J_c[j] = spatial_inertia<S>(link);
  }
  for (std::size_t j = count; j-- > 1;) {  // ii)
    const auto i = static_cast<std::size_t>(joints[j].i);
    const Mat6<S> T = joints[j].T(), T_transposed = transpose(T);
    J_c[i] = J_c[i] + T_transposed * J_c[j] * T;                 // (95)
    beta_c[i] += T_transposed * (beta_c[j] - J_c[j] * zeta[j]);  // (96) corrected
  }
  std::vector<Vec6<S>> V_dot(count);
  V_dot[0] = solve(J_c[0], beta_c[0], "the inertia of the whole robot");  // (97): V̇_0 − g
  KhalilMovingBaseMotion<S> out{V_dot[0] + gravity_of(tree, base),
                                std::vector<S>(qdd.size(), S(0)),
                                {qdd.begin(), qdd.end()},
                                std::vector<Vec6<S>>(count, Vec6<S>::zero())};
  for (std::size_t j = 1; j < count; ++j) {  // iii)
    const MdhLink& link = tree.links[j];
    V_dot[j] = joints[j].T() * V_dot[static_cast<std::size_t>(joints[j].i)] + zeta[j];  // (98)
    out.wrench[j] = J_c[j] * V_dot[j] - beta_c[j];                                      // (99)
    if (link.variable < 0) continue;
    const auto k = static_cast<std::size_t>(link.variable);
    out.torque[k] =
        dot(out.wrench[j], joints[j].a()) + friction(link, state.qd[k]) + qdd[k] * S(link.rotor_inertia);  // (100)
  }
  return out;
}

template <class S>
KhalilMovingBaseMotion<S> khalil_moving_direct(const MdhTree& tree, const KhalilState<S>& state,
                                               const KhalilMovingBase<S>& base, std::span<const S> torque) {
  check_sizes(tree, state, torque.size(), "khalil_moving_direct");
  std::vector<typename KhalilRecursion<S>::Given> given;
  for (const S& value : torque) given.push_back({false, value});
  const KhalilRecursion<S> recursion(tree, state, base.omega, std::move(given));
  const Vec6<S> V_dot_0 = recursion.free_base_acceleration();  // (109): V̇_0 − g
  KhalilDirect<S> motion = recursion.second_forward(V_dot_0);
  return {V_dot_0 + gravity_of(tree, base),
          {torque.begin(), torque.end()},
          std::move(motion.qdd),
          std::move(motion.wrench)};
}

#define VERNE_INSTANTIATE(S)                                                                  \
  template KhalilMovingBaseMotion<S> khalil_moving_inverse_by_matrices<S>(                    \
      const MdhTree&, const KhalilState<S>&, const KhalilMovingBase<S>&, std::span<const S>); \
  template KhalilMovingBaseMotion<S> khalil_moving_direct_by_matrices<S>(                     \
      const MdhTree&, const KhalilState<S>&, const KhalilMovingBase<S>&, std::span<const S>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE
#define VERNE_INSTANTIATE(S)                                                                                   \
  template KhalilMovingBaseMotion<S> khalil_moving_inverse<S>(const MdhTree&, const KhalilState<S>&,           \
                                                              const KhalilMovingBase<S>&, std::span<const S>); \
  template KhalilMovingBaseMotion<S> khalil_moving_direct<S>(const MdhTree&, const KhalilState<S>&,            \
                                                             const KhalilMovingBase<S>&, std::span<const S>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
VERNE_INSTANTIATE(Counted)
#undef VERNE_INSTANTIATE

}  // namespace verne::formulations
