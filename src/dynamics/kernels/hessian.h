/// Second derivatives of φ = λᵀτ + Σ μ_jᵀ W_j with respect to (q, v, a), contracted on the way: no third-order tensor.
///
/// φ = Σ_k w_k · f_k over bodies, where w_k = Σ S λ + μ gathered from the root down to k moves with its bodies like a
/// velocity, and f_k is the force that body k takes. Moving joint i turns all of it rigidly and adds, seen from the
/// subtree, omega = w_parent × S to w, psi to V, psi2 − V × psi to A (docs/theory/sensitivities.md, eq. 20-32).
///
///   Z, Y      Σ I_k w_k and Σ 2 B_kᵀ w_k over the subtree (23); Y has an angular part only
///   Bw        the matrix B made with w in place of V:  Σ B(I_k, u)ᵀ w_k = −Bwᵀ u  (24)
///   G1..G3    per freedom j (28), so that for every i that supports j (29), (30)
///             H(q_i, q_j) = omega_i·Fq + psi_i·G1 + psi2_i·G2 + S_i·G0     H(q_i, a_j) = omega_i·Fa
///             H(q_i, v_j) = omega_i·Fv + psi_i·G3                          H(v_i, q_j) = S_i·G1 + rate_i·G2
///             H(v_i, v_j) = S_i·G3                                         H(a_i, q_j) = S_i·G2
///   G0        of the loads only (31)
#pragma once

#include "dynamics/kernels/joint_cut.h"

