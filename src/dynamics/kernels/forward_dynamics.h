/// Articulated-body forward dynamics [F83], in world axes about the body origins, with classical accelerations: the
/// articulated inertia needs no rotation on its way to the parent, only a shift by r.
///
///   A, H, C   articulated inertia: f = A a + H dw + f0,  n = Hᵀ a + C dw + n0
///   c         acceleration that a body has from velocities alone, when its parent does not accelerate
///   U, D, u   I^A S, Sᵀ I^A S, tau − Sᵀ p^A   ([F08] eq. 7.43-7.45)
///
/// Hybrid dynamics is the same with some joints' accelerations given in place of their torques (equations (2)-(4) of
/// docs/theory/structures.md): such a joint hands over as if it were rigid, and what it lacks is found on the way out.
#pragma once

#include "dynamics/kernels/inputs.h"
#include "dynamics/kernels/inverse_dynamics.h"
#include "dynamics/kernels/world.h"

namespace verne {
inline namespace VERNE_ISA {

/// Articulated inertia and bias force p^A of a body and all it carries.
template <class S>
struct ArticulatedInertia {
  Sym3<S> A;
  Mat3<S> H;
  Sym3<S> C;
  Vec3<S> f, n;

  VERNE_INLINE static ArticulatedInertia zero() {
    return {Sym3<S>::zero(), Mat3<S>::zero(), Sym3<S>::zero(), Vec3<S>::zero(), Vec3<S>::zero()};
  }
  VERNE_INLINE ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
    A += b.A, H += b.H, C += b.C, f += b.f, n += b.n;
    return *this;
  }
};

/// Placement, angular velocity and the velocity-dependent acceleration c (linear, angular) of a body.
template <class S>
struct VelocityState {
  Mat3<S> R;
  Vec3<S> r, w, cl, ca;
};

/// U, 1/D and u of a one-degree joint.
template <class S>
struct JointProjection {
  Vec3<S> Uf, Un;
  S inverse_D, u;

  VERNE_INLINE static JointProjection none() { return {Vec3<S>::zero(), Vec3<S>::zero(), S(0), S(0)}; }
};

/// The same for a joint of k freedoms (3 or 6): D = L diag(d) Lᵀ in place, d inverted.
template <class S>
struct WideProjection {
  Spatial<S> U[6];
  S L[36];
  S u[6];
};

/// A body from its parent's orientation and angular velocity.
template <class K, class S>
VERNE_INLINE void step_velocity(K kind, const TreeBody& b, const Mat3<S>& R_parent, const Vec3<S>& w0, const S* q,
                                const S* v, const Trig<S>& trig, VelocityState<S>& s) {
  Mat3<S> R;
  Vec3<S> r;
  step_pose(kind, b, R_parent, q, trig, R, r);
  Vec3<S> cl = cross(w0, cross(w0, r)), ca = Vec3<S>::zero(), w = w0;
  const S* const vj = v + b.v;
  const JointShape shape = shape_of(kind);
  if (shape.slides == 1) {
    const S speed = shape.is_screw() ? vj[0] * b.pitch : vj[0];
    cl += cross(w0 + w0, R.column(2) * speed);
  }
  if (shape.turns == 1) {
    const Vec3<S> rate = R.column(2) * vj[0];
    ca = cross(w0, rate);
    w += rate;
  } else if (shape.turns == 3) {
    const Vec3<S> rate = R * Vec3<S>::load(vj + shape.slides);
    if (shape.slides == 3) cl += cross(w0 + w0 + rate, R * Vec3<S>::load(vj));
    ca = cross(w0, rate);
    w += rate;
  }
  s = {R, r, w, cl, ca};
}

template <class S>
VERNE_INLINE void velocity_sweep(const Tree& tree, const S* q, const S* v, const Trig<S>& trig,
                                 VelocityState<S>* VERNE_RESTRICT states) {
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    const Mat3<S> R_parent = b.parent < 0 ? Mat3<S>::identity() : states[b.parent].R;
    const Vec3<S> w0 = b.parent < 0 ? Vec3<S>::zero() : states[b.parent].w;
    by_kind(b.kind,
            [&](auto kind) VERNE_INLINE_LAMBDA { step_velocity(kind, b, R_parent, w0, q, v, trig, states[i]); });
  }
}

