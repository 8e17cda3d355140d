/// How the accelerations of a subtree answer, at given torques, when the body that carries it accelerates or its forces
/// change: articulated bodies in world axes about O (section 9 of
/// docs/theory/sensitivities.md). Forward dynamics comes out on the way.
///
/// Freedoms are taken out one at a time, from the last of a joint to its first, so that joints of all kinds look alike.
///
///   I, p     articulated inertia of a subtree, and the force that it takes when its carrier does not accelerate
///   d, E     drive of a column (38), and the articulated force per unit of it
///   g, e     of a freedom: I S / D and Eᵀ S / D, where D = S·I S + rotor inertia (39)
#pragma once

#include "dynamics/kernels/forward_dynamics.h"
#include "dynamics/kernels/load_response.h"
#include "dynamics/kernels/moving_body.h"

namespace verne {
inline namespace VERNE_ISA {

/// Components of a drive: the angular part of psi (2 B psi needs no more) and, with loads, S.
constexpr int kDrive = 3, kLoadedDrive = 9;

/// Of a body and all it carries, as its parent feels it; of a body that branches, first the sum over its children.
template <class S, int N>
struct SubtreeResponse {
  ArticulatedInertia<S> inertia;  // with p
  Spatial<S> E[N];

  VERNE_INLINE static SubtreeResponse zero() {
    SubtreeResponse r;
    r.inertia = ArticulatedInertia<S>::zero();
    for (int d = 0; d < N; ++d) r.E[d] = {Vec3<S>::zero(), Vec3<S>::zero()};
    return r;
  }
};

/// A freedom's acceleration is w − g·x when what carries it accelerates by x.
template <class S>
struct FreedomGain {
  Spatial<S> s, g;
  S inverse_D;
};

/// And w − g·x − e·d in a column with the drive d (40).
template <class S, int N>
struct FreedomResponse : FreedomGain<S> {
  S e[N];
};

/// The same with respect to the body that carries the whole limb (46).
template <class S, int N>
struct LimbResponse {
  Spatial<S> g;
  S e[N];
};

/// What moving a freedom (q) or changing its velocity (v) starts: psi and psi2, S and rate; and the force in the parent
/// (42).
template <class S>
struct ColumnStart {
  Spatial<S> psi, psi2, rate;
  Spatial<S> pq, pv;
};

template <class S, int N>
struct ResponseWork {
  const WorldPose<S>* poses;
  BodyRates<S>* rates;
  CentralInertia<S>* bodies;
  Spatial<S>* loads;  // on bodies; null without
  LoadResponse<S>* load_responses;
  SubtreeResponse<S, N>* subtrees;
  FreedomResponse<S, N>* freedoms;
  LimbResponse<S, N>* limbs;  // of freedoms in limbs
  Spatial<S>* roots;          // of freedoms of roots: acceleration per unit of force on the root (47)
  ColumnStart<S>* starts;
};

/// (1), (2): velocities, freedoms and their rates; and inertias of bodies, which are wanted three times.
template <class S, int N>
VERNE_SWEEP void response_velocities(const Tree& tree, const S* v, const ResponseWork<S, N>& work) {
  const Spatial<S> rest{Vec3<S>::zero(), Vec3<S>::zero()};
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    const Mat3<S>& R = work.poses[i].R;
    const Vec3<S> r = work.poses[i].p - work.poses[0].p;
    const Spatial<S> before = b.parent < 0 ? rest : work.rates[b.parent].V;
    by_kind(b.kind, [&](auto kind) VERNE_INLINE_LAMBDA {
      const int count = shape_of(kind).nv;
      FreedomResponse<S, N>* const freedoms = work.freedoms + b.v;
      ColumnStart<S>* const starts = work.starts + b.v;
      Spatial<S> V = before;
      for (int k = 0; k < count; ++k) {
        Spatial<S> s = freedom(kind, b, R, k);  // as freedom_at(), which g++ 12 copies through memory here
        s.linear += cross(r, s.angular);
        const Spatial<S> psi = motion_cross(before, s);
        freedoms[k].s = s;
        starts[k].psi = psi;
        starts[k].rate = psi + psi;
        V = V + s * v[b.v + k];
      }
      for (int k = 0; k < count && count > 1; ++k) starts[k].rate = starts[k].psi + motion_cross(V, freedoms[k].s);
      work.rates[i].V = V;
    });
    work.bodies[i] = central_inertia(b, R, r);
  }
}

/// Column d of the E of a body (38).
template <class S>
VERNE_INLINE Spatial<S> drive_column(const TwiceB<S>& B, const LoadResponse<S>* load, int d) {
  const auto unit_cross = [](int k, const Vec3<S>& x) {  // e_k × x
    return k == 0 ? Vec3<S>{S(0), -x.z, x.y} : k == 1 ? Vec3<S>{x.z, S(0), -x.x} : Vec3<S>{-x.y, x.x, S(0)};
  };
  if (d < 3) return {unit_cross(d, B.h), B.T.column(d)};
  if (d < 6) return {Vec3<S>::zero(), unit_cross(d - 3, load->G)};
  return {unit_cross(d - 6, load->F), -load->Q.column(d - 6)};
}

/// E d for the column of q.
template <class S, int N>
VERNE_INLINE Spatial<S> driven_force(const SubtreeResponse<S, N>& r, const Vec3<S>& psi, const Spatial<S>& s) {
  Spatial<S> p = r.E[0] * psi.x + r.E[1] * psi.y + r.E[2] * psi.z;
  if constexpr (N == kLoadedDrive) {
    p = p + r.E[3] * s.linear.x + r.E[4] * s.linear.y + r.E[5] * s.linear.z;
    p = p + r.E[6] * s.angular.x + r.E[7] * s.angular.y + r.E[8] * s.angular.z;
  }
  return p;
}

/// I and nothing of p.
template <class S>
VERNE_INLINE void add_inertia(const ArticulatedInertia<S>& b, ArticulatedInertia<S>& sum) {
  sum.A += b.A, sum.H += b.H, sum.C += b.C;
}

/// What body i carries, null at tips.
template <class Work>
VERNE_INLINE auto carried_by(const Tree& tree, int i, const Work& work) -> decltype(work.subtrees) {
  const TreeBody& b = tree.bodies[i];
  if (b.branches) return work.subtrees + i;
  return b.subtree_end > i + 1 ? work.subtrees + i + 1 : nullptr;
}

/// (39) for body i with `count` freedoms: inertia of its subtree, and g. `work` is a ResponseWork or an InverseWork.
template <class S, class Work>
VERNE_INLINE void take_out_of_inertia(const Tree& tree, int i, int count, const Work& work) {
  const auto* const carried = carried_by(tree, i, work);
  const TreeBody& b = tree.bodies[i];
  ArticulatedInertia<S> I;
  {
    const WorldInertia<S> rigid = about_origin(work.bodies[i]);
    const Vec3<S>& mc = rigid.mc;
    I.A = {S(b.mass), S(0), S(0), S(b.mass), S(0), S(b.mass)};
    I.H = {{S(0), mc.z, -mc.y, -mc.z, S(0), mc.x, mc.y, -mc.x, S(0)}};
    I.C = rigid.I;
  }
  if (carried) add_inertia(carried->inertia, I);
  for (int k = b.v + count - 1; k >= b.v; --k) {
    FreedomGain<S>& f = work.freedoms[k];
    const Spatial<S> U = articulated_times(I, f.s);
    const S inverse_D = S(1.0) / (pairing(f.s, U) + tree.rotor_inertia[k]);
    const Spatial<S> g = U * inverse_D;
    f.g = g, f.inverse_D = inverse_D;
    subtract_outer(I, g, U);
  }
  if (b.parent < 0) return;
  ArticulatedInertia<S>& out = work.subtrees[i].inertia;
  out.A = I.A, out.H = I.H, out.C = I.C;
  if (tree.bodies[b.parent].branches) add_inertia(I, work.subtrees[b.parent].inertia);
}

/// (39): force of its subtree, and in `a` the accelerations of its freedoms when nothing before them accelerates; I ρ
/// of pv (42).
template <class S, int N>
VERNE_INLINE void take_out_of_force(const Tree& tree, int i, int count, const S* v, const S* tau,
                                    const ResponseWork<S, N>& work, S* a) {
  const SubtreeResponse<S, N>* const carried = carried_by(tree, i, work);
  const TreeBody& b = tree.bodies[i];
  const CentralInertia<S>& in = work.bodies[i];
  const Spatial<S> V = work.rates[i].V, none{Vec3<S>::zero(), Vec3<S>::zero()};
  Spatial<S> p = force_on_body(in, V, speed_of_center(in, V), none);
  if (work.loads) p = p - work.loads[i];
  if (carried) p = p + Spatial<S>{carried->inertia.f, carried->inertia.n};
  for (int k = b.v + count - 1; k >= b.v; --k) {
    const FreedomResponse<S, N>& f = work.freedoms[k];
    const S u = tau[k] - pairing(f.s, p);
    a[k] = u * f.inverse_D;
    p = p + f.g * u;
  }
  if (b.parent < 0) return;
  ArticulatedInertia<S>& out = work.subtrees[i].inertia;
  for (int k = b.v; k < b.v + count; ++k) {
    ColumnStart<S>& f = work.starts[k];
    const Spatial<S> J = articulated_times(out, f.psi);
    p = p + J * v[k];  // velocities alone accelerate the body by psi v
    f.pv = count == 1 ? J * 2.0 : articulated_times(out, f.rate);
  }
  out.f = p.linear, out.n = p.angular;
  if (!tree.bodies[b.parent].branches) return;
  work.subtrees[b.parent].inertia.f += p.linear;
  work.subtrees[b.parent].inertia.n += p.angular;
}

/// (39): E of its subtree and e, three columns at a time, which fit into registers; E d of pv (42).
template <class S, int N>
VERNE_INLINE void take_out_of_drive(const Tree& tree, int i, int count, const ResponseWork<S, N>& work) {
  const SubtreeResponse<S, N>* const carried = carried_by(tree, i, work);
  const TreeBody& b = tree.bodies[i];
  const CentralInertia<S>& in = work.bodies[i];
  const Spatial<S> V = work.rates[i].V;
  const TwiceB<S> B = twice_B_of_body(in, V, speed_of_center(in, V));
  Spatial<S>* const out = work.subtrees[i].E;
  for (int d = 0; d < N; d += 3) {
    Spatial<S> E[3];
    for (int c = 0; c < 3; ++c) {
      E[c] = drive_column(B, work.loads ? work.load_responses + i : nullptr, d + c);
      if (carried) E[c] = E[c] + carried->E[d + c];
    }
    for (int k = b.v + count - 1; k >= b.v; --k) {
      FreedomResponse<S, N>& f = work.freedoms[k];
      const Spatial<S>&s = held(f.s), &g = held(f.g);
      const S u[3] = {pairing(s, E[0]), pairing(s, E[1]), pairing(s, E[2])};
      for (int c = 0; c < 3; ++c) {
        E[c] = E[c] - g * u[c];
        f.e[d + c] = u[c] * f.inverse_D;
      }
    }
    if (b.parent < 0) continue;
    for (int c = 0; c < 3; ++c) out[d + c] = E[c];
    for (int k = b.v; k < b.v + count && d == 0; ++k) {
      const Vec3<S>& s = work.freedoms[k].s.angular;
      work.starts[k].pv = work.starts[k].pv + E[0] * s.x + E[1] * s.y + E[2] * s.z;
    }
    if (!tree.bodies[b.parent].branches) continue;
    Spatial<S>* const sum = work.subtrees[b.parent].E;
    for (int c = 0; c < 3; ++c) sum[d + c] = sum[d + c] + E[c];
  }
}

/// From the tips to the root. The three parts of a body share memory, but few registers; a single freedom is compiled
/// apart.
template <class S, int N>
VERNE_SWEEP void response_inwards(const Tree& tree, const S* v, const S* tau, const ResponseWork<S, N>& work, S* a) {
  for (int i = 0; i < tree.body_count; ++i) {
    if (tree.bodies[i].branches) work.subtrees[i] = SubtreeResponse<S, N>::zero();
  }
  const auto step = [&](int i, int count) VERNE_INLINE_LAMBDA {
    take_out_of_inertia<S>(tree, i, count, work);
    take_out_of_force(tree, i, count, v, tau, work, a);
    take_out_of_drive(tree, i, count, work);
  };
  for (int i = tree.body_count - 1; i >= 0; --i) {
    if (tree.bodies[i].nv == 1) {
      step(i, 1);
    } else {
      step(i, tree.bodies[i].nv);
    }
  }
}

/// (40)-(42) from the root to the tips: accelerations, and with them psi2 and pq.
template <class S, int N>
VERNE_SWEEP void response_accelerations(const Tree& tree, const S* v, const ResponseWork<S, N>& work, S* a) {
  const Vec3<S> zero = Vec3<S>::zero();
  const BodyRates<S> base{{zero, zero}, {{S(-tree.gravity[0]), S(-tree.gravity[1]), S(-tree.gravity[2])}, zero}};
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    const SubtreeResponse<S, N>& r = work.subtrees[i];
    const BodyRates<S> before = b.parent < 0 ? base : work.rates[b.parent];
    Spatial<S> A = before.A;
    for (int k = b.v; k < b.v + b.nv; ++k) A = A + work.starts[k].psi * v[k];
    for (int k = b.v; k < b.v + b.nv; ++k) {
      const FreedomResponse<S, N>& f = work.freedoms[k];
      const S acceleration = a[k] - pairing(f.g, A);
      a[k] = acceleration;
      A = A + f.s * acceleration;
    }
    work.rates[i].A = A;
    Spatial<S> force{zero, zero};
    if (b.parent >= 0) force = articulated_times(r.inertia, before.A) + Spatial<S>{r.inertia.f, r.inertia.n};
    for (int k = b.v; k < b.v + b.nv; ++k) {
      ColumnStart<S>& f = work.starts[k];
      const Spatial<S> s = work.freedoms[k].s, psi2 = motion_cross(before.A, s) + motion_cross(before.V, f.psi);
      f.psi2 = psi2;
      if (b.parent < 0) continue;
      f.pq = driven_force(r, f.psi.angular, s) + articulated_times(r.inertia, psi2) + force_cross(s, force);
    }
  }
}

