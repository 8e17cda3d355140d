/// The five primitive joints, in the one place where their kind matters for positions.
///
/// A body frame B moves about or along its z axis (see model/tree.h). Notation in all kernels:
///   R, p   orientation and origin of a body frame in its parent's (PB) or in the world (WB)
///   z      third column of R: the joint axis
///   sn, cs sine and cosine of every tree coordinate (only angles are meaningful)
#pragma once

#include "base/lane_math.h"
#include "dynamics/kernels/scratch.h"
#include "model/joint_shape.h"
#include "verne/spatial/inertia.h"

namespace verne {
inline namespace VERNE_ISA {

VERNE_INLINE Vec3<double> vec3(const double* p) {
  return {p[0], p[1], p[2]};
}
VERNE_INLINE Mat3<double> mat3(const double* m) {
  return {{m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]}};
}
VERNE_INLINE Sym3<double> sym3(const double* s) {
  return {s[0], s[1], s[2], s[3], s[4], s[5]};
}

/// A joint kind as a type, so that a step of a sweep is compiled for each kind with what that kind makes zero or
/// constant.
template <JointKind M>
struct Kind {
  VERNE_INLINE constexpr operator JointKind() const { return M; }
};

/// The one switch per joint: calls step(Kind<...>) for the kind of the joint.
template <class Step>
VERNE_INLINE void by_kind(JointKind kind, Step&& step) {
  switch (kind) {
    case JointKind::revolute:
      step(Kind<JointKind::revolute>{});
      break;
    case JointKind::prismatic:
      step(Kind<JointKind::prismatic>{});
      break;
    case JointKind::helical:
      step(Kind<JointKind::helical>{});
      break;
    case JointKind::spherical:
      step(Kind<JointKind::spherical>{});
      break;
    case JointKind::free:
      step(Kind<JointKind::free>{});
      break;
  }
}

/// One past the last freedom of a body's subtree.
VERNE_INLINE int end_of_freedoms(const Tree& tree, int body) {
  const int end = tree.bodies[body].subtree_end;
  return end < tree.body_count ? tree.bodies[end].v : tree.nv;
}

/// Every body, parents first, as visit(i); when `target` is not −1, only those on the way from the root to it.
template <class Visit>
VERNE_INLINE void for_each_body(const Tree& tree, int target, Visit&& visit) {
  const int end = target < 0 ? tree.body_count : target + 1;
  for (int i = 0; i < end;) {
    if (target >= 0 && tree.bodies[i].subtree_end <= target) {
      i = tree.bodies[i].subtree_end;
    } else {
      visit(i);
      ++i;
    }
  }
}

template <class S>
struct Trig {
  const S *sn, *cs;
};

/// The angles of one state are computed side by side in registers of four at most: wider instructions slow down the
/// scalar ones about them on some processors.
using Angles = Pack<(VERNE_LANES < 4 ? VERNE_LANES : 4)>;

/// The first `count` of them, fewer than a register holds; the last one fills it. Put together in registers: to load
/// what was just stored piece by piece would wait for the cache.
VERNE_INLINE Angles few_angles(const double* q, int count) {
  Angles x(q[count - 1]);
  x.v[0] = q[0], x.v[1] = q[count > 1 ? 1 : 0];
  return x;
}

/// Sine and cosine of `count` coordinates, from `first` on. For one state they are computed side by side, for packs one
/// coordinate after the other.
VERNE_INLINE Trig<double> trigonometry(int count, const double* q, Scratch<double>& scratch, int first = 0) {
  constexpr int W = Angles::kCount;
  const int room = count < W ? W : count;
  double* const sn = scratch.take(room);
  double* const cs = scratch.take(room);
  for (int k = first; k < count; k += W) {
    const int at = k + W <= count ? k : count < W ? 0 : count - W;  // the last ones with some before them
    const Angles x = count < W ? few_angles(q, count) : Angles::load(q + at);
    Angles s, c;
    sincos(x, s, c);
    __builtin_memcpy(sn + at, &s, sizeof s);
    __builtin_memcpy(cs + at, &c, sizeof c);
  }
  return {sn, cs};
}

VERNE_INLINE Trig<Lanes> trigonometry(int count, const Lanes* q, Scratch<Lanes>& scratch, int first = 0) {
  Lanes* const sn = scratch.take(count);
  Lanes* const cs = scratch.take(count);
  sincos(q + first, sn + first, cs + first, count - first);
  return {sn, cs};
}

#if VERNE_ISA_IS_BASELINE
inline Trig<Complex> trigonometry(int count, const Complex* q, Scratch<Complex>& scratch, int first = 0) {
  Complex* const sn = scratch.take(count);
  Complex* const cs = scratch.take(count);
  for (int k = first; k < count; ++k) sn[k] = std::sin(q[k]), cs[k] = std::cos(q[k]);
  return {sn, cs};
}
#endif

template <class S>
VERNE_INLINE Trig<S> trigonometry(const Tree& tree, const S* q, Scratch<S>& scratch) {
  return trigonometry(tree.nq, q, scratch);
}

/// Of the joints on the way to body `target` only; gathered first, since sines side by side cost least. Where the way
/// leads through most of the tree that would not pay.
template <class S>
VERNE_INLINE Trig<S> trigonometry_on_path(const Tree& tree, const S* q, int target, Scratch<S>& scratch) {
  int count = 0;
  for_each_body(tree, target, [&](int) { ++count; });
  if (2 * count > tree.nq) return trigonometry(tree, q, scratch);
  S *const angles = scratch.take(tree.nq), *const sn = scratch.take(tree.nq), *const cs = scratch.take(tree.nq);
  count = 0;
  const auto for_each_angle = [&](auto&& visit) {
    for_each_body(tree, target, [&](int i) {
      const TreeBody& b = tree.bodies[i];
      if (shape_of(b.kind).turns == 1) visit(b.q);
    });
  };
  for_each_angle([&](int k) { angles[count++] = q[k]; });
  const Trig<S> found = trigonometry(count, angles, scratch);
  count = 0;
  for_each_angle([&](int k) { sn[k] = found.sn[count], cs[k] = found.cs[count++]; });
  return {sn, cs};
}

/// Rotation matrix of a unit quaternion x y z w.
template <class S>
VERNE_INLINE Mat3<S> rotation_of_quaternion(const S* q) {
  const S x2 = q[0] + q[0], y2 = q[1] + q[1], z2 = q[2] + q[2];
  const S xx = q[0] * x2, yy = q[1] * y2, zz = q[2] * z2, xy = q[0] * y2, xz = q[0] * z2, yz = q[1] * z2;
  const S wx = q[3] * x2, wy = q[3] * y2, wz = q[3] * z2;
  const S one(1.0);
  return {{one - yy - zz, xy - wz, xz + wy, xy + wz, one - xx - zz, yz - wx, xz - wy, yz + wx, one - xx - yy}};
}

/// R Rz(q)
template <class S, class A>
VERNE_INLINE Mat3<S> turned(const Mat3<A>& R, const S& sn, const S& cs) {
  Mat3<S> out;
  for (int i = 0; i < 3; ++i) {
    out.m[3 * i] = R.m[3 * i] * cs + R.m[3 * i + 1] * sn;
    out.m[3 * i + 1] = R.m[3 * i + 1] * cs - R.m[3 * i] * sn;
    out.m[3 * i + 2] = S(R.m[3 * i + 2]);
  }
  return out;
}

/// Pose of the body in the frame F, given the pose (R, p) of its joint frame in F. `kind` is a Kind<>, or a JointKind.
template <class K, class A, class S>
VERNE_INLINE void move(K kind, const TreeBody& b, const Mat3<A>& R, const Vec3<A>& p, const S* q, const Trig<S>& trig,
                       Mat3<S>& R_FB, Vec3<S>& p_FB) {
  switch (JointKind(kind)) {
    case JointKind::revolute:
      R_FB = turned(R, trig.sn[b.q], trig.cs[b.q]);
      p_FB = {S(p.x), S(p.y), S(p.z)};
      break;
    case JointKind::prismatic:
      R_FB = {{S(R.m[0]), S(R.m[1]), S(R.m[2]), S(R.m[3]), S(R.m[4]), S(R.m[5]), S(R.m[6]), S(R.m[7]), S(R.m[8])}};
      p_FB = p + R.column(2) * q[b.q];
      break;
    case JointKind::helical:
      R_FB = turned(R, trig.sn[b.q], trig.cs[b.q]);
      p_FB = p + R.column(2) * (q[b.q] * b.pitch);
      break;
    case JointKind::spherical:
      R_FB = R * rotation_of_quaternion(q + b.q);
      p_FB = {S(p.x), S(p.y), S(p.z)};
      break;
    case JointKind::free:
      R_FB = R * rotation_of_quaternion(q + b.q + 3);
      p_FB = p + R * Vec3<S>::load(q + b.q);
      break;
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
