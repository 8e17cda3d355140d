/// How the accelerations of a subtree answer, at given torques, when the body that carries it accelerates or its forces
/// change: articulated bodies in world axes about the point O of sensitivity.h (section 9 of
/// docs/theory/sensitivities.md). Forward dynamics comes out on the way.
///
/// Freedoms are taken out one at a time, from the last of a joint to its first, so that joints of all kinds look alike.
///
///   I, p     articulated inertia of a subtree, and the force that it takes when its carrier does not accelerate
///   d, E     drive of a column (38), and the articulated force per unit of it
///   g, e     of a freedom: I S / D and Eᵀ S / D, where D = S·I S + rotor inertia (39)
#pragma once

#include "dynamics/kernels/forward_dynamics.h"
#include "dynamics/kernels/sensitivity.h"

namespace verne {
inline namespace VERNE_ISA {

/// Components of a drive: the angular part of psi (2 B psi needs no more) and, with loads, S.
constexpr int kDrive = 3, kLoadedDrive = 9;

/// Of a body and all it carries, as its parent feels it.
template <class S, int D>
struct SubtreeResponse {
  ArticulatedInertia<S> inertia;  // with p
  Freedom<S> E[D];

  VERNE_INLINE static SubtreeResponse zero() {
    SubtreeResponse r;
    r.inertia = ArticulatedInertia<S>::zero();
    for (int d = 0; d < D; ++d) r.E[d] = {Vec3<S>::zero(), Vec3<S>::zero()};
    return r;
  }
  VERNE_INLINE SubtreeResponse& operator+=(const SubtreeResponse& b) {
    inertia += b.inertia;
    for (int d = 0; d < D; ++d) E[d] = E[d] + b.E[d];
    return *this;
  }
};

/// A freedom's acceleration is w − g·x − e·d when what carries it accelerates by x (40).
template <class S, int D>
struct FreedomResponse {
  Freedom<S> s, g;
  S e[D];
  S inverse_D;
};

/// The same with respect to the body that carries the whole limb (46).
template <class S, int D>
struct LimbResponse {
  Freedom<S> g;
  S e[D];
};

/// What moving a freedom (q) or changing its velocity (v) starts: psi and psi2, S and rate; and the force in the parent
/// (42).
template <class S>
struct ColumnStart {
  Freedom<S> psi, psi2, rate;
  Freedom<S> pq, pv;
};

template <class S, int D>
struct ResponseWork {
  const WorldPose<S>* poses;
  BodyRates<S>* rates;
  Freedom<S>* loads;  // on bodies; null without
  LoadResponse<S>* load_responses;
  SubtreeResponse<S, D>* subtrees;
  FreedomResponse<S, D>* freedoms;
  LimbResponse<S, D>* limbs;  // of freedoms in limbs
  Freedom<S>* roots;          // of freedoms of roots: acceleration per unit of force on the root (47)
  ColumnStart<S>* starts;
};

template <class S, int D>
VERNE_INLINE void response_loads(const Tree& tree, const Inputs<S>& in, const ResponseWork<S, D>& work) {
  if (!work.loads) return;
  for (int i = 0; i < tree.body_count; ++i) {
    work.loads[i] = {Vec3<S>::zero(), Vec3<S>::zero()};
    work.load_responses[i] = LoadResponse<S>::zero();
  }
  for (int k = 0; k < in.load_count; ++k) {
    const int body = tree.sites[in.load_sites[k].link].body;
    if (body < 0) continue;
    const LoadAboutOrigin<S> load = load_about_origin(tree, in, work.poses, k);
    work.loads[body] = work.loads[body] + load.wrench;
    work.load_responses[body] += load.response;
  }
}

/// (1), (2): velocities, freedoms and their rates.
template <class S, int D>
VERNE_INLINE void response_velocities(const Tree& tree, const S* v, const ResponseWork<S, D>& work) {
  const Freedom<S> rest{Vec3<S>::zero(), Vec3<S>::zero()};
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    const Mat3<S>& R = work.poses[i].R;
    const Vec3<S> r = work.poses[i].p - work.poses[0].p;
    const Freedom<S> before = b.parent < 0 ? rest : work.rates[b.parent].V;
    by_kind(b.motion, [&](auto kind) VERNE_INLINE_LAMBDA {
      Freedom<S> V = before;
      for (int k = 0; k < b.nv; ++k) {
        Freedom<S> s = freedom(kind, b, R, k);
        s.linear += cross(r, s.angular);
        work.freedoms[b.v + k].s = s;
        work.starts[b.v + k].psi = motion_cross(before, s);
        V = V + s * v[b.v + k];
      }
      for (int k = b.v; k < b.v + b.nv; ++k) {
        ColumnStart<S>& f = work.starts[k];
        const bool single = kind != Motion::spherical && kind != Motion::free;
        f.rate = f.psi + (single ? f.psi : motion_cross(V, work.freedoms[k].s));
      }
      work.rates[i].V = V;
    });
  }
}

/// Column d of the E of a body (38).
template <class S>
VERNE_INLINE Freedom<S> drive_column(const TwiceB<S>& B, const LoadResponse<S>* load, int d) {
  const auto unit_cross = [](int k, const Vec3<S>& x) {  // e_k × x
    return k == 0 ? Vec3<S>{S(0), -x.z, x.y} : k == 1 ? Vec3<S>{x.z, S(0), -x.x} : Vec3<S>{-x.y, x.x, S(0)};
  };
  if (d < 3) return {unit_cross(d, B.h), B.T.column(d)};
  if (d < 6) return {Vec3<S>::zero(), unit_cross(d - 3, load->G)};
  return {unit_cross(d - 6, load->F), -load->Q.column(d - 6)};
}

/// E d for the drive of psi and, unless null, s.
template <class S, int D>
VERNE_INLINE Freedom<S> driven_force(const SubtreeResponse<S, D>& r, const Vec3<S>& psi, const Freedom<S>* s) {
  Freedom<S> p = r.E[0] * psi.x + r.E[1] * psi.y + r.E[2] * psi.z;
  if constexpr (D == kLoadedDrive) {
    if (s) {
      p = p + r.E[3] * s->linear.x + r.E[4] * s->linear.y + r.E[5] * s->linear.z;
      p = p + r.E[6] * s->angular.x + r.E[7] * s->angular.y + r.E[8] * s->angular.z;
    }
  }
  return p;
}

/// (39) for body i: adds it to what it carries and takes its freedoms out. Leaves in `a` the accelerations of its
/// freedoms when nothing before them accelerates.
template <class S, int D>
VERNE_INLINE void respond(const Tree& tree, int i, const S* v, const S* tau, const ResponseWork<S, D>& work, S* a) {
  const TreeBody& b = tree.bodies[i];
  SubtreeResponse<S, D>& out = work.subtrees[i];
  const SubtreeResponse<S, D>* carried = nullptr;
  if (b.branches) {
    carried = &out;
  } else if (b.subtree_end > i + 1) {
    carried = &out + 1;
  }
  const Freedom<S> V = work.rates[i].V, none{Vec3<S>::zero(), Vec3<S>::zero()};
  const CentralInertia<S> in = central_inertia(b, work.poses[i].R, work.poses[i].p - work.poses[0].p);
  const Vec3<S> speed = speed_of_center(in, V);
  ArticulatedInertia<S> I;
  {
    const WorldInertia<S> about_O = about_origin(in);
    const Vec3<S>& mc = about_O.mc;
    Freedom<S> p = force_on_body(in, V, speed, none);
    if (work.loads) p = p - work.loads[i];
    I = {{S(b.mass), S(0), S(0), S(b.mass), S(0), S(b.mass)},
         {{S(0), mc.z, -mc.y, -mc.z, S(0), mc.x, mc.y, -mc.x, S(0)}},
         about_O.I,
         p.linear,
         p.angular};
  }
  if (carried) I += carried->inertia;
  for (int k = b.v + b.nv - 1; k >= b.v; --k) {
    FreedomResponse<S, D>& f = work.freedoms[k];
    const Freedom<S> s = f.s, U = articulated_times(I, s);
    const S inverse_D = S(1.0) / (pairing(s, U) + tree.rotor_inertia[k]);
    const Freedom<S> g = U * inverse_D;
    const S u = tau[k] - dot(s.linear, I.f) - dot(s.angular, I.n);
    f.g = g, f.inverse_D = inverse_D;
    a[k] = u * inverse_D;
    subtract_outer(I, g, U);
    I.f += g.linear * u;
    I.n += g.angular * u;
  }
  const TwiceB<S> B = twice_B_of_body(in, V, speed);
  for (int d = 0; d < D; ++d) {
    Freedom<S> E = drive_column(B, work.loads ? work.load_responses + i : nullptr, d);
    if (carried) E = E + carried->E[d];
    for (int k = b.v + b.nv - 1; k >= b.v; --k) {
      FreedomResponse<S, D>& f = work.freedoms[k];
      const S u = pairing(f.s, E);
      f.e[d] = u * f.inverse_D;
      E = E - f.g * u;
    }
    out.E[d] = E;
  }
  if (b.parent < 0) return;
  for (int k = b.v; k < b.v + b.nv; ++k) {
    ColumnStart<S>& f = work.starts[k];
    const Freedom<S> J = articulated_times(I, f.psi);
    I.f += J.linear * v[k];  // velocities alone accelerate the body by psi v
    I.n += J.angular * v[k];
    f.pv = driven_force(out, work.freedoms[k].s.angular, static_cast<const Freedom<S>*>(nullptr)) +
           (b.nv == 1 ? J * 2.0 : articulated_times(I, f.rate));
  }
  out.inertia = I;
  if (tree.bodies[b.parent].branches) work.subtrees[b.parent] += out;
}

/// From the tips to the root.
template <class S, int D>
VERNE_INLINE void response_sweep(const Tree& tree, const S* v, const S* tau, const ResponseWork<S, D>& work, S* a) {
  for (int i = 0; i < tree.body_count; ++i) {
    if (tree.bodies[i].branches) work.subtrees[i] = SubtreeResponse<S, D>::zero();
  }
  for (int i = tree.body_count - 1; i >= 0; --i) respond(tree, i, v, tau, work, a);
}

/// (40)-(42) from the root to the tips: accelerations, and with them psi2 and pq.
template <class S, int D>
VERNE_INLINE void response_accelerations(const Tree& tree, const S* v, const ResponseWork<S, D>& work, S* a) {
  const Vec3<S> zero = Vec3<S>::zero();
  const BodyRates<S> base{{zero, zero}, {{S(-tree.gravity[0]), S(-tree.gravity[1]), S(-tree.gravity[2])}, zero}};
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    const SubtreeResponse<S, D>& r = work.subtrees[i];
    const BodyRates<S> before = b.parent < 0 ? base : work.rates[b.parent];
    Freedom<S> A = before.A;
    for (int k = b.v; k < b.v + b.nv; ++k) A = A + work.starts[k].psi * v[k];
    for (int k = b.v; k < b.v + b.nv; ++k) {
      const FreedomResponse<S, D>& f = work.freedoms[k];
      const S acceleration = a[k] - pairing(f.g, A);
      a[k] = acceleration;
      A = A + f.s * acceleration;
    }
    work.rates[i].A = A;
    for (int k = b.v; k < b.v + b.nv; ++k) {
      ColumnStart<S>& f = work.starts[k];
      const Freedom<S> s = work.freedoms[k].s, psi2 = motion_cross(before.A, s) + motion_cross(before.V, f.psi);
      f.psi2 = psi2;
      if (b.parent < 0) continue;
      const Freedom<S> force = articulated_times(r.inertia, before.A) + Freedom<S>{r.inertia.f, r.inertia.n};
      f.pq = driven_force(r, f.psi.angular, &s) + articulated_times(r.inertia, psi2) + force_cross(s, force);
    }
  }
}

