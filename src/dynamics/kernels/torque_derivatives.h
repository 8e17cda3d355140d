/// ∂τ/∂q, ∂τ/∂v and ∂τ/∂a from the sweeps of sensitivity.h (section 3 of docs/theory/sensitivities.md).
#pragma once

#include "dynamics/kernels/sensitivity.h"

namespace verne {
inline namespace VERNE_ISA {

/// Column j of ∂τ/∂q, ∂τ/∂v, ∂τ/∂a.
template <class S>
struct TorqueColumns {
  S *dq, *dv, *da;
  bool zeros;

  VERNE_INLINE void clear(int first, int end) const {
    for (int i = first; i < end && !zeros; ++i) dq[i] = S(0), dv[i] = S(0), da[i] = S(0);
  }
};

/// (8) and zeros, for the rows before those of the joint of column j; M is symmetric and known there.
template <class S>
VERNE_INLINE void torques_above(const Tree& tree, const TreeBody& b, int j, const SensitivityWork<S>& work,
                                const Blocks<S>& out, const TorqueColumns<S>& column) {
  const Spatial<S> Fq = work.freedoms[j].Fq, Fv = work.freedoms[j].Fv;
  const int floating = floating_freedoms(tree);
  int written = b.v;
  const auto put = [&](int i, const S& dq, const S& dv) VERNE_INLINE_LAMBDA {
    column.dq[i] = dq;
    column.dv[i] = dv;
    column.da[i] = out.dx[i * out.ld + j];
    written = i;
  };
  int i = tree.v_parent[b.v];
  for (; i >= floating; i = tree.v_parent[i]) {
    column.clear(i + 1, written);
    const Spatial<S> s = work.freedoms[i].s;
    put(i, pairing(s, Fq), pairing(s, Fv));
  }
  if (i >= 0) column.clear(i + 1, written);
  for (; i >= 0; --i) {
    const Spatial<S>& s = work.freedoms[i].s;
    put(i, i < 3 ? dot(s.linear, Fq.linear) : dot(s.angular, Fq.angular),
        i < 3 ? dot(s.linear, Fv.linear) : dot(s.angular, Fv.angular));
  }
  column.clear(0, written);
}

/// (9) for the rows [first, end) beside and below column j.
template <class S>
VERNE_INLINE void torques_below(const Tree& tree, int first, int end, int j, const SensitivityWork<S>& work,
                                const TorqueColumns<S>& column) {
  const FreedomState<S>* const all = work.freedoms;
  const Spatial<S> s = all[j].s, psi2 = all[j].psi2, rate = all[j].rate;
  const Vec3<S> psi = all[j].psi.angular;
  const int floating = floating_freedoms(tree);
  if (j >= floating) {
    for (int i = first; i < end; ++i) {
      const Spatial<S> Fa = all[i].Fa;
      const Vec3<S> D = all[i].D;
      column.dq[i] = dot(D, psi) + pairing(Fa, psi2);
      column.dv[i] = dot(D, s.angular) + pairing(Fa, rate);
      column.da[i] = pairing(Fa, s);
    }
  } else if (j < 3) {
    for (int i = first; i < end; ++i) {
      const Vec3<S> Fa = all[i].Fa.linear;
      column.dq[i] = S(0);
      column.dv[i] = dot(Fa, rate.linear);
      column.da[i] = dot(Fa, s.linear);
    }
  } else {
    for (int i = first; i < end; ++i) {
      const Spatial<S> Fa = all[i].Fa;
      column.dq[i] = dot(Fa.linear, psi2.linear);
      column.dv[i] = dot(all[i].D, s.angular) + pairing(Fa, rate);
      column.da[i] = dot(Fa.angular, s.angular);
    }
  }
  for (int i = first; i < end && work.loads; ++i) column.dq[i] = column.dq[i] - pairing(work.load_rows[i], s);
}

/// ∂τ/∂q, ∂τ/∂v, ∂τ/∂a, column by column and every entry once, so that memory is written in order. What a column needs
/// stays in registers; the rows above it need S, those below it D and Fa.
template <class S>
VERNE_SWEEP void torque_derivatives(const Tree& tree, const SensitivityWork<S>& work, const Blocks<S>& out) {
  for (int body = 0; body < tree.body_count; ++body) {
    const TreeBody& b = tree.bodies[body];
    const int end = end_of_freedoms(tree, body);
    for (int j = b.v; j < b.v + b.nv; ++j) {
      const TorqueColumns<S> column{out.dq + j * out.ld, out.dv + j * out.ld, out.dx + j * out.ld, out.zeros};
      torques_above(tree, b, j, work, out, column);
      torques_below(tree, b.v, end, j, work, column);
      column.clear(end, tree.nv);
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
