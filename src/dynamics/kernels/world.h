/// Poses, velocities and accelerations of all bodies in world axes.
#pragma once

#include "dynamics/kernels/joint.h"

namespace verne {
inline namespace VERNE_ISA {

/// Orientation and origin of a body in the world, and r: from the parent's origin to its own.
template <class S>
struct WorldPose {
  Mat3<S> R;
  Vec3<S> p, r;
};

/// Pose of a body from its parent's orientation; p is left to the caller.
template <class K, class S>
VERNE_INLINE void step_pose(K kind, const TreeBody& b, const Mat3<S>& R_parent, const S* q, const Trig<S>& trig,
                            Mat3<S>& R, Vec3<S>& r) {
  move(kind, b, R_parent * mat3(b.R), R_parent * vec3(b.p), q, trig, R, r);
}

/// Of all bodies, or of those on the way to `target` (for_each_body).
template <class S>
VERNE_INLINE void world_poses(const Tree& tree, const S* q, const Trig<S>& trig, int target,
                              WorldPose<S>* VERNE_RESTRICT poses) {
  for_each_body(tree, target, [&](int i) VERNE_INLINE_LAMBDA {
    const TreeBody& b = tree.bodies[i];
    WorldPose<S>& x = poses[i];
    if (b.parent < 0) {
      move(b.kind, b, mat3(b.R), vec3(b.p), q, trig, x.R, x.r);
      x.p = x.r;
    } else {
      step_pose(b.kind, b, poses[b.parent].R, q, trig, x.R, x.r);
      x.p = poses[b.parent].p + x.r;
    }
  });
}

/// Angular velocity and acceleration, velocity and acceleration (classical, without gravity) of the origin.
template <class S>
struct WorldMotion {
  Vec3<S> w, v, dw, a;

  VERNE_INLINE static WorldMotion rest() {
    return {Vec3<S>::zero(), Vec3<S>::zero(), Vec3<S>::zero(), Vec3<S>::zero()};
  }
};

/// The motion of a point that is fixed in the body at `r` (world axes) from its origin.
template <class S>
VERNE_INLINE WorldMotion<S> at_point(const WorldMotion<S>& k, const Vec3<S>& r) {
  const Vec3<S> speed = cross(k.w, r);
  return {k.w, k.v + speed, k.dw, k.a + cross(k.dw, r) + cross(k.w, speed)};
}

/// Motion of a body from its parent's.
template <class K, class S>
VERNE_INLINE WorldMotion<S> step_motion(K kind, const TreeBody& b, const WorldMotion<S>& parent, const Mat3<S>& R,
                                        const Vec3<S>& r, const S* v, const S* a) {
  const Vec3<S> w0 = parent.w;
  WorldMotion<S> k = at_point(parent, r);
  const S* const vj = v + b.v;
  const S* const aj = a + b.v;
  switch (JointKind(kind)) {
    case JointKind::helical: {
      const Vec3<S> speed = R.column(2) * (vj[0] * b.pitch);
      k.v += speed;
      k.a += cross(w0 + w0, speed) + R.column(2) * (aj[0] * b.pitch);
    }
      [[fallthrough]];
    case JointKind::revolute: {
      const Vec3<S> rate = R.column(2) * vj[0];
      k.w += rate;
      k.dw += cross(w0, rate) + R.column(2) * aj[0];
      break;
    }
    case JointKind::prismatic: {
      const Vec3<S> speed = R.column(2) * vj[0];
      k.v += speed;
      k.a += cross(w0 + w0, speed) + R.column(2) * aj[0];
      break;
    }
    case JointKind::spherical: {
      const Vec3<S> rate = R * Vec3<S>::load(vj);
      k.w += rate;
      k.dw += cross(w0, rate) + R * Vec3<S>::load(aj);
      break;
    }
    case JointKind::free: {
      const Vec3<S> speed = R * Vec3<S>::load(vj), rate = R * Vec3<S>::load(vj + 3);
      k.v += speed;
      k.a += cross(w0 + w0 + rate, speed) + R * Vec3<S>::load(aj);
      k.w += rate;
      k.dw += cross(w0, rate) + R * Vec3<S>::load(aj + 3);
      break;
    }
  }
  return k;
}

template <class S>
VERNE_INLINE void world_motion(const Tree& tree, const WorldPose<S>* poses, const S* v, const S* a, int target,
                               WorldMotion<S>* VERNE_RESTRICT motions) {
  for_each_body(tree, target, [&](int i) VERNE_INLINE_LAMBDA {
    const TreeBody& b = tree.bodies[i];
    motions[i] =
        step_motion(b.kind, b, b.parent < 0 ? WorldMotion<S>::rest() : motions[b.parent], poses[i].R, poses[i].r, v, a);
  });
}

/// First and second moment of a body or of a subtree, in world axes; its mass is a constant of the model.
template <class S>
struct WorldInertia {
  Vec3<S> mc;
  Sym3<S> I;

  VERNE_INLINE static WorldInertia zero() { return {Vec3<S>::zero(), Sym3<S>::zero()}; }
  VERNE_INLINE WorldInertia& operator+=(const WorldInertia& b) { return mc += b.mc, I += b.I, *this; }
};

/// Adds spread 1 − u uᵀ − w wᵀ turned by R.
template <class S>
VERNE_INLINE void add_turned(const InertiaFactors& factors, const Mat3<S>& R, Sym3<S>& I) {
  const Vec3<S> u = R * vec3(factors.u);
  const Vec3<S> w = R.column(0) * factors.w[0] + R.column(1) * factors.w[1];
  I.xx = I.xx + factors.spread - u.x * u.x - w.x * w.x;
  I.xy = I.xy - u.x * u.y - w.x * w.y;
  I.xz = I.xz - u.x * u.z - w.x * w.z;
  I.yy = I.yy + factors.spread - u.y * u.y - w.y * w.y;
  I.yz = I.yz - u.y * u.z - w.y * w.z;
  I.zz = I.zz + factors.spread - u.z * u.z - w.z * w.z;
}

/// Adds the inertia of a body about its origin.
template <class S>
VERNE_INLINE void add_body(const TreeBody& b, const Mat3<S>& R, WorldInertia<S>& sum) {
  sum.mc += R * vec3(b.mc);
  add_turned(b.factors, R, sum.I);
}

template <class S>
VERNE_INLINE WorldInertia<S> world_inertia(const TreeBody& b, const Mat3<S>& R) {
  WorldInertia<S> sum = WorldInertia<S>::zero();
  add_body(b, R, sum);
  return sum;
}

/// The same mass about a reference point at −r: with t = m c + ½ m r, I' = I + 2 (t·r) 1 − t rᵀ − r tᵀ.
template <class S>
VERNE_INLINE WorldInertia<S> shifted(const WorldInertia<S>& in, double mass, const Vec3<S>& r) {
  const Vec3<S> t = in.mc + r * (0.5 * mass);
  const S x = t.x * r.x, y = t.y * r.y, z = t.z * r.z;
  const Sym3<S>& I = in.I;
  return {in.mc + r * mass,
          {I.xx + (y + z) * 2.0, I.xy - t.x * r.y - t.y * r.x, I.xz - t.x * r.z - t.z * r.x, I.yy + (x + z) * 2.0,
           I.yz - t.y * r.z - t.z * r.y, I.zz + (x + y) * 2.0}};
}

/// A motion (linear, angular) or a force (force, moment), in world axes.
template <class S>
struct Spatial {
  Vec3<S> linear, angular;
};

/// Freedom `k` of a body's joint as a velocity of the body's origin, in world axes.
template <class K, class S>
VERNE_INLINE Spatial<S> freedom(K kind, const TreeBody& b, const Mat3<S>& R, int k) {
  switch (JointKind(kind)) {
    case JointKind::revolute:
      return {Vec3<S>::zero(), R.column(2)};
    case JointKind::prismatic:
      return {R.column(2), Vec3<S>::zero()};
    case JointKind::helical:
      return {R.column(2) * S(b.pitch), R.column(2)};
    case JointKind::spherical:
      return {Vec3<S>::zero(), R.column(k)};
    case JointKind::free:
      break;
  }
  return k < 3 ? Spatial<S>{R.column(k), Vec3<S>::zero()} : Spatial<S>{Vec3<S>::zero(), R.column(k - 3)};
}

/// The same as a velocity of a point O, from which the body's origin stands at r.
template <class K, class S>
VERNE_INLINE Spatial<S> freedom_at(const Vec3<S>& r, K kind, const TreeBody& b, const Mat3<S>& R, int k) {
  Spatial<S> s = freedom(kind, b, R, k);
  s.linear += cross(r, s.angular);
  return s;
}

}  // namespace VERNE_ISA
}  // namespace verne
