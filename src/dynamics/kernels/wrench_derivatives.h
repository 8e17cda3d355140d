/// Derivatives of the wrench through every joint, from the sweeps of sensitivity.h (docs/theory/sensitivities.md, eq.
/// 11-13): a freedom below a joint changes its wrench by Fq, Fv, Fa, the same for all joints above; a freedom above it
/// or its own moves the whole subtree with the joint frame, which sees 2 B psi + I psi2 − R(S), 2 B S + I rate, I S.
#pragma once

#include "dynamics/kernels/joint_cut.h"

namespace verne {
inline namespace VERNE_ISA {

/// (11) A wrench about O in the joint frame.
template <class S>
VERNE_INLINE void put_wrench(const JointFrame<S>& frame, const Spatial<S>& w, S* out) {
  transpose_times(frame.R, w.linear).store(out);
  transpose_times(frame.R, w.angular - cross(frame.r, w.linear)).store(out + 3);
}

/// What a joint carries, and its frame.
template <class S>
struct JointCut {
  JointFrame<S> frame;
  double mass;
  Composite<S> composite;
  LoadResponse<S> response;
};

template <class S>
VERNE_INLINE void add_carried(const Tree& tree, const SensitivityWork<S>& work, int body, JointCut<S>& cut) {
  cut.mass += tree.bodies[body].subtree_mass;
  cut.composite += work.composites[body];
  if (work.loads) cut.response += work.responses[body];
}

template <class S>
inline JointCut<S> joint_cut(const Tree& tree, const TreeJoint& j, const Inputs<S>& in,
                             const SensitivityWork<S>& work) {
  const bool in_world = j.body < 0;
  const Mat3<S> R_WB = in_world ? Mat3<S>::identity() : work.poses[j.body].R;
  const Vec3<S> p_WB = in_world ? Vec3<S>::zero() : work.poses[j.body].p;
  const Vec3<S> O = tree.body_count ? work.poses[0].p : Vec3<S>::zero();
  JointCut<S> cut{joint_frame(tree, j, work), 0, Composite<S>::zero(), LoadResponse<S>::zero()};
  if (!j.fixed) {
    add_carried(tree, work, j.body, cut);
    return cut;
  }
  const CentralInertia<S> own = inertia_behind(j, R_WB, p_WB - O);
  const Spatial<S> still{Vec3<S>::zero(), Vec3<S>::zero()};  // what is fixed in the world does not matter here
  cut.mass = j.mass;
  cut.composite = composite_of_body(own, in_world ? BodyRates<S>{still, still} : work.rates[j.body]);
  for (int i = 0; i < tree.body_count; ++i) {
    if (hangs_behind(tree, j, i)) add_carried(tree, work, i, cut);
  }
  for (int k = 0; k < in.load_count; ++k) {
    if (in_world || !is_behind(tree, j, in.load_sites[k].site)) continue;
    cut.response += load_about_origin(tree, in, work.poses, k).response;
  }
  return cut;
}

/// For every joint three 6 x nv blocks (column-major); blocks of a kind follow each other: [joint][nv][6].
template <class S>
struct WrenchDerivatives {
  S *dq, *dv, *da;
};

/// (12) Freedoms [first, end) stand below the joint.
template <class S>
VERNE_INLINE void put_columns_below(const JointCut<S>& cut, const SensitivityWork<S>& work, int first, int end,
                                    const WrenchDerivatives<S>& out) {
  for (int i = first; i < end; ++i) {
    const FreedomState<S>& f = work.freedoms[i];
    put_wrench(cut.frame, f.Fq, out.dq + 6 * i);
    put_wrench(cut.frame, f.Fv, out.dv + 6 * i);
    put_wrench(cut.frame, f.Fa, out.da + 6 * i);
  }
}

/// Columns of one joint; those of freedoms that do not matter are zero.
template <class S>
inline void wrench_derivatives(const Tree& tree, const TreeJoint& j, const Inputs<S>& in,
                               const SensitivityWork<S>& work, const WrenchDerivatives<S>& out) {
  const JointCut<S> cut = joint_cut(tree, j, in, work);
  const Composite<S>& c = cut.composite;
  for (int k = 0; k < 6 * tree.nv; ++k) out.dq[k] = out.dv[k] = out.da[k] = S(0);
  if (!j.fixed) {
    put_columns_below(cut, work, tree.bodies[j.body].v + tree.bodies[j.body].nv, end_of_freedoms(tree, j.body), out);
  } else {
    for (int i = 0; i < tree.body_count; ++i) {
      if (hangs_behind(tree, j, i)) put_columns_below(cut, work, tree.bodies[i].v, end_of_freedoms(tree, i), out);
    }
  }
  if (j.body < 0) return;
  for (int i = tree.bodies[j.body].v + tree.bodies[j.body].nv - 1; i >= 0; i = tree.v_parent[i]) {  // (13)
    const FreedomState<S>& f = work.freedoms[i];
    Spatial<S> Fq = c.twice_B(f.psi) + momentum_of(cut.mass, c.inertia, f.psi2);
    if (work.loads) Fq = Fq - cut.response(f.s);
    put_wrench(cut.frame, Fq, out.dq + 6 * i);
    put_wrench(cut.frame, c.twice_B(f.s) + momentum_of(cut.mass, c.inertia, f.rate), out.dv + 6 * i);
    put_wrench(cut.frame, momentum_of(cut.mass, c.inertia, f.s), out.da + 6 * i);
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