/// (46): three motions of the carrier at a time go down every limb.
template <class S, int N>
VERNE_SWEEP void limb_responses(const Tree& tree, const ResponseWork<S, N>& work) {
  const Vec3<S> zero = Vec3<S>::zero();
  const Vec3<S> unit[3] = {{S(1.0), S(0), S(0)}, {S(0), S(1.0), S(0)}, {S(0), S(0), S(1.0)}};
  for (int i = 0; i < tree.body_count; ++i) {
    if (!tree.bodies[i].begins_limb) continue;
    const int end = end_of_freedoms(tree, i);
    for (int group = 0; group < 2 + N / 3; ++group) {
      Spatial<S> x[3];
      for (int c = 0; c < 3; ++c) x[c] = {group == 0 ? unit[c] : zero, group == 1 ? unit[c] : zero};
      for (int k = tree.bodies[i].v; k < end; ++k) {
        const FreedomResponse<S, N>& f = work.freedoms[k];
        LimbResponse<S, N>& limb = work.limbs[k];
        S answer[3] = {pairing(f.g, x[0]), pairing(f.g, x[1]), pairing(f.g, x[2])};
        for (int c = 0; c < 3 && group > 1; ++c) answer[c] = answer[c] + f.e[3 * group - 6 + c];
        for (int c = 0; c < 3; ++c) x[c] = x[c] - f.s * answer[c];
        if (group == 0) limb.g.linear = Vec3<S>::load(answer);
        if (group == 1) limb.g.angular = Vec3<S>::load(answer);
        for (int c = 0; c < 3 && group > 1; ++c) limb.e[3 * group - 6 + c] = answer[c];
      }
    }
  }
}

