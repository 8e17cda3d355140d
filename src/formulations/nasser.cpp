/// [Nasser]. All of link i is in the axes of the frame before it, i − 1.
///
///   paper                     here
///   ω_{i-1}, ω_i              omega_before, omega
///   z_{i-1}, θ̇_i             z, rate              θ̇ also of a translational joint
///   r*_i, P*_i                r, P                 centre of mass and frame i, from frame i − 1
///   R_{i-1,i}, R*_{i-1,i}     R, R_star            3x3 and 6x6 (2.1.18)
///   P_i, σ*_{i,i-1}           P_6, sigma_star      (2.1.13.3), (2.1.13.2)
///   Z_i                       Z                    unit vector of the unknown acceleration, zero for a frozen joint
///   A_{i,i-1}, A*_{i,i-1}     A                    own inertia, then with that of all links beyond
///   B_{i,i-1}, B*_{i,i-1}     B                    the same of the other terms
///   γ_i G_i                   gamma_G              from [U^R; θ̈] to the loads alone
#include "formulations/nasser.h"

#include <stdexcept>
#include <string>

#include "formulations/dh_rotation.h"
#include "formulations/instances.h"
#include "formulations/real_part.h"
#include "verne/base/error.h"

namespace verne::formulations {

namespace {

template <class S>
struct Link {
  Mat3<S> R;
  Vec3<S> r, P, omega_before, omega;
  Vec6<S> Z, sigma_star;
  Mat6<S> R_star, P_6;
  Mat6<S> A, G, gamma_G;
  Vec6<S> B;
  S rate, control;
};

template <class S>
S entry(std::span<const S> values, int variable) {
  return variable < 0 ? S(0) : values[static_cast<std::size_t>(variable)];
}

/// Kinematics of link i and the terms of its own motion.
template <class S>
Link<S> own_terms(const DhLink& link, const NasserState<S>& state, const Vec3<S>& omega_before, int i) {
  const DhGeometry<S> geometry(link, state.q);
  const Vec3<S> z{S(0), S(0), S(1)}, none = Vec3<S>::zero();
  Link<S> l;
  l.rate = entry(state.qd, link.variable), l.control = entry(state.control, link.variable);
  l.R = geometry.R;                                                                  // (A.1.1)
  l.P = {geometry.cosine * S(link.dh.a), geometry.sine * S(link.dh.a), geometry.d};  // (A.1.3)
  l.r = l.P + l.R * cast<S>(link.com);
  l.omega_before = omega_before;
  const bool rotational = link.joint == DhJoint::revolute;
  const Vec3<S> spin = rotational ? z * l.rate : none, slide = rotational ? none : z * l.rate;
  l.omega = omega_before + spin;                                                                             // (A.2.5)
  l.Z = link.joint == DhJoint::frozen ? Vec6<S>::zero() : rotational ? Vec6<S>{none, z} : Vec6<S>{z, none};  // (2.2.7)
  l.R_star = Mat6<S>::blocks(l.R, Mat3<S>::zero(), Mat3<S>::zero(), l.R);                                    // (2.1.18)
  l.P_6 = Mat6<S>::blocks(Mat3<S>::identity(), Mat3<S>::zero(), skew(l.P), Mat3<S>::identity());  // (2.1.13.3)
  const Vec3<S> coriolis = cross(omega_before, slide) + cross(omega_before, slide), turned = cross(omega_before, spin);
  l.sigma_star = {cross(l.omega, cross(l.omega, l.P)) + coriolis, turned};  // (2.1.13.2) corrected, (2.2.6)
  const Sym3<S> I{S(link.inertia.xx), S(link.inertia.xy), S(link.inertia.xz),
                  S(link.inertia.yy), S(link.inertia.yz), S(link.inertia.zz)};
  const Mat3<S> J = full(rotate(l.R, I)), r_tilde = skew(l.r);  // (2.1.5.1)
  const S m(link.mass);
  l.A = Mat6<S>::blocks(scaled_identity(m), -(r_tilde * m), r_tilde * m, J - (r_tilde * r_tilde) * m);  // (2.1.7.4)
  const Vec3<S> beta = (cross(l.omega, cross(l.omega, l.r)) + cross(turned, l.r) + coriolis) * m;  // (2.1.3.2), (2.2.1)
  const Vec3<S> beta_star = J * turned + cross(l.omega, J * l.omega);                              // (2.1.6.2), (2.2.2)
  l.B = {beta, beta_star + cross(l.r, beta)};
  l.B -= l.Z * l.control;  // − f_i^c, − n_i^c of (2.1.7.6); what links beyond add is in absorb()
  if (!state.external.empty()) {
    const Vec6<S>& external = state.external[static_cast<std::size_t>(i)];
    const Vec3<S> F = l.R * external.top, N = l.R * external.bottom;
    l.B -= Vec6<S>{F, N + cross(l.r, F)};  // (2.1.5.3), (2.1.7.6)
  }
  return l;
}

/// L_i (2.1.19.1) differs from the identity in the column of the unknown acceleration alone; so does its inverse G_i.
template <class S>
void invert(Link<S>& l, const DhLink& link, int i) {
  l.G = l.gamma_G = Mat6<S>::identity();
  if (link.joint == DhJoint::frozen) return;
  const int k = link.joint == DhJoint::revolute ? 5 : 2;
  const Vec6<S> AZ = l.A * l.Z;
  const S pivot = -AZ[k] - S(link.rotor_inertia);  // of S_i (2.1.7.2)
  double largest = link.rotor_inertia;
  for (const S& a : l.A.m) largest = std::max(largest, std::abs(real_part(a)));
  if (!(std::abs(real_part(pivot)) > 1e-13 * largest)) {
    throw InputError("link " + std::to_string(i) +
                     ": L is singular: what its joint carries has no inertia about its axis");
  }
  for (int row = 0; row < 6; ++row) l.G(row, k) = (row == k ? S(1) : AZ[row]) / pivot;
  l.gamma_G = l.G;
  l.gamma_G(k, k) = -l.G(k, k) * S(link.rotor_inertia);  // γ = 1 − (1 + J^a) Z Zᵀ
}

/// Adds what link i + 1 = `beyond` brings to the equation of link i.
template <class S>
void absorb(Link<S>& l, const Link<S>& beyond) {
  const Mat6<S> to_near_end = l.P_6 * l.R_star;
  const Mat6<S> A = to_near_end * (beyond.gamma_G * beyond.A) * transpose(to_near_end);  // (2.1.19.4)
  // Loads of the link beyond and of its actuator, f_{i+1}^c and n_{i+1}^c.
  l.B += to_near_end * (beyond.gamma_G * beyond.B + beyond.Z * beyond.control) + A * l.sigma_star;  // (2.1.19.6-7)
  l.A = l.A + A;                                                                                    // (2.1.19.3)
}

}  // namespace

template <class S>
NasserDynamics<S> nasser_dynamics(const DhTree& tree, const NasserState<S>& state, const NasserBaseMotion<S>& base) {
  const auto n = static_cast<std::size_t>(tree.variables);
  const std::size_t count = tree.links.size();
  if (state.q.size() != n || state.qd.size() != n || state.control.size() != n ||
      (!state.external.empty() && state.external.size() != count)) {
    throw std::invalid_argument("nasser_dynamics: one position, velocity and control for each of " + std::to_string(n) +
                                " variables, and no load or one a link");
  }
  std::vector<Link<S>> links(count);
  for (std::size_t i = 1; i < count; ++i) {
    const auto before = static_cast<std::size_t>(tree.links[i].parent);
    const Vec3<S> omega = before == 0 ? base.omega : transpose_times(links[before].R, links[before].omega);
    links[i] = own_terms(tree.links[i], state, omega, static_cast<int>(i));
  }
  for (std::size_t i = count; i-- > 1;) {  // inbound
    invert(links[i], tree.links[i], static_cast<int>(i));
    if (tree.links[i].parent > 0) absorb(links[static_cast<std::size_t>(tree.links[i].parent)], links[i]);
  }
  NasserDynamics<S> out{std::vector<S>(n, S(0)), std::vector<Vec6<S>>(count, Vec6<S>::zero()),
                        std::vector<Vec6<S>>(count, Vec6<S>::zero())};
  std::vector<Vec6<S>> q(count);  // (2.1.7.5), in the axes of the frame itself
  q[0] = {base.v_dot, base.omega_dot};
  for (std::size_t i = 1; i < count; ++i) {  // outbound
    const Link<S>& l = links[i];
    const Vec6<S>& q_before = q[static_cast<std::size_t>(tree.links[i].parent)];
    const Vec6<S> F = l.A * q_before + l.B;    // (2.1.19.2)
    const S acceleration = dot(l.Z, l.G * F);  // (2.1.20)
    if (tree.links[i].variable >= 0) out.acceleration[static_cast<std::size_t>(tree.links[i].variable)] = acceleration;
    out.reaction[i] = l.gamma_G * F;
    out.wrench[i] = out.reaction[i] + l.Z * l.control;
    q[i] = transpose(l.R_star) * (transpose(l.P_6) * (q_before + l.Z * acceleration + l.sigma_star));  // (2.1.13)
  }
  return out;
}

#define VERNE_INSTANTIATE(S) \
  template NasserDynamics<S> nasser_dynamics<S>(const DhTree&, const NasserState<S>&, const NasserBaseMotion<S>&);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
VERNE_INSTANTIATE(Counted)
#undef VERNE_INSTANTIATE

}  // namespace verne::formulations
