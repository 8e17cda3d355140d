/// What a moving rigid body takes about O, and what of it adds up over a subtree: inertia, B and force (section 3 of
/// docs/theory/sensitivities.md).
#pragma once

#include "dynamics/kernels/spatial_vectors.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
VERNE_INLINE Vec3<S> column_of(const Sym3<S>& M, int k) {
  return k == 0 ? Vec3<S>{M.xx, M.xy, M.xz} : k == 1 ? Vec3<S>{M.xy, M.yy, M.yz} : Vec3<S>{M.xz, M.yz, M.zz};
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
  VERNE_INLINE Spatial<S> operator()(const Spatial<S>& u) const { return {cross(u.angular, h), T * u.angular}; }
  /// 2 Bᵀ s, which has an angular part only
  VERNE_INLINE Vec3<S> transposed(const Spatial<S>& s) const {
    return cross(h, s.linear) + transpose_times(T, s.angular);
  }
  /// The angular momentum is the antisymmetric part of P.
  VERNE_INLINE Spatial<S> momentum() const {
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
VERNE_INLINE TwiceB<S> twice_B_of_body(const CentralInertia<S>& in, const Spatial<S>& V, const Vec3<S>& speed) {
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
VERNE_INLINE Vec3<S> speed_of_center(const CentralInertia<S>& in, const Spatial<S>& V) {
  return V.linear + cross(V.angular, in.c);
}

/// I A + V ×* I V, by Newton and Euler about the centre of mass.
template <class S>
VERNE_INLINE Spatial<S> force_on_body(const CentralInertia<S>& in, const Spatial<S>& V, const Vec3<S>& speed,
                                      const Spatial<S>& A) {
  const Vec3<S> force = (A.linear + cross(A.angular, in.c) + cross(V.angular, speed)) * in.mass;
  return {force, cross(in.c, force) + in.I * A.angular + cross(V.angular, in.I * V.angular)};
}

/// I, B and f of a body or of all that a joint carries, about O.
template <class S>
struct Composite {
  WorldInertia<S> inertia;
  TwiceB<S> twice_B;
  Spatial<S> f;

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
  Spatial<S> V, A;
};

template <class S>
VERNE_INLINE Composite<S> composite_of_body(const CentralInertia<S>& in, const BodyRates<S>& rates) {
  const Vec3<S> speed = speed_of_center(in, rates.V);
  return {about_origin(in), twice_B_of_body(in, rates.V, speed), force_on_body(in, rates.V, speed, rates.A)};
}

}  // namespace VERNE_ISA
}  // namespace verne
