/// The Hessian of hessian.h times a direction (x_q, x_v, x_a), in one sweep outwards and one inwards
/// (docs/theory/sensitivities.md, eq. 33).
///
/// A pair i above j enters the product twice: row j takes sums over the freedoms above it, row i sums over those below.
#pragma once

#include "dynamics/kernels/hessian.h"

namespace verne {
inline namespace VERNE_ISA {

/// Three vectors over the freedoms: with respect to q, v and a.
template <class S>
struct Direction {
  S *q, *v, *a;
};

/// Over the freedoms above a body: Σ omega x_q, Σ psi x_q + S x_v, Σ psi2 x_q + rate x_v + S x_a, Σ S x_q.
template <class S>
struct SumsAbove {
  Spatial<S> omega, psi, psi2, s;
};

/// Over the freedoms of a subtree: Σ Fq x_q + Fv x_v + Fa x_a, Σ G1 x_q + G3 x_v, Σ G2 x_q, Σ G0 x_q.
template <class S>
struct SumsBelow {
  Spatial<S> F, G1, G2, G0;
};

/// Rows of the freedoms of body `b` among themselves.
template <class S>
VERNE_INLINE void product_within_joint(const TreeBody& b, const SensitivityWork<S>& work,
                                       const FreedomCurvature<S>* curvature, const Direction<S>& x,
                                       const Direction<S>& y) {
  for (int i = b.v; i < b.v + b.nv; ++i) {
    const FreedomState<S>& fi = work.freedoms[i];
    const FreedomCurvature<S>& gi = curvature[i];
    for (int j = b.v; j < b.v + b.nv; ++j) {
      const FreedomState<S>& fj = work.freedoms[j];
      const FreedomCurvature<S>& gj = curvature[j];
      S qq = pairing(gi.omega, fj.Fq) + pairing(fi.psi, gj.G1) + pairing(fi.psi2, gj.G2) + pairing(gj.omega, fi.Fq) +
             pairing(fj.psi, gi.G1) + pairing(fj.psi2, gi.G2);
      if (work.loads) qq = qq + pairing(fi.s, gj.G0) + pairing(fj.s, gi.G0);
      const S qv = pairing(gi.omega, fj.Fv) + pairing(fi.psi, gj.G3);
      const S qa = pairing(gi.omega, fj.Fa);
      y.q[i] = y.q[i] + qq * 0.5 * x.q[j] + qv * x.v[j] + qa * x.a[j];
      y.v[j] = y.v[j] + qv * x.q[i];
      y.a[j] = y.a[j] + qa * x.q[i];
      y.v[i] = y.v[i] + pairing(fi.s, gj.within) * x.v[j];
    }
  }
}

/// y := H x. `above` and `below` have room for one entry a body.
template <class S>
VERNE_INLINE void hessian_product(const Tree& tree, const SensitivityWork<S>& work,
                                  const FreedomCurvature<S>* curvature, const Direction<S>& x, const Direction<S>& y,
                                  SumsAbove<S>* above, SumsBelow<S>* below) {
  const Spatial<S> none{Vec3<S>::zero(), Vec3<S>::zero()};
  const bool loads = work.loads != nullptr;
  for (int body = 0; body < tree.body_count; ++body) {
    const TreeBody& b = tree.bodies[body];
    const SumsAbove<S> sums = b.parent < 0 ? SumsAbove<S>{none, none, none, none} : above[b.parent];
    SumsAbove<S> next = sums;
    below[body] = {none, none, none, none};
    for (int j = b.v; j < b.v + b.nv; ++j) {
      const FreedomState<S>& f = work.freedoms[j];
      const FreedomCurvature<S>& g = curvature[j];
      y.q[j] = pairing(sums.omega, f.Fq) + pairing(sums.psi, g.G1) + pairing(sums.psi2, g.G2);
      if (loads) y.q[j] = y.q[j] + pairing(sums.s, g.G0);
      y.v[j] = pairing(sums.omega, f.Fv) + pairing(sums.psi, g.G3);
      y.a[j] = pairing(sums.omega, f.Fa);
      next.omega = next.omega + g.omega * x.q[j];
      next.psi = next.psi + f.psi * x.q[j] + f.s * x.v[j];
      next.psi2 = next.psi2 + f.psi2 * x.q[j] + f.rate * x.v[j] + f.s * x.a[j];
      next.s = next.s + f.s * x.q[j];
    }
    above[body] = next;
  }
  for (int body = tree.body_count - 1; body >= 0; --body) {
    const TreeBody& b = tree.bodies[body];
    SumsBelow<S> sums = below[body];
    for (int i = b.v; i < b.v + b.nv; ++i) {
      const FreedomState<S>& f = work.freedoms[i];
      y.q[i] = y.q[i] + pairing(curvature[i].omega, sums.F) + pairing(f.psi, sums.G1) + pairing(f.psi2, sums.G2);
      if (loads) y.q[i] = y.q[i] + pairing(f.s, sums.G0);
      y.v[i] = y.v[i] + pairing(f.s, sums.G1) + pairing(f.rate, sums.G2);
      y.a[i] = y.a[i] + pairing(f.s, sums.G2);
    }
    product_within_joint(b, work, curvature, x, y);
    if (b.parent < 0) continue;
    for (int j = b.v; j < b.v + b.nv; ++j) {
      const FreedomState<S>& f = work.freedoms[j];
      const FreedomCurvature<S>& g = curvature[j];
      sums.F = sums.F + f.Fq * x.q[j] + f.Fv * x.v[j] + f.Fa * x.a[j];
      sums.G1 = sums.G1 + g.G1 * x.q[j] + g.G3 * x.v[j];
      sums.G2 = sums.G2 + g.G2 * x.q[j];
      if (loads) sums.G0 = sums.G0 + g.G0 * x.q[j];
    }
    SumsBelow<S>& parent = below[b.parent];
    parent.F = parent.F + sums.F;
    parent.G1 = parent.G1 + sums.G1;
    parent.G2 = parent.G2 + sums.G2;
    parent.G0 = parent.G0 + sums.G0;
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