/// (2) Given accelerations count among those that a body has whatever its parent does.
template <class S, class Given>
VERNE_INLINE void add_given_accelerations(const Tree& tree, Given given, const S* a,
                                          VelocityState<S>* VERNE_RESTRICT states) {
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    for (int k = 0; k < b.nv && given[b.v]; ++k) {
      const Spatial<S> s = freedom(b.kind, b, states[i].R, k);
      states[i].cl += s.linear * a[b.v + k];
      states[i].ca += s.angular * a[b.v + k];
    }
  }
}

/// The body alone: rigid inertia in world axes, gyroscopic forces, loads.
template <class S>
VERNE_INLINE ArticulatedInertia<S> rigid_body(const TreeBody& b, const VelocityState<S>& k, const BodyForce<S>* load) {
  ArticulatedInertia<S> s = ArticulatedInertia<S>::zero();
  if (!b.massless) {
    const WorldInertia<S> in = world_inertia(b, k.R);
    const Vec3<S>& mc = in.mc;
    s.A = {S(b.mass), S(0), S(0), S(b.mass), S(0), S(b.mass)};
    s.H = {{S(0), mc.z, -mc.y, -mc.z, S(0), mc.x, mc.y, -mc.x, S(0)}};
    s.C = in.I;
    s.f = cross(k.w, cross(k.w, mc));
    s.n = cross(k.w, in.I * k.w);
  }
  if (load) {
    s.f -= k.R * load->f;
    s.n -= k.R * load->n;
  }
  return s;
}

template <class S>
VERNE_INLINE Spatial<S> articulated_times(const ArticulatedInertia<S>& s, const Spatial<S>& x) {
  return {s.A * x.linear + s.H * x.angular, transpose_times(s.H, x.linear) + s.C * x.angular};
}

/// I^A −= g Uᵀ with g = U / D (symmetric)
template <class S>
VERNE_INLINE void subtract_outer(ArticulatedInertia<S>& s, const Spatial<S>& g, const Spatial<S>& U) {
  const Vec3<S>&a = g.linear, &b = U.linear, &c = g.angular, &d = U.angular;
  s.A = {s.A.xx - a.x * b.x, s.A.xy - a.x * b.y, s.A.xz - a.x * b.z,
         s.A.yy - a.y * b.y, s.A.yz - a.y * b.z, s.A.zz - a.z * b.z};
  s.C = {s.C.xx - c.x * d.x, s.C.xy - c.x * d.y, s.C.xz - c.x * d.z,
         s.C.yy - c.y * d.y, s.C.yz - c.y * d.z, s.C.zz - c.z * d.z};
  Mat3<S>& H = s.H;
  H = {{H.m[0] - a.x * d.x, H.m[1] - a.x * d.y, H.m[2] - a.x * d.z, H.m[3] - a.y * d.x, H.m[4] - a.y * d.y,
        H.m[5] - a.y * d.z, H.m[6] - a.z * d.x, H.m[7] - a.z * d.y, H.m[8] - a.z * d.z}};
}

/// C'_ij for i = I, j = J gains row K of  r × H' (columns) and of its transpose with H.
template <int K, int I, int J, class S>
VERNE_INLINE void add_row_to_entry(const Vec3<S>& r, const Vec3<S>& shifted_row, const Vec3<S>& row, S& entry) {
  constexpr int K1 = (K + 1) % 3, K2 = (K + 2) % 3;
  if constexpr (I == K1) entry = entry + r[K2] * shifted_row[J];
  if constexpr (I == K2) entry = entry - r[K1] * shifted_row[J];
  if constexpr (J == K1) entry = entry + r[K2] * row[I];
  if constexpr (J == K2) entry = entry - r[K1] * row[I];
}