/// (47): a root with several freedoms answers unit forces, one after the other.
template <class S, int N>
VERNE_SWEEP void root_responses(const Tree& tree, const ResponseWork<S, N>& work) {
  for (int i = 0; i < tree.body_count; i = tree.bodies[i].subtree_end) {
    const TreeBody& b = tree.bodies[i];
    if (b.nv == 1) continue;
    for (int c = 0; c < 6; ++c) {
      const auto unit = [c](int k) { return S(c == k ? 1.0 : 0.0); };
      Spatial<S> p{{unit(0), unit(1), unit(2)}, {unit(3), unit(4), unit(5)}}, x{Vec3<S>::zero(), Vec3<S>::zero()};
      S w[6];
      for (int k = b.nv - 1; k >= 0; --k) {
        const FreedomResponse<S, N>& f = work.freedoms[b.v + k];
        const S u = pairing(f.s, p);
        w[k] = u * f.inverse_D;
        p = p - f.g * u;
      }
      for (int k = 0; k < b.nv; ++k) {
        const FreedomResponse<S, N>& f = work.freedoms[b.v + k];
        const S answer = -w[k] - pairing(f.g, x);
        Spatial<S>& root = work.roots[b.v + k];
        (c < 3 ? root.linear : root.angular)[c % 3] = answer;
        x = x + f.s * answer;
      }
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
