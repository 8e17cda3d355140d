/// What the algorithms of [K10] have in common.
///
///   paper                     here
///   i = a(j)                  i
///   ⁱR_j, ⁱP_j                R, P                 frame j in frame i
///   ʲ𝕋_i                      T                    screw transformation (17)
///   ʲ𝕒_j                      a                    joint axis as a screw (16)
///   σ_j = 0, σ_j = 1          revolute, prismatic  neither for σ_j = 2
///   ʲ𝕁_j                      spatial_inertia()    (11)
///   ʲγ_j, ʲβ_j                gamma(), beta()      (15), (33)
#pragma once

#include <stdexcept>
#include <string>

#include "formulations/dh_rotation.h"
#include "formulations/khalil.h"
#include "formulations/real_part.h"
#include "verne/base/error.h"

namespace verne::formulations {

/// Joint j at a state: its frame in frame i.
template <class S>
struct KhalilJoint {
  int i;
  bool revolute, prismatic;
  Mat3<S> R;
  Vec3<S> P;
  Vec3<S> axis;  ///< ʲa_j
  S rate;        ///< q̇_j

  KhalilJoint(const MdhLink& link, std::span<const S> q, std::span<const S> qd)
      : i(link.antecedent), revolute(link.sigma == 0), prismatic(link.sigma == 1), axis{S(0), S(0), S(1)}, rate(0) {
    using std::cos;
    using std::sin;
    const MdhParameters& f = link.frame;
    const double cg = clean_cosine(f.gamma), sg = clean_sine(f.gamma);
    const double ca = clean_cosine(f.alpha), sa = clean_sine(f.alpha);
    const Mat3<double> C{{cg, -sg * ca, sg * sa, sg, cg * ca, -cg * sa, 0, sa, ca}};  // Rot(z, γ) Rot(x, α)
    S s(clean_sine(f.theta)), c(clean_cosine(f.theta)), r(f.r);
    if (link.variable >= 0) {
      const S& variable = q[static_cast<std::size_t>(link.variable)];
      if (revolute) s = sin(variable + S(f.theta)), c = cos(variable + S(f.theta));
      if (prismatic) r = variable + S(f.r);
      if (!qd.empty()) rate = qd[static_cast<std::size_t>(link.variable)];
    }
    const Vec3<S> x = cast<S>(C.column(0)), y = cast<S>(C.column(1)), z = cast<S>(C.column(2));
    R = Mat3<S>::columns(x * c + y * s, y * c - x * s, z);
    P = z * r + cast<S>(Vec3<double>{cg * f.d, sg * f.d, f.b});  // (1)
  }