/// Row K of A and H: what the joint takes away, what c adds to the force, and the shift by r.
template <int K, class S>
VERNE_INLINE void hand_over_row(const Vec3<S>& A_row, const Vec3<S>& H_row, const JointProjection<S>& pr, const S& gain,
                                const VelocityState<S>& k, Vec3<S>& A_out, Mat3<S>& H_out, Sym3<S>& C, Vec3<S>& f,
                                Vec3<S>& n) {
  const S g = pr.Uf[K] * pr.inverse_D;
  const Vec3<S> a = A_row - pr.Uf * g, h = H_row - pr.Un * g;
  f[K] = f[K] + pr.Uf[K] * gain + dot(a, k.cl) + dot(h, k.ca);
  n += h * k.cl[K];
  const Vec3<S> hs = h - cross(a, k.r);
  add_row_to_entry<K, 0, 0>(k.r, hs, h, C.xx);
  add_row_to_entry<K, 0, 1>(k.r, hs, h, C.xy);
  add_row_to_entry<K, 0, 2>(k.r, hs, h, C.xz);
  add_row_to_entry<K, 1, 1>(k.r, hs, h, C.yy);
  add_row_to_entry<K, 1, 2>(k.r, hs, h, C.yz);
  add_row_to_entry<K, 2, 2>(k.r, hs, h, C.zz);
  A_out = a;
  H_out.m[3 * K] = hs.x, H_out.m[3 * K + 1] = hs.y, H_out.m[3 * K + 2] = hs.z;
}

/// What a body passes on to its parent, about the parent's origin ([F08] eq. 7.41-7.42, then moved by r):
///   I^a = I^A − U Uᵀ / D,  p^a = p^A + I^a c + U u / D;   H' = H − A [r],  C' = C + [r] H' − Hᵀ [r],  n' = n + r × f.
/// Done row by row, so that little has to be held at a time.
template <class S>
VERNE_INLINE void hand_over(const ArticulatedInertia<S>& s, const JointProjection<S>& pr, const VelocityState<S>& k,
                            bool add, ArticulatedInertia<S>& parent) {
  const S gain = pr.u * pr.inverse_D;
  const Vec3<S> g = pr.Un * pr.inverse_D;
  const Vec3<S>& Un = pr.Un;
  Sym3<S> C{s.C.xx - g.x * Un.x, s.C.xy - g.x * Un.y, s.C.xz - g.x * Un.z,
            s.C.yy - g.y * Un.y, s.C.yz - g.y * Un.z, s.C.zz - g.z * Un.z};
  Vec3<S> f = s.f, n = s.n + Un * gain + C * k.ca;
  Vec3<S> a0, a1, a2;
  Mat3<S> H;
  hand_over_row<0>({s.A.xx, s.A.xy, s.A.xz}, {s.H.m[0], s.H.m[1], s.H.m[2]}, pr, gain, k, a0, H, C, f, n);
  hand_over_row<1>({s.A.xy, s.A.yy, s.A.yz}, {s.H.m[3], s.H.m[4], s.H.m[5]}, pr, gain, k, a1, H, C, f, n);
  hand_over_row<2>({s.A.xz, s.A.yz, s.A.zz}, {s.H.m[6], s.H.m[7], s.H.m[8]}, pr, gain, k, a2, H, C, f, n);
  n += cross(k.r, f);
  const Sym3<S> A{a0.x, a0.y, a0.z, a1.y, a1.z, a2.z};
  if (add) {
    parent += {A, H, C, f, n};
  } else {  // member by member: g++ 12 copies the whole through memory otherwise
    parent.A = A;
    parent.H = H;
    parent.C = C;
    parent.f = f;
    parent.n = n;
  }
}

/// U, D and u of a one-degree joint.
template <class K, class S>
VERNE_INLINE void project_joint(K kind, const TreeBody& b, const VelocityState<S>& k, const S* tau, double rotor,
                                const ArticulatedInertia<S>& s, JointProjection<S>& out) {
  const Vec3<S> z = k.R.column(2);
  const JointShape shape = shape_of(kind);
  S D, u;
  if (shape.slides == 0) {
    out.Uf = s.H * z, out.Un = s.C * z;
    D = dot(z, out.Un), u = tau[b.v] - dot(z, s.n);
  } else if (shape.turns == 0) {
    out.Uf = s.A * z, out.Un = transpose_times(s.H, z);
    D = dot(z, out.Uf), u = tau[b.v] - dot(z, s.f);
  } else {
    const Vec3<S> h = z * S(b.pitch);
    out.Uf = s.H * z + s.A * h, out.Un = s.C * z + transpose_times(s.H, h);
    D = dot(z, out.Un) + dot(h, out.Uf), u = tau[b.v] - dot(z, s.n) - dot(h, s.f);
  }
  out.inverse_D = S(1.0) / (D + rotor);
  out.u = u;
}

