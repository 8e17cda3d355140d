/// First derivatives of inverse dynamics, in world axes about one point O (equations of docs/theory/sensitivities.md).
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

#include "dynamics/kernels/loads.h"
#include "dynamics/kernels/mass_matrix.h"

namespace verne {
inline namespace VERNE_ISA {

/// Motion cross product a × b.
template <class S>
VERNE_INLINE Freedom<S> motion_cross(const Freedom<S>& a, const Freedom<S>& b) {
  return {cross(a.angular, b.linear) + cross(a.linear, b.angular), cross(a.angular, b.angular)};
}
/// Force cross product a ×* f.
template <class S>
VERNE_INLINE Freedom<S> force_cross(const Freedom<S>& a, const Freedom<S>& f) {
  return {cross(a.angular, f.linear), cross(a.angular, f.angular) + cross(a.linear, f.linear)};
}
template <class S>
VERNE_INLINE Freedom<S> operator+(const Freedom<S>& a, const Freedom<S>& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
template <class S>
VERNE_INLINE Freedom<S> operator-(const Freedom<S>& a, const Freedom<S>& b) {
  return {a.linear - b.linear, a.angular - b.angular};
}
template <class A, class B>
VERNE_INLINE Freedom<Product<A, B>> operator*(const Freedom<A>& a, const B& s) {
  return {a.linear * s, a.angular * s};
}

/// x, kept in registers where there are enough of them: g++ loads it again for every use otherwise, and a load of a
/// wide pack costs as much as a product.
template <class T>
VERNE_INLINE const T& held(const T& x) {
  return x;
}
#ifdef __AVX512F__
VERNE_INLINE Vec3<Lanes> held(const Vec3<Lanes>& x) {
  Vec3<Lanes> y = x;
  asm("" : "+v"(y.x.v), "+v"(y.y.v), "+v"(y.z.v));
  return y;
}
VERNE_INLINE Freedom<Lanes> held(const Freedom<Lanes>& x) {
  return {held(x.linear), held(x.angular)};
}
#endif

template <class A, class B>
VERNE_INLINE Product<A, B> pairing(const Freedom<A>& a, const Freedom<B>& b) {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}
template <class S>
VERNE_INLINE Vec3<S> column_of(const Sym3<S>& M, int k) {
  return k == 0 ? Vec3<S>{M.xx, M.xy, M.xz} : k == 1 ? Vec3<S>{M.xy, M.yy, M.yz} : Vec3<S>{M.xz, M.yz, M.zz};
}

/// (10) Loads on a subtree: R(d) = (F × d_a; Q d_a + G × d_l).
template <class S>
struct LoadResponse {
  Vec3<S> F, G;
  Mat3<S> Q;

  VERNE_INLINE static LoadResponse zero() { return {Vec3<S>::zero(), Vec3<S>::zero(), Mat3<S>::zero()}; }
  VERNE_INLINE LoadResponse& operator+=(const LoadResponse& b) {
    F += b.F, G += b.G, Q += b.Q;
    return *this;
  }
  /// R(d)
  VERNE_INLINE Freedom<S> operator()(const Freedom<S>& d) const {
    return {cross(F, d.angular), Q * d.angular + cross(G, d.linear)};
  }
  /// Rᵀ s
  VERNE_INLINE Freedom<S> transposed(const Freedom<S>& s) const {
    return {cross(s.angular, G), cross(s.linear, F) + transpose_times(Q, s.angular)};
  }
};

/// [a][b] = b aᵀ − (a·b) 1
template <class S>
VERNE_INLINE Mat3<S> skew_product(const Vec3<S>& a, const Vec3<S>& b) {
  const S xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  return {{-(yy + zz), b.x * a.y, b.x * a.z, b.y * a.x, -(xx + zz), b.y * a.z, b.z * a.x, b.z * a.y, -(xx + yy)}};
}
template <class S>
VERNE_INLINE void add_skew(const Vec3<S>& a, Mat3<S>& M) {
  M.m[1] = M.m[1] - a.z, M.m[2] = M.m[2] + a.y, M.m[3] = M.m[3] + a.z;
  M.m[5] = M.m[5] - a.x, M.m[6] = M.m[6] - a.y, M.m[7] = M.m[7] + a.x;
}

/// 2 B u = (u_a × h; T u_a): h is twice the linear momentum, T = 2 (tr(P) 1 − P).
template <class S>
struct TwiceB {
  Vec3<S> h;
  Mat3<S> T;

  VERNE_INLINE static TwiceB zero() { return {Vec3<S>::zero(), Mat3<S>::zero()}; }
  VERNE_INLINE TwiceB& operator+=(const TwiceB& b) {
    h += b.h, T += b.T;
    return *this;
  }
  VERNE_INLINE Freedom<S> operator()(const Freedom<S>& u) const { return {cross(u.angular, h), T * u.angular}; }
  /// 2 Bᵀ s, which has an angular part only
  VERNE_INLINE Vec3<S> transposed(const Freedom<S>& s) const {
    return cross(h, s.linear) + transpose_times(T, s.angular);
  }
  /// The angular momentum is the antisymmetric part of P.
  VERNE_INLINE Freedom<S> momentum() const {
    const Vec3<S> twice_angular{T.m[5] - T.m[7], T.m[6] - T.m[2], T.m[1] - T.m[3]};
    return {h * 0.5, twice_angular * 0.5};
  }
};

/// A rigid body in world axes: centre of mass from O, and inertia about it.
template <class S>
struct CentralInertia {
  S mass;
  Vec3<S> c;
  Sym3<S> I;
};

template <class S>
VERNE_INLINE CentralInertia<S> central_inertia(const TreeBody& b, const Mat3<S>& R, const Vec3<S>& r) {
  CentralInertia<S> in{S(b.mass), r + R * vec3(b.com), Sym3<S>::zero()};
  add_turned(b.central, R, in.I);
  return in;
}

template <class S>
VERNE_INLINE WorldInertia<S> about_origin(const CentralInertia<S>& in) {
  const Vec3<S>& c = in.c;
  const Vec3<S> mc = c * in.mass;
  const S x = mc.x * c.x, y = mc.y * c.y, z = mc.z * c.z;
  return {mc,
          {in.I.xx + (y + z), in.I.xy - mc.x * c.y, in.I.xz - mc.x * c.z, in.I.yy + (x + z), in.I.yz - mc.y * c.z,
           in.I.zz + (x + y)}};
}

/// Of a body that moves with V, where `speed` is that of its centre: P = m c' cᵀ + [w] E, E the second moment about c.
template <class S>
VERNE_INLINE TwiceB<S> twice_B_of_body(const CentralInertia<S>& in, const Freedom<S>& V, const Vec3<S>& speed) {
  const Vec3<S>& c = in.c;
  const Vec3<S> h = speed * (in.mass + in.mass), w = V.angular + V.angular;
  const S half = (in.I.xx + in.I.yy + in.I.zz) * 0.5, trace = dot(h, c);
  const Sym3<S> E{half - in.I.xx, -in.I.xy, -in.I.xz, half - in.I.yy, -in.I.yz, half - in.I.zz};
  const Vec3<S> a = cross(column_of(E, 0), w) - h * c.x, b = cross(column_of(E, 1), w) - h * c.y,
                d = cross(column_of(E, 2), w) - h * c.z;
  return {h, {{trace + a.x, b.x, d.x, a.y, trace + b.y, d.y, a.z, b.z, trace + d.z}}};
}

/// Velocity of the centre of mass.
template <class S>
VERNE_INLINE Vec3<S> speed_of_center(const CentralInertia<S>& in, const Freedom<S>& V) {
  return V.linear + cross(V.angular, in.c);
}

/// I A + V ×* I V, by Newton and Euler about the centre of mass.
template <class S>
VERNE_INLINE Freedom<S> force_on_body(const CentralInertia<S>& in, const Freedom<S>& V, const Vec3<S>& speed,
                                      const Freedom<S>& A) {
  const Vec3<S> force = (A.linear + cross(A.angular, in.c) + cross(V.angular, speed)) * in.mass;
  return {force, cross(in.c, force) + in.I * A.angular + cross(V.angular, in.I * V.angular)};
}

/// I, B and f of a body or of all that a joint carries, about O.
template <class S>
struct Composite {
  WorldInertia<S> inertia;
  TwiceB<S> twice_B;
  Freedom<S> f;

  VERNE_INLINE static Composite zero() {
    return {WorldInertia<S>::zero(), TwiceB<S>::zero(), {Vec3<S>::zero(), Vec3<S>::zero()}};
  }
  VERNE_INLINE Composite& operator+=(const Composite& b) {
    inertia += b.inertia;
    twice_B += b.twice_B;
    f.linear += b.f.linear, f.angular += b.f.angular;
    return *this;
  }
};

/// V and A of a body about O.
template <class S>
struct BodyRates {
  Freedom<S> V, A;
};

template <class S>
VERNE_INLINE Composite<S> composite_of_body(const CentralInertia<S>& in, const BodyRates<S>& rates) {
  const Vec3<S> speed = speed_of_center(in, rates.V);
  return {about_origin(in), twice_B_of_body(in, rates.V, speed), force_on_body(in, rates.V, speed, rates.A)};
}

/// A freedom with its rates, and what moving it does to the forces of its subtree.
template <class S>
struct FreedomState {
  Freedom<S> s, psi, psi2, rate;
  Freedom<S> Fq, Fv, Fa;
  Vec3<S> D;  // angular part of 2 Bᵀ S
};

template <class S>
struct SensitivityWork {
  const WorldPose<S>* poses;
  BodyRates<S>* rates;
  Composite<S>* composites;
  Freedom<S>* loads;           // on bodies; null without
  LoadResponse<S>* responses;  // with loads: of bodies, then of subtrees
  Freedom<S>* load_rows;       // with loads: Rᵀ S of every freedom
  FreedomState<S>* freedoms;
};

/// (1), (2): V, A, freedoms and their rates. `gravity` false leaves A plain.
template <class S>
VERNE_SWEEP void sensitivity_forward(const Tree& tree, const S* v, const S* a, bool gravity,
                                     const SensitivityWork<S>& work) {
  const Vec3<S> zero = Vec3<S>::zero();
  const double g = gravity ? 1 : 0;
  const BodyRates<S> base{{zero, zero},
                          {{S(-g * tree.gravity[0]), S(-g * tree.gravity[1]), S(-g * tree.gravity[2])}, zero}};
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    const Mat3<S>& R = work.poses[i].R;
    const Vec3<S> r = work.poses[i].p - work.poses[0].p;
    const BodyRates<S> parent = b.parent < 0 ? base : work.rates[b.parent];
    by_kind(b.motion, [&](auto kind) VERNE_INLINE_LAMBDA {
      const int count = freedom_count(kind);
      FreedomState<S>* const freedoms = work.freedoms + b.v;
      Freedom<S> V = parent.V, A = parent.A;
      for (int k = 0; k < count; ++k) {
        Freedom<S> s = freedom(kind, b, R, k);
        s.linear += cross(r, s.angular);
        const Freedom<S> psi = motion_cross(parent.V, s);
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
  }
}

/// One load about O: its wrench, and how that responds to motion of its link (10).
template <class S>
struct LoadAboutOrigin {
  Freedom<S> wrench;
  LoadResponse<S> response;
};

template <class S>
VERNE_INLINE LoadAboutOrigin<S> load_about_origin(const Tree& tree, const Inputs<S>& in, const WorldPose<S>* poses,
                                                  int k) {
  const TreeSite& link = tree.sites[in.load_sites[k].link];
  const WorldPose<S>& x = poses[link.body];
  const S* const values = in.load_values + 9 * k;
  const Vec3<S> force = Vec3<S>::load(values), moment = Vec3<S>::load(values + 3), point = Vec3<S>::load(values + 6);
  const bool in_world = in.load_sites[k].world_point;
  const Vec3<S> r = (in_world ? point : x.p + x.R * (mat3(link.R) * point + vec3(link.p))) - poses[0].p;
  const Vec3<S> about_O = moment + cross(r, force);
  LoadResponse<S> response{force, in_world ? force : Vec3<S>::zero(), Mat3<S>::zero()};
  if (in_world) {
    add_skew(about_O, response.Q);
  } else {
    response.Q = skew_product(r, force);
    add_skew(moment, response.Q);
  }
  return {{force, about_O}, response};
}

/// Sums of the loads on bodies, and of their responses.
template <class S>
VERNE_INLINE void gather_loads(const Tree& tree, const Inputs<S>& in, const WorldPose<S>* poses, Freedom<S>* loads,
                               LoadResponse<S>* responses) {
  for (int i = 0; i < tree.body_count; ++i) {
    loads[i] = {Vec3<S>::zero(), Vec3<S>::zero()};
    responses[i] = LoadResponse<S>::zero();
  }
  for (int k = 0; k < in.load_count; ++k) {
    const int body = tree.sites[in.load_sites[k].link].body;
    if (body < 0) continue;
    const LoadAboutOrigin<S> load = load_about_origin(tree, in, poses, k);
    loads[body] = loads[body] + load.wrench;
    responses[body] += load.response;
  }
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
  const Freedom<S> V = work.rates[i].V;
  const Vec3<S> speed = speed_of_center(in, V);
  Freedom<S> Fq[6], Fv[6];
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
  Freedom<S> force = force_on_body(in, V, speed, work.rates[i].A);
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

/// Number of freedoms of a floating base that stands in O: there S = (z; 0) for the first three and (0; z) for the
/// others, psi = 0, and psi2 = (−g × z; 0) for the others.
VERNE_INLINE int floating_freedoms(const Tree& tree) {
  return tree.body_count > 0 && tree.bodies[0].motion == Motion::free ? 6 : 0;
}

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
  const Freedom<S> Fq = work.freedoms[j].Fq, Fv = work.freedoms[j].Fv;
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
    const Freedom<S> s = work.freedoms[i].s;
    put(i, pairing(s, Fq), pairing(s, Fv));
  }
  if (i >= 0) column.clear(i + 1, written);
  for (; i >= 0; --i) {
    const Freedom<S>& s = work.freedoms[i].s;
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
  const Freedom<S> s = all[j].s, psi2 = all[j].psi2, rate = all[j].rate;
  const Vec3<S> psi = all[j].psi.angular;
  const int floating = floating_freedoms(tree);
  if (j >= floating) {
    for (int i = first; i < end; ++i) {
      const Freedom<S> Fa = all[i].Fa;
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
      const Freedom<S> Fa = all[i].Fa;
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
