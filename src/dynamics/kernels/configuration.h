/// Steps on the configuration manifold: q ⊕ v and q1 ⊖ q0, joint by joint.
///
/// Spherical joints step by the exponential of SO(3), free joints by that of SE(3), both in body axes: q ⊕ (v t) is
/// what constant v does in time t. With half = θ/2 and unit quaternion (e sin half, cos half):
///   exp: p + R (v + b w × v + c w × (w × v)),  b = (1 − cos θ)/θ², c = (θ − sin θ)/θ³
///   log: v = x − ½ w × x + d w × (w × x),      d = (1 − half cot half)/θ²,  x = Rᵀ (p1 − p0)
/// Near θ = 0 the factors are Taylor series; select() keeps both sides finite.
#pragma once

#include "dynamics/kernels/joint.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
struct Quaternion {
  Vec3<S> e;
  S w;
};

template <class S>
VERNE_INLINE Quaternion<S> quaternion_product(const Quaternion<S>& a, const Quaternion<S>& b) {
  return {b.e * a.w + a.e * b.w + cross(a.e, b.e), a.w * b.w - dot(a.e, b.e)};
}

/// Below this θ² the series are used: their last terms are then below 1e-17.
constexpr double kSeriesLimit = 0.06;

template <class S, int N>
VERNE_INLINE S series(const double (&c)[N], const S& x) {
  S sum(c[N - 1]);
  for (int k = N - 2; k >= 0; --k) sum = sum * x + c[k];
  return sum;
}

/// q exp(w)
template <class S>
VERNE_INLINE Quaternion<S> turn(const Quaternion<S>& q, const Vec3<S>& w) {
  const S t2 = dot(w, w);
  const auto small = less(t2, S(kSeriesLimit));
  const S theta = square_root(select(small, S(1.0), t2));
  S s, c;
  sincos(theta * 0.5, s, c);
  constexpr double kSine[] = {1 / 2.0, -1 / 48.0, 1 / 3840.0, -1 / 645120.0, 1 / 185794560.0, -1 / 81749606400.0};
  constexpr double kCosine[] = {1, -1 / 8.0, 1 / 384.0, -1 / 46080.0, 1 / 10321920.0, -1 / 3715891200.0};
  const Quaternion<S> step{w * select(small, series(kSine, t2), s / theta), select(small, series(kCosine, t2), c)};
  const Quaternion<S> r = quaternion_product(q, step);
  const S scale = S(1.0) / square_root(dot(r.e, r.e) + r.w * r.w);
  return {r.e * scale, r.w * scale};
}

/// V(w) v of the exponential of SE(3)
template <class S>
VERNE_INLINE Vec3<S> screw_step(const Vec3<S>& v, const Vec3<S>& w) {
  const S t2 = dot(w, w);
  const auto small = less(t2, S(kSeriesLimit));
  const S t2_safe = select(small, S(1.0), t2);
  const S theta = square_root(t2_safe);
  S s, c;
  sincos(theta, s, c);
  constexpr double kB[] = {1 / 2.0, -1 / 24.0, 1 / 720.0, -1 / 40320.0, 1 / 3628800.0, -1 / 479001600.0};
  constexpr double kC[] = {1 / 6.0, -1 / 120.0, 1 / 5040.0, -1 / 362880.0, 1 / 39916800.0, -1 / 6227020800.0};
  const S b = select(small, series(kB, t2), (S(1.0) - c) / t2_safe);
  const S cc = select(small, series(kC, t2), (theta - s) / (t2_safe * theta));
  const Vec3<S> wv = cross(w, v);
  return v + wv * b + cross(w, wv) * cc;
}

/// w with a exp(w) = b, on the shorter way; and half cot half of its angle.
template <class S>
VERNE_INLINE Vec3<S> rotation_between(const Quaternion<S>& a, const Quaternion<S>& b, S& half_cot_half, S& t2) {
  Quaternion<S> d = quaternion_product({-a.e, a.w}, b);
  const auto far = less(d.w, S(0.0));
  d = {{select(far, -d.e.x, d.e.x), select(far, -d.e.y, d.e.y), select(far, -d.e.z, d.e.z)}, select(far, -d.w, d.w)};
  const S s2 = dot(d.e, d.e);
  const auto small = less(s2, S(1e-3));
  const S sine = square_root(select(small, S(1.0), s2));
  const S half = arc_tangent(sine, select(small, S(1.0), d.w));
  // asin(s)/s for small angles
  constexpr double kArcSine[] = {1, 1 / 6.0, 3 / 40.0, 15 / 336.0, 105 / 3456.0, 945 / 42240.0};
  const S ratio = select(small, series(kArcSine, s2), half / sine);
  half_cot_half = ratio * d.w;
  t2 = s2 * ratio * ratio * 4.0;
  return d.e * (ratio + ratio);
}

template <class S>
VERNE_INLINE void integrate_body(const TreeBody& b, const S* q, const S* v, S* out) {
  const JointShape shape = shape_of(b.kind);
  const int quaternion = shape.quaternion();
  if (!shape.has_quaternion()) {
    out[0] = q[0] + v[0];
    return;
  }
  const Quaternion<S> r{Vec3<S>::load(q + quaternion), q[quaternion + 3]};
  const Vec3<S> w = Vec3<S>::load(v + quaternion);
  if (shape.slides == 3) {
    (Vec3<S>::load(q) + rotation_of_quaternion(q + 3) * screw_step(Vec3<S>::load(v), w)).store(out);
  }
  const Quaternion<S> turned_r = turn(r, w);
  turned_r.e.store(out + quaternion);
  out[quaternion + 3] = turned_r.w;
}

template <class S>
VERNE_INLINE void difference_body(const TreeBody& b, const S* q0, const S* q1, S* v) {
  const JointShape shape = shape_of(b.kind);
  const int quaternion = shape.quaternion();
  if (!shape.has_quaternion()) {
    v[0] = q1[0] - q0[0];
    return;
  }
  S half_cot_half, t2;
  const Vec3<S> w =
      rotation_between(Quaternion<S>{Vec3<S>::load(q0 + quaternion), q0[quaternion + 3]},
                       Quaternion<S>{Vec3<S>::load(q1 + quaternion), q1[quaternion + 3]}, half_cot_half, t2);
  w.store(v + quaternion);
  if (shape.slides == 3) {
    const auto small = less(t2, S(kSeriesLimit));
    constexpr double kD[] = {1 / 12.0, 1 / 720.0, 1 / 30240.0, 1 / 1209600.0, 1 / 47900160.0, 691 / 1307674368000.0};
    const S d = select(small, series(kD, t2), (S(1.0) - half_cot_half) / select(small, S(1.0), t2));
    const Vec3<S> x = transpose_times(rotation_of_quaternion(q0 + 3), Vec3<S>::load(q1) - Vec3<S>::load(q0));
    const Vec3<S> wx = cross(w, x);
    (x - wx * 0.5 + cross(w, wx) * d).store(v);
  }
}

/// Calls visit(body, q index, v index) for every primitive joint that owns model coordinates.
template <class F>
VERNE_INLINE void for_each_own_joint(const Tree& tree, F&& visit) {
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    if (tree.v_coupling[b.v].own) visit(b, tree.q_coupling[b.q].source, tree.v_coupling[b.v].source);
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