/// U and u of spherical and free joints.
template <class S>
inline void project_freedoms(const TreeBody& b, const Mat3<S>& R, const S* tau, const ArticulatedInertia<S>& s,
                             WideProjection<S>& out) {
  for (int i = 0; i < b.nv; ++i) {
    const Spatial<S> si = freedom(b.kind, b, R, i);
    out.U[i] = articulated_times(s, si);
    out.u[i] = tau[b.v + i] - dot(si.linear, s.f) - dot(si.angular, s.n);
  }
}

/// The same with a k x k matrix D factored in place. Takes out of s what the joint does not transmit, so that s can be
/// handed over as through a rigid joint.
template <class S>
inline void project_wide_joint(const TreeBody& b, const VelocityState<S>& state, const S* tau, const double* rotor,
                               ArticulatedInertia<S>& s, WideProjection<S>& out) {
  const Mat3<S>& R = state.R;
  const int k = b.nv;
  project_freedoms(b, R, tau, s, out);
  for (int i = 0; i < k; ++i) {
    const Spatial<S> si = freedom(b.kind, b, R, i);
    for (int j = 0; j <= i; ++j) {
      out.L[6 * i + j] = dot(si.linear, out.U[j].linear) + dot(si.angular, out.U[j].angular);
    }
    out.L[7 * i] = out.L[7 * i] + rotor[b.v + i];
  }
  for (int j = 0; j < k; ++j) {  // D = L diag(d) Lᵀ, the diagonal holds 1/d
    for (int m = 0; m < j; ++m) {
      const S scaled = out.L[6 * j + m] * out.L[7 * m];
      for (int i = j; i < k; ++i) out.L[6 * i + j] = out.L[6 * i + j] - out.L[6 * i + m] * scaled;
    }
    out.L[7 * j] = S(1.0) / out.L[7 * j];
  }
  // The entries below the diagonal are still l_ij d_j, which is what the solves below use.
  if (b.parent < 0) return;
  Spatial<S> y[6];  // rows of (L diag d)⁻¹ Uᵀ scaled: I^A −= Σ y_i y_iᵀ d_i
  S w[6];
  for (int i = 0; i < k; ++i) {
    y[i] = out.U[i];
    w[i] = out.u[i];
    for (int j = 0; j < i; ++j) {
      const S factor = out.L[6 * i + j] * out.L[7 * j];
      y[i].linear -= y[j].linear * factor;
      y[i].angular -= y[j].angular * factor;
      w[i] = w[i] - w[j] * factor;
    }
  }
  for (int i = 0; i < k; ++i) {
    const S& d = out.L[7 * i];
    subtract_outer(s, {y[i].linear * d, y[i].angular * d}, y[i]);
  }
  for (int i = 0; i < k; ++i) {
    const S gain = w[i] * out.L[7 * i];
    s.f += y[i].linear * gain;
    s.n += y[i].angular * gain;
  }
}

/// Solves D x = u − Uᵀ a for a wide joint.
template <class S>
inline void wide_accelerations(const TreeBody& b, const WideProjection<S>& in, const Spatial<S>& a, S* x) {
  const int k = b.nv;
  for (int i = 0; i < k; ++i) {
    x[i] = in.u[i] - dot(in.U[i].linear, a.linear) - dot(in.U[i].angular, a.angular);
    for (int j = 0; j < i; ++j) x[i] = x[i] - in.L[6 * i + j] * in.L[7 * j] * x[j];
  }
  for (int i = 0; i < k; ++i) x[i] = x[i] * in.L[7 * i];
  for (int i = k - 1; i >= 0; --i) {
    for (int j = i + 1; j < k; ++j) x[i] = x[i] - in.L[6 * j + i] * in.L[7 * i] * x[j];
  }
}

VERNE_INLINE bool is_wide(const TreeBody& b) {
  return b.nv > 1;
}

template <class S>
struct ForwardDynamicsWork {
  VelocityState<S>* states;
  ArticulatedInertia<S>* kept;  // sums over the children of each body
  JointProjection<S>* projections;
  WideProjection<S>* wide;  // one per wide joint, in order
  int wide_count;
  Spatial<S>* accelerations;  // minus gravity; of bodies that branch, or of all
};