namespace verne {
inline namespace VERNE_ISA {

/// Per body: the weight w, then sums over the subtree.
template <class S>
struct WeightState {
  Spatial<S> w, inherited;  // inherited: what of w moves with the parent
  Spatial<S> Z;
  Vec3<S> Y;
  TwiceB<S> Bw;
  Mat3<S> M1, M2;  // second-order response of the loads: S_i · (M1 s_a; M1 s_l + M2 s_a)
};

template <class S>
struct FreedomCurvature {
  Spatial<S> omega, G0, G1, G2, G3;
  Spatial<S> within;  // vv among the freedoms of one joint: S_i · within
};

/// What the weights of a joint's wrench add to the w of all that it carries.
template <class S>
VERNE_INLINE Spatial<S> weight_of_joint(const Tree& tree, int k, const SensitivityWork<S>& work, const S* mu) {
  const JointFrame<S> frame = joint_frame(tree, tree.joints[k], work);
  const Vec3<S> force = frame.R * Vec3<S>::load(mu + 6 * k), moment = frame.R * Vec3<S>::load(mu + 6 * k + 3);
  return {force + cross(frame.r, moment), moment};
}

/// (21) w of every body. `mu` has six values a joint (null: none). A merged joint weighs the bodies that hang behind it
/// and, in weigh_merged(), the rigid links there.
template <class S>
VERNE_INLINE void gather_weights(const Tree& tree, const SensitivityWork<S>& work, const S* lambda, const S* mu,
                                 WeightState<S>* VERNE_RESTRICT weights) {
  const Spatial<S> none{Vec3<S>::zero(), Vec3<S>::zero()};
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    Spatial<S> w = none;
    for (int k = b.v; k < b.v + b.nv && lambda; ++k) w = w + work.freedoms[k].s * lambda[k];
    weights[i].w = w;
    weights[i].inherited = none;
  }
  for (int k = 0; k < tree.joint_count && mu; ++k) {
    const TreeJoint& j = tree.joints[k];
    const Spatial<S> w = weight_of_joint(tree, k, work, mu);
    if (!j.fixed) weights[j.body].w = weights[j.body].w + w;
    for (int i = 0; i < tree.body_count && j.fixed; ++i) {
      if (hangs_behind(tree, j, i)) weights[i].inherited = weights[i].inherited + w;
    }
  }
  for (int i = 0; i < tree.body_count; ++i) {
    const int parent = tree.bodies[i].parent;
    if (parent >= 0) weights[i].inherited = weights[i].inherited + weights[parent].w;
    weights[i].w = weights[i].w + weights[i].inherited;
  }
}

/// Adds Z, Y and Bw of something rigid that moves with V and has weight w.
template <class S>
VERNE_INLINE void weigh(const CentralInertia<S>& in, const Spatial<S>& V, const Spatial<S>& w, WeightState<S>& s) {
  const TwiceB<S> Bw = twice_B_of_body(in, w, speed_of_center(in, w));
  s.Y += twice_B_of_body(in, V, speed_of_center(in, V)).transposed(w);
  s.Z = s.Z + Bw.momentum();
  s.Bw += Bw;
}

/// Z, Y and Bw of single bodies.
template <class S>
VERNE_INLINE void weigh_body(const Tree& tree, int i, const SensitivityWork<S>& work, WeightState<S>& s) {
  const TreeBody& b = tree.bodies[i];
  s.Y = Vec3<S>::zero();
  s.Bw = TwiceB<S>::zero();
  s.M1 = s.M2 = Mat3<S>::zero();
  s.Z = {Vec3<S>::zero(), Vec3<S>::zero()};
  if (b.massless) return;
  weigh(central_inertia(b, work.poses[i].R, work.poses[i].p - work.poses[0].p), work.rates[i].V, s.w, s);
}

/// The rigid links behind merged joints, beyond what their bodies weigh.
template <class S>
VERNE_INLINE void weigh_merged(const Tree& tree, const SensitivityWork<S>& work, const S* mu, WeightState<S>* weights) {
  for (int k = 0; k < tree.joint_count && mu && tree.has_merged; ++k) {
    const TreeJoint& j = tree.joints[k];
    if (!j.fixed || j.body < 0) continue;
    const WorldPose<S>& x = work.poses[j.body];
    const CentralInertia<S> in = inertia_behind(j, x.R, x.p - work.poses[0].p);
    weigh(in, work.rates[j.body].V, weight_of_joint(tree, k, work, mu), weights[j.body]);
  }
}

template <class S>
VERNE_INLINE void weigh_loads(const Tree& tree, const Inputs<S>& in, const SensitivityWork<S>& work, const S* mu,
                              WeightState<S>* weights) {
  for (int k = 0; k < in.load_count; ++k) {
    const TreeSite& site = tree.sites[in.load_sites[k].site];
    if (site.body < 0) continue;
    const LoadAboutOrigin<S> load = load_about_origin(tree, in, work.poses, k);
    WeightState<S>& s = weights[site.body];
    Spatial<S> w = s.w;
    for (int j = 0; j < tree.joint_count && mu && tree.has_merged; ++j) {
      const TreeJoint& joint = tree.joints[j];
      if (joint.fixed && is_behind(tree, joint, in.load_sites[k].site)) w = w + weight_of_joint(tree, j, work, mu);
    }
    const Vec3<S>& force = load.wrench.linear;
    const Vec3<S>& moment = load.wrench.angular;  // about O
    if (in.load_sites[k].world_point) {
      s.M1 += skew_product(force, w.angular);
      s.M2 += skew_product(moment, w.angular);
      s.M2 += skew_product(force, w.linear);
    } else {
      const Vec3<S> given_moment = Vec3<S>::load(in.load_values + 9 * k + 3);
      const WorldPose<S>& x = work.poses[site.body];
      const Vec3<S> point = Vec3<S>::load(in.load_values + 9 * k + 6);
      const Vec3<S> r = x.p + x.R * (mat3(site.R) * point + vec3(site.p)) - work.poses[0].p;
      s.M2 += skew_product(force, w.linear + cross(w.angular, r));
      s.M2 += skew_product(given_moment, w.angular);
    }
  }
}

/// From bodies to subtrees, and (28), (31): the vectors G of every freedom.
template <class S>
VERNE_INLINE void curvatures(const Tree& tree, const SensitivityWork<S>& work, WeightState<S>* weights,
                             FreedomCurvature<S>* out) {
  const Spatial<S> none{Vec3<S>::zero(), Vec3<S>::zero()};
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const TreeBody& b = tree.bodies[i];
    const Composite<S>& c = work.composites[i];
    const WeightState<S>& s = weights[i];
    for (int k = b.v; k < b.v + b.nv; ++k) {
      const FreedomState<S>& f = work.freedoms[k];
      FreedomCurvature<S>& g = out[k];
      g.omega = motion_cross(s.inherited, f.s);
      const Spatial<S> sZ = force_cross(f.s, s.Z);
      g.G1 = force_cross(f.psi, s.Z) * 2.0 - s.Bw(f.psi);
      g.G1.angular += cross(f.s.angular, s.Y) + c.twice_B.transposed(g.omega);
      g.G2 = sZ + momentum_of(b.subtree_mass, c.inertia, g.omega);
      g.within = sZ - s.Bw(f.s);
      g.G3 = g.within + sZ;
      if (work.loads) {
        g.G0 = none - work.responses[i].transposed(g.omega) -
               Spatial<S>{s.M1 * f.s.angular, s.M1 * f.s.linear + s.M2 * f.s.angular};
      }
    }
    if (b.parent >= 0) {
      WeightState<S>& parent = weights[b.parent];
      parent.Z = parent.Z + s.Z;
      parent.Y += s.Y;
      parent.Bw += s.Bw;
      parent.M1 += s.M1;
      parent.M2 += s.M2;
    }
  }
}

/// Column j of the four blocks that do not vanish.
template <class S>
VERNE_INLINE SecondBlocks<S> column_of(const SecondBlocks<S>& blocks, long j) {
  const long first = j * blocks.ld;
  return {blocks.qq + first, blocks.qv + first, blocks.qa + first, blocks.vv + first, blocks.ld, blocks.zeros};
}

