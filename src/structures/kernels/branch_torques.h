/// Inverse dynamics of one branch in body axes (equations of docs/theory/dynamics.md). Legs have joints at right angles
/// through one point and links whose axes are those of their inertia: what constants of the model make zero is left
/// out.
#pragma once

#include "dynamics/kernels/inputs.h"
#include "dynamics/kernels/inverse_dynamics.h"

namespace verne {
inline namespace VERNE_ISA {

/// The constant rotation C of a joint's frame, where its axes are X, Y and Z of the parent: nothing but other names.
template <int X, int Y, int Z>
struct OtherNames {
  template <class S>
  VERNE_INLINE static Vec3<S> into(const double*, const Vec3<S>& u) {
    return {u[X], u[Y], u[Z]};
  }
  template <class S>
  VERNE_INLINE static Vec3<S> out_of(const double*, const Vec3<S>& u) {
    Vec3<S> out;
    out[X] = u.x, out[Y] = u.y, out[Z] = u.z;
    return out;
  }
  template <class S>
  VERNE_INLINE static Mat3<S> turn(const Mat3<S>& R, const double*) {
    return Mat3<S>::columns(R.column(X), R.column(Y), R.column(Z));
  }
};
struct OtherAxes {
  template <class S>
  VERNE_INLINE static Vec3<S> into(const double* C, const Vec3<S>& u) {
    return transpose_times(mat3(C), u);
  }
  template <class S>
  VERNE_INLINE static Vec3<S> out_of(const double* C, const Vec3<S>& u) {
    return mat3(C) * u;
  }
  template <class S>
  VERNE_INLINE static Mat3<S> turn(const Mat3<S>& R, const double* C) {
    return R * mat3(C);
  }
};
template <class Step>
VERNE_INLINE void by_axes(const TreeBody& b, Step&& step) {
  switch (b.axes) {
    case AxesOfFrame::xyz:
      step(OtherNames<0, 1, 2>{});
      break;
    case AxesOfFrame::yzx:
      step(OtherNames<1, 2, 0>{});
      break;
    case AxesOfFrame::zxy:
      step(OtherNames<2, 0, 1>{});
      break;
    case AxesOfFrame::other:
      step(OtherAxes{});
      break;
  }
}
/// R times the rotation of the joint's frame.
template <class S>
VERNE_INLINE Mat3<S> turned_by_frame(const Mat3<S>& R, const TreeBody& b) {
  Mat3<S> out = R;
  by_axes(b, [&](auto axes) VERNE_INLINE_LAMBDA { out = axes.turn(R, b.R); });
  return out;
}
VERNE_INLINE bool is_apart(const TreeBody& b) {
  return b.p[0] != 0 || b.p[1] != 0 || b.p[2] != 0;
}

/// The part that moves: from the joint's frame to the body's, and back.
template <class K, class S>
VERNE_INLINE Vec3<S> into_body(K, const TreeBody& b, const S* q, const Trig<S>& trig, const Vec3<S>& u) {
  if constexpr (shape_of(K{}).turns == 1) {
    const S &sn = trig.sn[b.q], &cs = trig.cs[b.q];
    return {u.x * cs + u.y * sn, u.y * cs - u.x * sn, u.z};
  } else if constexpr (K{} == JointKind::prismatic) {
    return u;
  } else {
    return transpose_times(rotation_of_quaternion(q + b.q + (K{} == JointKind::free ? 3 : 0)), u);
  }
}
template <class K, class S>
VERNE_INLINE Vec3<S> out_of_body(K, const TreeBody& b, const S* q, const Trig<S>& trig, const Vec3<S>& u) {
  if constexpr (shape_of(K{}).turns == 1) {
    const S &sn = trig.sn[b.q], &cs = trig.cs[b.q];
    return {u.x * cs - u.y * sn, u.y * cs + u.x * sn, u.z};
  } else if constexpr (K{} == JointKind::prismatic) {
    return u;
  } else {
    return rotation_of_quaternion(q + b.q + (K{} == JointKind::free ? 3 : 0)) * u;
  }
}

/// (2)-(4) of a body, with a less gravity.
template <class S>
struct BranchMotion {
  Vec3<S> w, dw, a;
};

/// How far a joint has moved its body along z.
template <class K, class S>
VERNE_INLINE S shift(K, const TreeBody& b, const S* q) {
  return K{} == JointKind::helical ? q[b.q] * b.pitch : q[b.q];
}

/// (3) The acceleration of a joint's frame, to that of the body's origin, all in axes of that frame.
template <class K, class S>
VERNE_INLINE void add_displacement(K kind, const TreeBody& b, const S* q, BranchMotion<S>& k) {
  if constexpr (K{} == JointKind::prismatic || K{} == JointKind::helical) {
    const Vec3<S> column{k.w.x * k.w.z + k.dw.y, k.w.y * k.w.z - k.dw.x, -(k.w.x * k.w.x + k.w.y * k.w.y)};
    k.a += column * shift(kind, b, q);
  }
  if constexpr (K{} == JointKind::free) k.a += acceleration_map(k.w, k.dw) * Vec3<S>::load(q + b.q);
}

template <class K, class S>
VERNE_INLINE BranchMotion<S> moved(K kind, const TreeBody& b, BranchMotion<S> k, const Inputs<S>& in,
                                   const Trig<S>& trig) {
  k = {into_body(kind, b, in.q, trig, k.w), into_body(kind, b, in.q, trig, k.dw), into_body(kind, b, in.q, trig, k.a)};
  add_joint_motion(kind, b, in.v, in.a, k.w, k.dw, k.a);
  return k;
}

/// (5), (6)
template <class S>
VERNE_INLINE BodyForce<S> sparse_inertial_force(const TreeBody& b, const BranchMotion<S>& k) {
  const Mat3<S> U = acceleration_map(k.w, k.dw);
  const double *const E = b.E, *const mc = b.mc;
  Vec3<S> f = k.a * b.mass,
          n{U.m[7] * E[3] - U.m[5] * E[5], U.m[2] * E[5] - U.m[6] * E[0], U.m[3] * E[0] - U.m[1] * E[3]};
  if (E[1] != 0 || E[2] != 0 || E[4] != 0) {
    n += Vec3<S>{U.m[6] * E[1] + U.m[8] * E[4] - U.m[3] * E[2] - U.m[4] * E[4],
                 U.m[0] * E[2] + U.m[1] * E[4] - U.m[7] * E[1] - U.m[8] * E[2],
                 U.m[4] * E[1] + U.m[5] * E[2] - U.m[0] * E[1] - U.m[2] * E[4]};
  }
  if (mc[0] != 0) f += U.column(0) * mc[0], n.y = n.y - k.a.z * mc[0], n.z = n.z + k.a.y * mc[0];
  if (mc[1] != 0) f += U.column(1) * mc[1], n.z = n.z - k.a.x * mc[1], n.x = n.x + k.a.z * mc[1];
  if (mc[2] != 0) f += U.column(2) * mc[2], n.x = n.x - k.a.y * mc[2], n.y = n.y + k.a.x * mc[2];
  return {f, n};
}

/// (8)
template <class K, class S>
VERNE_INLINE BodyForce<S> on_parent(K kind, const TreeBody& b, const S* q, const Trig<S>& trig, BodyForce<S> force) {
  force = {out_of_body(kind, b, q, trig, force.f), out_of_body(kind, b, q, trig, force.n)};
  if constexpr (K{} == JointKind::prismatic || K{} == JointKind::helical) {
    const S along = shift(kind, b, q);
    force.n.x = force.n.x - along * force.f.y, force.n.y = force.n.y + along * force.f.x;
  }
  if constexpr (K{} == JointKind::free) force.n += cross(Vec3<S>::load(q + b.q), force.f);
  by_axes(b, [&](auto axes) VERNE_INLINE_LAMBDA { force = {axes.out_of(b.R, force.f), axes.out_of(b.R, force.n)}; });
  if (is_apart(b)) force.n += cross(vec3(b.p), force.f);
  return force;
}

/// What the motion of a branch takes whose first joint's frame has the orientation R in the world.
template <class S, class A>
VERNE_INLINE S* torques_of(const Tree& tree, const Mat3<A>& R, const Inputs<S>& in, const Trig<S>& trig,
                           Scratch<S>& scratch) {
  S* const torques = scratch.take(tree.nv);
  const bool passive = passive_torques(tree, in, torques);
  auto* const forces = scratch.template take<BodyForce<S>>(tree.body_count);
  auto* const kept = scratch.template take<BranchMotion<S>>(tree.body_count);  // for children that do not come next
  const Vec3<A> g = transpose_times(R, vec3(tree.gravity));
  BranchMotion<S> motion;
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    by_kind(b.kind, [&](auto kind) VERNE_INLINE_LAMBDA {
      if (b.parent < 0) {
        motion = {Vec3<S>::zero(), Vec3<S>::zero(), {S(-g.x), S(-g.y), S(-g.z)}};
      } else {
        if (b.parent != i - 1) motion = kept[b.parent];
        if (is_apart(b)) motion.a += acceleration_map(motion.w, motion.dw) * vec3(b.p);
        by_axes(b, [&](auto axes) VERNE_INLINE_LAMBDA {
          motion = {axes.into(b.R, motion.w), axes.into(b.R, motion.dw), axes.into(b.R, motion.a)};
        });
        add_displacement(kind, b, in.q, motion);
      }
      motion = moved(kind, b, motion, in, trig);
    });
    forces[i] = b.massless ? BodyForce<S>::zero() : sparse_inertial_force(b, motion);
    if (b.branches) kept[i] = motion;
  }
  BodyForce<S> carried = BodyForce<S>::zero();  // from the next body, when that is a child
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const TreeBody& b = tree.bodies[i];
    BodyForce<S> force = forces[i];
    force += carried;
    project(b, force, passive, torques);
    carried = BodyForce<S>::zero();
    if (b.parent < 0) continue;
    by_kind(b.kind, [&](auto kind) VERNE_INLINE_LAMBDA { carried = on_parent(kind, b, in.q, trig, force); });
    if (b.parent == i - 1) continue;
    forces[b.parent] += carried;
    carried = BodyForce<S>::zero();
  }
  return torques;
}

}  // namespace VERNE_ISA
}  // namespace verne