/// From the tips to the root: each body hands its articulated inertia to its parent's place in `kept`.
template <class S, class Given>
VERNE_INLINE void articulated_sweep(const Tree& tree, Given given, const S* tau, const BodyForce<S>* loads,
                                    const ForwardDynamicsWork<S>& work) {
  int wide = work.wide_count;
  for (int i = 0; i < tree.body_count; ++i) {
    if (tree.bodies[i].branches) work.kept[i] = ArticulatedInertia<S>::zero();
  }
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const TreeBody& b = tree.bodies[i];
    const VelocityState<S>& k = work.states[i];
    ArticulatedInertia<S> s = rigid_body(b, k, loads ? loads + i : nullptr);
    if (b.subtree_end > i + 1) s += work.kept[i];
    JointProjection<S>& projection = work.projections[i];
    if (b.kind == JointKind::revolute) {
      project_joint(Kind<JointKind::revolute>{}, b, k, tau, tree.rotor_inertia[b.v], s, projection);
    } else if (!is_wide(b)) {
      project_joint(b.kind, b, k, tau, tree.rotor_inertia[b.v], s, projection);
    } else if (given[b.v]) {
      project_freedoms(b, k.R, tau, s, work.wide[--wide]);
      projection = JointProjection<S>::none();
    } else {
      ArticulatedInertia<S> copy = s;  // keeps the address of s out of the common case
      project_wide_joint(b, k, tau, tree.rotor_inertia, copy, work.wide[--wide]);
      s = copy;
      projection = JointProjection<S>::none();
    }
    if (given[b.v]) projection.inverse_D = S(0);  // (3): nothing is taken out
    if (b.parent < 0) continue;
    hand_over(s, projection, k, tree.bodies[b.parent].branches, work.kept[b.parent]);
  }
}

/// From the root outwards: accelerations of the joints, or where these are given (4) the torques. `keep_all` keeps the
/// accelerations of all bodies.
template <class S, class Given>
VERNE_INLINE void acceleration_sweep(const Tree& tree, Given given, const ForwardDynamicsWork<S>& work, bool keep_all,
                                     S* a, S* tau) {
  const Spatial<S> base{{S(-tree.gravity[0]), S(-tree.gravity[1]), S(-tree.gravity[2])}, Vec3<S>::zero()};
  Spatial<S> x = base;
  int wide = 0;
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    const VelocityState<S>& k = work.states[i];
    if (b.parent != i - 1) x = b.parent < 0 ? base : work.accelerations[b.parent];
    if (b.parent >= 0) x.linear += cross(x.angular, k.r);
    x.linear += k.cl;
    x.angular += k.ca;
    S* const aj = a + b.v;
    if (given[b.v]) {
      if (is_wide(b)) {
        const WideProjection<S>& pr = work.wide[wide++];
        for (int j = 0; j < b.nv; ++j) {
          tau[b.v + j] = dot(pr.U[j].linear, x.linear) + dot(pr.U[j].angular, x.angular) - pr.u[j];
        }
      } else {
        const JointProjection<S>& pr = work.projections[i];
        tau[b.v] = dot(pr.Uf, x.linear) + dot(pr.Un, x.angular) - pr.u;
      }
    } else if (is_wide(b)) {
      wide_accelerations(b, work.wide[wide++], x, aj);
      const int slides = shape_of(b.kind).slides;
      if (slides == 3) x.linear += k.R * Vec3<S>::load(aj);
      x.angular += k.R * Vec3<S>::load(aj + slides);
    } else {
      const JointProjection<S>& pr = work.projections[i];
      aj[0] = (pr.u - dot(pr.Uf, x.linear) - dot(pr.Un, x.angular)) * pr.inverse_D;
      const Vec3<S> step = k.R.column(2) * aj[0];
      if (b.kind == JointKind::revolute) {  // most are
        x.angular += step;
      } else {
        const JointShape shape = shape_of(b.kind);
        if (shape.turns > 0) x.angular += step;
        if (shape.slides > 0) x.linear += shape.is_screw() ? step * b.pitch : step;
      }
    }
    if (b.branches || keep_all) work.accelerations[i] = x;
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