template <class S>
VERNE_INLINE void clear_rows(int first, int end, const SecondBlocks<S>& column) {
  for (int i = first; i < end && !column.zeros; ++i)
    column.qq[i] = S(0), column.qv[i] = S(0), column.qa[i] = S(0), column.vv[i] = S(0);
}

/// Rows before the joint's own: the freedoms that support it, and zeros between them. qq and vv are symmetric, and the
/// columns of these freedoms are there already.
template <class S>
VERNE_INLINE void hessian_rows_above(const Tree& tree, const TreeBody& b, const SensitivityWork<S>& work,
                                     const FreedomCurvature<S>* curvature, int j, const SecondBlocks<S>& out) {
  const SecondBlocks<S> column = column_of(out, j);
  const Spatial<S> Fv = work.freedoms[j].Fv, Fa = work.freedoms[j].Fa, G3 = curvature[j].G3;
  int written = b.v;
  for (int i = tree.v_parent[b.v]; i >= 0; i = tree.v_parent[i]) {
    clear_rows(i + 1, written, column);
    const Spatial<S> omega = curvature[i].omega;
    column.qq[i] = out.qq[i * out.ld + j];
    column.qv[i] = pairing(omega, Fv) + pairing(work.freedoms[i].psi, G3);
    column.qa[i] = pairing(omega, Fa);
    column.vv[i] = out.vv[i * out.ld + j];
    written = i;
  }
  clear_rows(0, written, column);
}

/// H(q_i, q_j) for i above j, or one of both orders in which the freedoms of one joint may move.
template <class S>
VERNE_INLINE S ordered_qq(const SensitivityWork<S>& work, const FreedomCurvature<S>* curvature, int i, int j) {
  const FreedomState<S>& f = work.freedoms[i];
  const FreedomCurvature<S>& g = curvature[j];
  const S x = pairing(curvature[i].omega, work.freedoms[j].Fq) + pairing(f.psi, g.G1) + pairing(f.psi2, g.G2);
  return work.loads ? x + pairing(f.s, g.G0) : x;
}

/// (32) Rows of the joint itself: in the exponential chart no step comes first.
template <class S>
VERNE_INLINE void hessian_rows_within(const TreeBody& b, const SensitivityWork<S>& work,
                                      const FreedomCurvature<S>* curvature, int j, const SecondBlocks<S>& column) {
  const FreedomState<S>& f = work.freedoms[j];
  for (int i = b.v; i < b.v + b.nv; ++i) {
    const Spatial<S> omega = curvature[i].omega;
    const S qq = ordered_qq(work, curvature, i, j);
    column.qq[i] = i == j ? qq : (qq + ordered_qq(work, curvature, j, i)) * 0.5;
    column.qv[i] = pairing(omega, f.Fv) + pairing(work.freedoms[i].psi, curvature[j].G3);
    column.qa[i] = pairing(omega, f.Fa);
    column.vv[i] = pairing(work.freedoms[i].s, curvature[j].within);
  }
}

/// Rows [first, end): the freedoms that the joint carries.
template <class S>
VERNE_INLINE void hessian_rows_below(int first, int end, const SensitivityWork<S>& work,
                                     const FreedomCurvature<S>* curvature, int j, const SecondBlocks<S>& column) {
  const Spatial<S> omega = curvature[j].omega, psi = work.freedoms[j].psi, psi2 = work.freedoms[j].psi2;
  const Spatial<S> s = work.freedoms[j].s, rate = work.freedoms[j].rate;
  for (int i = first; i < end; ++i) {
    const Spatial<S> G1 = curvature[i].G1, G2 = curvature[i].G2;
    column.qq[i] = pairing(omega, work.freedoms[i].Fq) + pairing(psi, G1) + pairing(psi2, G2);
    column.qv[i] = pairing(s, G1) + pairing(rate, G2);
    column.qa[i] = pairing(s, G2);
    column.vv[i] = pairing(s, curvature[i].G3);
  }
  for (int i = first; i < end && work.loads; ++i) column.qq[i] = column.qq[i] + pairing(s, curvature[i].G0);
}

/// The four blocks, column by column and every entry once, so that memory is written in order.
template <class S>
VERNE_INLINE void hessian_entries(const Tree& tree, const SensitivityWork<S>& work,
                                  const FreedomCurvature<S>* curvature, const SecondBlocks<S>& out) {
  for (int body = 0; body < tree.body_count; ++body) {
    const TreeBody& b = tree.bodies[body];
    const int end = end_of_freedoms(tree, body);
    for (int j = b.v; j < b.v + b.nv; ++j) {
      const SecondBlocks<S> column = column_of(out, j);
      hessian_rows_above(tree, b, work, curvature, j, out);
      hessian_rows_within(b, work, curvature, j, column);
      hessian_rows_below(b.v + b.nv, end, work, curvature, j, column);
      clear_rows(end, tree.nv, column);
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
