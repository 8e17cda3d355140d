/// The two sweeps of the derivatives of inverse dynamics, in world axes about one point O (equations of
/// docs/theory/sensitivities.md).
///
///   V, A     spatial velocity and acceleration of a body at O (A starts from −g)
///   S        a freedom;  psi = V_parent × S;  rate = psi + V × S;  psi2 = A_parent × S + V_parent × psi
///   I, B, f  of the subtree of a body: inertia, Coriolis matrix B = [0, −[h]; 0, tr(P) 1 − P], force it takes
///   R(d)     how the loads on the subtree change, seen from the body, when it moves by d
///
/// (3)  moving freedom i changes, seen from its subtree, V by psi and A by psi2 − V × psi
/// (4)  and so the force of the subtree by  2 B psi + I psi2, and −R(S) from loads (10);
/// (5)  seen from the ground by that plus S ×* f: the column Fq, the same for every joint that supports i.
/// (6)  Changing its velocity is the same with S for psi and rate for psi2, and moves nothing: Fv.
#pragma once

#include "dynamics/kernels/load_response.h"
#include "dynamics/kernels/mass_matrix.h"
#include "dynamics/kernels/moving_body.h"

namespace verne {
inline namespace VERNE_ISA {

/// A freedom with its rates, and what moving it does to the forces of its subtree.
template <class S>
struct FreedomState {
  Spatial<S> s, psi, psi2, rate;
  Spatial<S> Fq, Fv, Fa;
  Vec3<S> D;  // angular part of 2 Bᵀ S
};

template <class S>
struct SensitivityWork {
  const WorldPose<S>* poses;
  BodyRates<S>* rates;
  Composite<S>* composites;
  Spatial<S>* loads;           // on bodies; null without
  LoadResponse<S>* responses;  // with loads: of bodies, then of subtrees
  Spatial<S>* load_rows;       // with loads: Rᵀ S of every freedom
  FreedomState<S>* freedoms;
};

/// (1), (2): V, A, freedoms and their rates, of all bodies or of those on the way to `target` (for_each_body).
/// `gravity` false leaves A plain.
template <class S>
VERNE_SWEEP void sensitivity_forward(const Tree& tree, const S* v, const S* a, bool gravity, int target,
                                     const SensitivityWork<S>& work) {
  const Vec3<S> zero = Vec3<S>::zero();
  const double g = gravity ? 1 : 0;
  const BodyRates<S> base{{zero, zero},
                          {{S(-g * tree.gravity[0]), S(-g * tree.gravity[1]), S(-g * tree.gravity[2])}, zero}};
  for_each_body(tree, target, [&](int i) VERNE_INLINE_LAMBDA {
    const TreeBody& b = tree.bodies[i];
    const Mat3<S>& R = work.poses[i].R;
    const Vec3<S> r = work.poses[i].p - work.poses[0].p;
    const BodyRates<S> parent = b.parent < 0 ? base : work.rates[b.parent];
    by_kind(b.kind, [&](auto kind) VERNE_INLINE_LAMBDA {
      const int count = shape_of(kind).nv;
      FreedomState<S>* const freedoms = work.freedoms + b.v;
      Spatial<S> V = parent.V, A = parent.A;
      for (int k = 0; k < count; ++k) {
        Spatial<S> s = freedom(kind, b, R, k);  // as freedom_at(), which g++ 12 copies through memory here
        s.linear += cross(r, s.angular);
        const Spatial<S> psi = motion_cross(parent.V, s);
        freedoms[k].s = s;
        freedoms[k].psi = psi;
        freedoms[k].psi2 = motion_cross(parent.A, s) + motion_cross(parent.V, psi);
        freedoms[k].rate = psi + psi;
        V = V + s * v[b.v + k];
        A = A + s * a[b.v + k] + psi * v[b.v + k];
      }
      for (int k = 0; k < count && count > 1; ++k) freedoms[k].rate = freedoms[k].psi + motion_cross(V, freedoms[k].s);
      work.rates[i] = {V, A};
    });
  });
}

/// (4)-(7), (9) for body i with `count` freedoms: its subtree, and Fq, Fv, Fa, D of its freedoms. Inertia, B and f are
/// used up one after the other, while they are in registers.
template <class S>
VERNE_INLINE void sensitivity_of_body(const Tree& tree, int i, int count, const SensitivityWork<S>& work) {
  const TreeBody& b = tree.bodies[i];
  Composite<S>& c = work.composites[i];
  const Composite<S>* const carried = b.branches ? &c : b.subtree_end > i + 1 ? &c + 1 : nullptr;
  FreedomState<S>* const freedoms = work.freedoms + b.v;
  const CentralInertia<S> in = central_inertia(b, work.poses[i].R, work.poses[i].p - work.poses[0].p);
  const Spatial<S> V = work.rates[i].V;
  const Vec3<S> speed = speed_of_center(in, V);
  Spatial<S> Fq[6], Fv[6];
  WorldInertia<S> inertia = about_origin(in);
  if (carried) inertia += carried->inertia;
  for (int k = 0; k < count; ++k) {
    const FreedomState<S>& f = freedoms[k];
    freedoms[k].Fa = momentum_of(b.subtree_mass, inertia, f.s);
    Fv[k] = momentum_of(b.subtree_mass, inertia, f.rate);
    Fq[k] = momentum_of(b.subtree_mass, inertia, f.psi2);
  }
  c.inertia = inertia;
  TwiceB<S> twice_B = twice_B_of_body(in, V, speed);
  if (carried) twice_B += carried->twice_B;
  for (int k = 0; k < count; ++k) {
    const FreedomState<S>& f = freedoms[k];
    freedoms[k].D = twice_B.transposed(f.s);
    freedoms[k].Fv = Fv[k] + twice_B(f.s);
    Fq[k] = Fq[k] + twice_B(f.psi);
  }
  c.twice_B = twice_B;
  Spatial<S> force = force_on_body(in, V, speed, work.rates[i].A);
  if (work.loads) force = force - work.loads[i];
  if (carried) force = force + carried->f;
  for (int k = 0; k < count; ++k) freedoms[k].Fq = Fq[k] + force_cross(freedoms[k].s, force);
  c.f = force;
  for (int k = 0; k < count && work.loads; ++k) {
    freedoms[k].Fq = freedoms[k].Fq - work.responses[i](freedoms[k].s);
    work.load_rows[b.v + k] = work.responses[i].transposed(freedoms[k].s);
  }
  if (b.parent < 0) return;
  if (tree.bodies[b.parent].branches) work.composites[b.parent] += c;
  if (work.loads) work.responses[b.parent] += work.responses[i];
}

/// From the tips to the root. A single freedom is compiled apart.
template <class S>
VERNE_SWEEP void sensitivity_backward(const Tree& tree, const SensitivityWork<S>& work) {
  for (int i = 0; i < tree.body_count; ++i) {
    if (tree.bodies[i].branches) work.composites[i] = Composite<S>::zero();
  }
  for (int i = tree.body_count - 1; i >= 0; --i) {
    if (tree.bodies[i].nv == 1) {
      sensitivity_of_body(tree, i, 1, work);
    } else {
      sensitivity_of_body(tree, i, tree.bodies[i].nv, work);
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