  /// ʲ𝕋_i (17)
  Mat6<S> T() const {
    const Mat3<S> Rt = transpose(R);
    return Mat6<S>::blocks(Rt, -(Rt * skew(P)), Mat3<S>::zero(), Rt);
  }
  /// ʲ𝕒_j (16)
  Vec6<S> a() const {
    Vec6<S> screw = Vec6<S>::zero();
    if (prismatic) screw[2] = S(1);
    if (revolute) screw[5] = S(1);
    return screw;
  }
  /// ʲγ_j (15), (34), (101), from ⁱω_i
  Vec6<S> gamma(const Vec3<S>& omega_i) const {
    Vec6<S> out{transpose_times(R, cross(omega_i, cross(omega_i, P))), Vec3<S>::zero()};
    const Vec3<S> turned = cross(transpose_times(R, omega_i), axis * rate);
    if (prismatic) out.top += turned + turned;
    if (revolute) out.bottom = turned;
    return out;
  }
};

template <class S>
std::vector<KhalilJoint<S>> khalil_joints(const MdhTree& tree, std::span<const S> q, std::span<const S> qd) {
  std::vector<KhalilJoint<S>> joints;
  for (const MdhLink& link : tree.links) joints.emplace_back(link, q, qd);
  return joints;
}

template <class S>
Sym3<S> rotational_inertia(const MdhLink& link) {
  const Sym3<double>& J = link.inertia;
  return {S(J.xx), S(J.xy), S(J.xz), S(J.yy), S(J.yz), S(J.zz)};
}

/// ʲ𝕁_j (11)
template <class S>
Mat6<S> spatial_inertia(const MdhLink& link) {
  const Mat3<S> MS = skew(cast<S>(link.first_moment));
  return Mat6<S>::blocks(scaled_identity(S(link.mass)), -MS, MS, full(rotational_inertia<S>(link)));
}

/// ʲβ_j (33), (35), (90), (102)
template <class S>
Vec6<S> beta(const MdhLink& link, const Vec3<S>& omega, const KhalilState<S>& state, int j) {
  const Vec6<S> f_e = state.f_e.empty() ? Vec6<S>::zero() : state.f_e[static_cast<std::size_t>(j)];
  return -f_e - Vec6<S>{cross(omega, cross(omega, cast<S>(link.first_moment))),
                        cross(omega, rotational_inertia<S>(link) * omega)};
}

/// F_s sign(q̇) + F_v q̇ of (31), with the link's own smoothness.
template <class S>
S friction(const MdhLink& link, const S& rate) {
  using std::tanh;
  const double speed = real_part(rate);
  const S direction = link.friction_width > 0 ? S(tanh(rate / S(link.friction_width)))
                                              : S(speed > 0   ? 1.0
                                                  : speed < 0 ? -1.0
                                                              : 0.0);
  return direction * S(link.coulomb) + rate * S(link.viscous);
}

/// H_j of (36), (72), (103) must not vanish: nothing would resist the joint's torque.
template <class S>
void require_inertia(const S& H, const Mat6<S>& J, double rotor_inertia, int j) {
  double largest = rotor_inertia;
  for (const S& entry : J.m) largest = std::max(largest, std::abs(real_part(entry)));
  if (real_part(H) > 1e-13 * largest) return;
  throw InputError("joint of link " + std::to_string(j) + ": what it carries has no inertia about its axis");
}

template <class S>
void check_sizes(const MdhTree& tree, const KhalilState<S>& state, std::size_t given, const char* function) {
  const auto n = static_cast<std::size_t>(tree.variables);
  if (state.q.size() != n || state.qd.size() != n || given != n) {
    throw std::invalid_argument(std::string(function) +
                                ": one position, velocity and acceleration or torque for each of " + std::to_string(n) +
                                " variables");
  }
  if (!state.f_e.empty() && state.f_e.size() != tree.links.size()) {
    throw std::invalid_argument(std::string(function) + ": one load for each of " + std::to_string(tree.links.size()) +
                                " links");
  }
}

/// Solves J x = b by elimination with pivots; J is the inertia of a body or of all bodies.
template <class S>
Vec6<S> solve(Mat6<S> J, Vec6<S> b, const char* what) {
  double scale = 0;
  for (const S& entry : J.m) scale = std::max(scale, std::abs(real_part(entry)));
  for (int k = 0; k < 6; ++k) {
    int pivot = k;
    for (int i = k + 1; i < 6; ++i) {
      if (std::abs(real_part(J(i, k))) > std::abs(real_part(J(pivot, k)))) pivot = i;
    }
    if (!(std::abs(real_part(J(pivot, k))) > 1e-13 * scale)) {
      throw InputError(std::string(what) + " is singular: the mass or an inertia is missing");
    }
    for (int c = 0; c < 6; ++c) std::swap(J(k, c), J(pivot, c));
    std::swap(b[k], b[pivot]);
    for (int i = k + 1; i < 6; ++i) {
      const S factor = J(i, k) / J(k, k);
      for (int c = k; c < 6; ++c) J(i, c) = J(i, c) - factor * J(k, c);
      b[i] = b[i] - factor * b[k];
    }
  }
  for (int k = 5; k >= 0; --k) {
    for (int c = k + 1; c < 6; ++c) b[k] = b[k] - J(k, c) * b[c];
    b[k] = b[k] / J(k, k);
  }
  return b;
}

}  // namespace verne::formulations