/// (46): three motions of the carrier at a time go down every limb.
template <class S, int D>
VERNE_INLINE void limb_responses(const Tree& tree, const ResponseWork<S, D>& work) {
  const Vec3<S> zero = Vec3<S>::zero();
  const Vec3<S> unit[3] = {{S(1.0), S(0), S(0)}, {S(0), S(1.0), S(0)}, {S(0), S(0), S(1.0)}};
  for (int i = 0; i < tree.body_count; ++i) {
    if (!tree.bodies[i].begins_limb) continue;
    const int end = end_of_freedoms(tree, i);
    for (int group = 0; group < 2 + D / 3; ++group) {
      Freedom<S> x[3];
      for (int c = 0; c < 3; ++c) x[c] = {group == 0 ? unit[c] : zero, group == 1 ? unit[c] : zero};
      for (int k = tree.bodies[i].v; k < end; ++k) {
        const FreedomResponse<S, D>& f = work.freedoms[k];
        LimbResponse<S, D>& limb = work.limbs[k];
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
template <class S, int D>
VERNE_INLINE void root_responses(const Tree& tree, const ResponseWork<S, D>& work) {
  for (int i = 0; i < tree.body_count; i = tree.bodies[i].subtree_end) {
    const TreeBody& b = tree.bodies[i];
    if (b.nv == 1) continue;
    for (int c = 0; c < 6; ++c) {
      const auto unit = [c](int k) { return S(c == k ? 1.0 : 0.0); };
      Freedom<S> p{{unit(0), unit(1), unit(2)}, {unit(3), unit(4), unit(5)}}, x{Vec3<S>::zero(), Vec3<S>::zero()};
      S w[6];
      for (int k = b.nv - 1; k >= 0; --k) {
        const FreedomResponse<S, D>& f = work.freedoms[b.v + k];
        const S u = pairing(f.s, p);
        w[k] = u * f.inverse_D;
        p = p - f.g * u;
      }
      for (int k = 0; k < b.nv; ++k) {
        const FreedomResponse<S, D>& f = work.freedoms[b.v + k];
        const S answer = -w[k] - pairing(f.g, x);
        Freedom<S>& root = work.roots[b.v + k];
        (c < 3 ? root.linear : root.angular)[c % 3] = answer;
        x = x + f.s * answer;
      }
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
