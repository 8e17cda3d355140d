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
template <class S, class B>
VERNE_INLINE Freedom<S> operator*(const Freedom<S>& a, const B& s) {
  return {a.linear * s, a.angular * s};
}

template <class S>
VERNE_INLINE S pairing(const Freedom<S>& a, const Freedom<S>& b) {
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
    F += b.F, G += b.G;
    for (int k = 0; k < 9; ++k) Q.m[k] = Q.m[k] + b.Q.m[k];
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

/// I, B and f of a body or of all that a joint carries, about O.
template <class S>
struct Composite {
  WorldInertia<S> inertia;
  Freedom<S> h;  // momentum; B needs its linear part
  Mat3<S> P;
  Freedom<S> f;

  VERNE_INLINE static Composite zero() {
    const Freedom<S> none{Vec3<S>::zero(), Vec3<S>::zero()};
    return {WorldInertia<S>::zero(), none, Mat3<S>::zero(), none};
  }
  VERNE_INLINE Composite& operator+=(const Composite& b) {
    inertia += b.inertia;
    h.linear += b.h.linear, h.angular += b.h.angular;
    f.linear += b.f.linear, f.angular += b.f.angular;
    for (int k = 0; k < 9; ++k) P.m[k] = P.m[k] + b.P.m[k];
    return *this;
  }
  /// 2 B u
  VERNE_INLINE Freedom<S> twice_B(const Freedom<S>& u) const {
    const S trace = P.m[0] + P.m[4] + P.m[8];
    const Vec3<S> a = u.angular + u.angular;
    return {cross(a, h.linear), a * trace - P * a};
  }
  /// 2 Bᵀ s, which has an angular part only
  VERNE_INLINE Vec3<S> twice_B_transposed(const Freedom<S>& s) const {
    const S trace = P.m[0] + P.m[4] + P.m[8];
    const Vec3<S> a = s.angular + s.angular;
    return cross(h.linear + h.linear, s.linear) + a * trace - transpose_times(P, a);
  }
};

/// A body moving with V, A: mass, first and second moment about O given.
template <class S>
VERNE_INLINE Composite<S> composite_of_body(double mass, const WorldInertia<S>& in, const Freedom<S>& V,
                                            const Freedom<S>& A) {
  Composite<S> c;
  c.inertia = in;
  c.h = momentum_of(mass, in, V);
  c.f = momentum_of(mass, in, A) + force_cross(V, c.h);
  const S half = (in.I.xx + in.I.yy + in.I.zz) * 0.5;
  const Sym3<S> E{half - in.I.xx, -in.I.xy, -in.I.xz, half - in.I.yy, -in.I.yz, half - in.I.zz};
  const Vec3<S>&v = V.linear, &w = V.angular;
  c.P = Mat3<S>::columns(v * in.mc.x + cross(w, column_of(E, 0)), v * in.mc.y + cross(w, column_of(E, 1)),
                         v * in.mc.z + cross(w, column_of(E, 2)));
  return c;
}

/// A freedom with its rates, and what moving it does to the forces of its subtree.
template <class S>
struct FreedomState {
  Freedom<S> s, psi, psi2, rate;
  Freedom<S> Fq, Fv, Fa;
};

/// V and A of a body about O.
template <class S>
struct BodyRates {
  Freedom<S> V, A;
};

template <class S>
struct SensitivityWork {
  const WorldPose<S>* poses;
  BodyRates<S>* rates;
  Composite<S>* composites;
  LoadResponse<S>* responses;  // null without loads
  FreedomState<S>* freedoms;
};

/// (1), (2): V, A, freedoms and their rates, and the composites of single bodies. `gravity` false leaves A plain.
template <class S>
VERNE_INLINE void sensitivity_forward(const Tree& tree, const S* v, const S* a, bool gravity,
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
    by_kind(b.motion, [&](auto kind) {
      Freedom<S> joint_v{zero, zero}, joint_a{zero, zero};
      for (int k = 0; k < b.nv; ++k) {
        Freedom<S> s = freedom(kind, b, R, k);
        s.linear += cross(r, s.angular);
        joint_v = joint_v + s * v[b.v + k];
        joint_a = joint_a + s * a[b.v + k];
        work.freedoms[b.v + k].s = s;
      }
      const Freedom<S> V = parent.V + joint_v;
      work.rates[i].V = V;
      work.rates[i].A = parent.A + joint_a + motion_cross(parent.V, joint_v);
      for (int k = 0; k < b.nv; ++k) {
        FreedomState<S>& f = work.freedoms[b.v + k];
        f.psi = motion_cross(parent.V, f.s);
        f.psi2 = motion_cross(parent.A, f.s) + motion_cross(parent.V, f.psi);
        const bool single = kind != Motion::spherical && kind != Motion::free;
        f.rate = f.psi + (single ? f.psi : motion_cross(V, f.s));
      }
    });
    work.composites[i] = b.massless ? Composite<S>::zero()
                                    : composite_of_body(b.mass, shifted(world_inertia(b, R), b.mass, r),
                                                        work.rates[i].V, work.rates[i].A);
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

/// Subtracts the loads from the forces that their bodies take, and gathers their responses.
template <class S>
VERNE_INLINE void sensitivity_loads(const Tree& tree, const Inputs<S>& in, const SensitivityWork<S>& work) {
  if (!work.responses) return;
  for (int i = 0; i < tree.body_count; ++i) work.responses[i] = LoadResponse<S>::zero();
  for (int k = 0; k < in.load_count; ++k) {
    const int body = tree.sites[in.load_sites[k].link].body;
    if (body < 0) continue;
    const LoadAboutOrigin<S> load = load_about_origin(tree, in, work.poses, k);
    work.composites[body].f = work.composites[body].f - load.wrench;
    work.responses[body] += load.response;
  }
}

/// From bodies to subtrees, and (4)-(7): the columns Fq, Fv, Fa of every freedom.
template <class S>
VERNE_INLINE void sensitivity_backward(const Tree& tree, const SensitivityWork<S>& work) {
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const TreeBody& b = tree.bodies[i];
    const Composite<S>& c = work.composites[i];
    for (int k = b.v; k < b.v + b.nv; ++k) {
      FreedomState<S>& f = work.freedoms[k];
      f.Fa = momentum_of(b.subtree_mass, c.inertia, f.s);
      f.Fv = c.twice_B(f.s) + momentum_of(b.subtree_mass, c.inertia, f.rate);
      f.Fq = c.twice_B(f.psi) + momentum_of(b.subtree_mass, c.inertia, f.psi2) + force_cross(f.s, c.f);
      if (work.responses) f.Fq = f.Fq - work.responses[i](f.s);
    }
    if (b.parent >= 0) {
      work.composites[b.parent] += c;
      if (work.responses) work.responses[b.parent] += work.responses[i];
    }
  }
}

/// A matrix in memory; entry (i, j) stands at [i * row + j * column].
template <class S>
struct Strided {
  S* p;
  long row, column;
  VERNE_INLINE S& operator()(long i, long j) const { return p[i * row + j * column]; }
};
template <class S>
struct TorqueDerivatives {
  Strided<S> dq, dv, da;  // nv x nv
};

/// (8), (9): ∂τ/∂q, ∂τ/∂v, ∂τ/∂a. Entries of freedoms that do not support each other are left untouched.
template <class S>
VERNE_INLINE void torque_derivatives(const Tree& tree, const SensitivityWork<S>& work,
                                     const TorqueDerivatives<S>& out) {
  const FreedomState<S>* const all = work.freedoms;
  for (int body = 0; body < tree.body_count; ++body) {
    const TreeBody& b = tree.bodies[body];
    for (int j = b.v; j < b.v + b.nv; ++j) {
      const FreedomState<S>& f = all[j];
      const Vec3<S> d = work.composites[body].twice_B_transposed(f.s);
      const Freedom<S> load = work.responses ? work.responses[body].transposed(f.s) : Freedom<S>{};
      const auto own_row = [&](int i) {  // (9) τ_j as joint i, below or at which j stands, moves
        const FreedomState<S>& above = all[i];
        S dq = dot(d, above.psi.angular) + pairing(f.Fa, above.psi2);
        if (work.responses) dq = dq - pairing(load, above.s);
        out.dq(j, i) = dq;
        out.dv(j, i) = dot(d, above.s.angular) + pairing(f.Fa, above.rate);
        out.da(j, i) = pairing(f.Fa, above.s);
      };
      for (int i = b.v; i < b.v + b.nv; ++i) own_row(i);
      for (int i = tree.v_parent[b.v]; i >= 0; i = tree.v_parent[i]) {
        own_row(i);
        out.dq(i, j) = pairing(all[i].s, f.Fq);  // (8)
        out.dv(i, j) = pairing(all[i].s, f.Fv);
        out.da(i, j) = out.da(j, i);
      }
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
