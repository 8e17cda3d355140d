/// Recursive Newton-Euler inverse dynamics in body axes [LWP80], with classical accelerations of the body origins as in
/// [KD02] ch. 9 (equation numbers below are of docs/theory/dynamics.md).
///
///   w, dw   angular velocity and acceleration of the body
///   a       acceleration of the body's origin, minus gravity
///   U       [dw] + [w][w]: maps a point fixed in the body to its acceleration relative to the origin
///   f, n    force and moment about the body's origin that the parent exerts through the joint
///   E       sum m r r^T = ½ tr(I) 1 − I, which turns the rotational terms into entries of U E
#pragma once

#include "dynamics/kernels/joint.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
struct BodyMotion {
  Vec3<S> w, dw, a;
  Mat3<S> U;
};

template <class S>
struct BodyForce {
  Vec3<S> f, n;

  VERNE_INLINE static BodyForce zero() { return {Vec3<S>::zero(), Vec3<S>::zero()}; }
  VERNE_INLINE BodyForce& operator+=(const BodyForce& b) { return f += b.f, n += b.n, *this; }
  VERNE_INLINE BodyForce& operator-=(const BodyForce& b) { return f -= b.f, n -= b.n, *this; }
};

/// What the sweeps leave behind for every body: pose in its parent (columns of R, and p) and wrench through its joint.
/// Of a revolute joint z and p are constants of the model and not stored: wide stores are what limits packs.
template <class S>
struct NewtonEulerState {
  BodyForce<S> force;
  Vec3<S> x, y, z, p;
};

template <class S>
VERNE_INLINE BodyMotion<S> base_motion(const Tree& tree) {
  return {Vec3<S>::zero(),
          Vec3<S>::zero(),
          {S(-tree.gravity[0]), S(-tree.gravity[1]), S(-tree.gravity[2])},
          Mat3<S>::zero()};
}

/// (1) U = [dw] + w wᵀ − w·w 1
template <class S>
VERNE_INLINE Mat3<S> acceleration_map(const Vec3<S>& w, const Vec3<S>& dw) {
  const S xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {{-(yy + zz), xy - dw.z, xz + dw.y, xy + dw.z, -(xx + zz), yz - dw.x, xz - dw.y, yz + dw.x, -(xx + yy)}};
}

/// (2)-(4) what a joint adds to the motion of its parent, which is given in the body's axes.
template <class K, class S>
VERNE_INLINE void add_joint_motion(K kind, const TreeBody& b, const S* v, const S* a, Vec3<S>& w, Vec3<S>& dw,
                                   Vec3<S>& acc) {
  const Vec3<S> w0 = w;
  const S* const vj = v + b.v;
  const S* const aj = a + b.v;
  switch (JointKind(kind)) {
    case JointKind::helical: {
      const S speed = vj[0] * b.pitch;
      acc += Vec3<S>{(w0.y + w0.y) * speed, -((w0.x + w0.x) * speed), aj[0] * b.pitch};
    }
      [[fallthrough]];
    case JointKind::revolute:
      dw += Vec3<S>{w0.y * vj[0], -(w0.x * vj[0]), aj[0]};
      w.z = w.z + vj[0];
      break;
    case JointKind::prismatic: {
      const S twice = vj[0] + vj[0];
      acc += Vec3<S>{w0.y * twice, -(w0.x * twice), aj[0]};
      break;
    }
    case JointKind::spherical: {
      const Vec3<S> rate = Vec3<S>::load(vj);
      dw += cross(w0, rate) + Vec3<S>::load(aj);
      w += rate;
      break;
    }
    case JointKind::free: {
      const Vec3<S> speed = Vec3<S>::load(vj), rate = Vec3<S>::load(vj + 3);
      acc += cross(w0 + w0 + rate, speed) + Vec3<S>::load(aj);
      dw += cross(w0, rate) + Vec3<S>::load(aj + 3);
      w += rate;
      break;
    }
  }
}

/// The motion of a body from its parent's, in its own axes.
template <class K, class S>
VERNE_INLINE BodyMotion<S> propagate_motion(K kind, const TreeBody& b, const BodyMotion<S>& parent, const Mat3<S>& R,
                                            const Vec3<S>& p, const S* v, const S* a) {
  Vec3<S> w = transpose_times(R, parent.w), dw = transpose_times(R, parent.dw),
          acc = transpose_times(R, parent.a + parent.U * p);
  add_joint_motion(kind, b, v, a, w, dw, acc);
  return {w, dw, acc, acceleration_map(w, dw)};
}

/// (5) f = m a + U m c,  (6) n = axial(U E) + m c × a: what the motion of a body with this inertia takes.
template <class S>
VERNE_INLINE BodyForce<S> inertial_force(double mass, const double* mc_, const double* E, const BodyMotion<S>& k) {
  const Vec3<double> mc = vec3(mc_);
  const Mat3<S>& U = k.U;
  const Vec3<S> moment{
      (U.m[6] * E[1] + U.m[7] * E[3] + U.m[8] * E[4]) - (U.m[3] * E[2] + U.m[4] * E[4] + U.m[5] * E[5]),
      (U.m[0] * E[2] + U.m[1] * E[4] + U.m[2] * E[5]) - (U.m[6] * E[0] + U.m[7] * E[1] + U.m[8] * E[2]),
      (U.m[3] * E[0] + U.m[4] * E[1] + U.m[5] * E[2]) - (U.m[0] * E[1] + U.m[1] * E[3] + U.m[2] * E[4])};
  return {k.a * mass + U * mc, moment + cross(mc, k.a)};
}

/// Forward sweep. `loads`, when given, holds the wrench that acts on each body (about its origin, body axes).
/// A body's motion stays in registers for the next one; `kept` has it for later children and, if `keep_all`, for all.
template <class S>
VERNE_INLINE void newton_euler_forward(const Tree& tree, const S* q, const S* v, const S* a, const Trig<S>& trig,
                                       const BodyForce<S>* loads, bool keep_all,
                                       NewtonEulerState<S>* VERNE_RESTRICT states, BodyMotion<S>* VERNE_RESTRICT kept) {
  BodyMotion<S> motion = base_motion<S>(tree);
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    NewtonEulerState<S>& s = states[i];
    if (b.parent != i - 1) motion = b.parent < 0 ? base_motion<S>(tree) : kept[b.parent];
    by_kind(b.kind, [&](auto kind) {
      Mat3<S> R;
      Vec3<S> p;
      move(kind, b, mat3(b.R), vec3(b.p), q, trig, R, p);
      motion = propagate_motion(kind, b, motion, R, p, v, a);
      s.x = R.column(0);
      s.y = R.column(1);
      if (kind != JointKind::revolute) {
        s.z = R.column(2);
        s.p = p;
      }
    });
    BodyForce<S> force = b.massless ? BodyForce<S>::zero() : inertial_force(b.mass, b.mc, b.E, motion);
    if (loads) force -= loads[i];
    s.force = force;
    if (b.branches || keep_all) kept[i] = motion;
  }
}

/// (7) the components of a wrench along the joint's freedoms, as put(freedom, value).
template <class S, class Put>
VERNE_INLINE void for_each_projection(const TreeBody& b, const BodyForce<S>& force, Put&& put) {
  switch (b.kind) {
    case JointKind::revolute:
      put(0, force.n.z);
      break;
    case JointKind::prismatic:
      put(0, force.f.z);
      break;
    case JointKind::helical:
      put(0, force.n.z + force.f.z * b.pitch);
      break;
    case JointKind::spherical:
      put(0, force.n.x), put(1, force.n.y), put(2, force.n.z);
      break;
    case JointKind::free:
      put(0, force.f.x), put(1, force.f.y), put(2, force.f.z);
      put(3, force.n.x), put(4, force.n.y), put(5, force.n.z);
      break;
  }
}
/// In place of what is in `tau` or on top of it.
template <class S>
VERNE_INLINE void project(const TreeBody& b, const BodyForce<S>& force, bool add, S* tau) {
  S* const t = tau + b.v;
  for_each_projection(b, force, [&](int k, const S& x) VERNE_INLINE_LAMBDA { t[k] = add ? t[k] + x : x; });
}

/// (8) a wrench of the child, about the parent's origin and in its axes.
template <class S>
VERNE_INLINE BodyForce<S> in_parent(const TreeBody& b, const NewtonEulerState<S>& s, const BodyForce<S>& force) {
  if (b.kind == JointKind::revolute) {
    const Vec3<double> z{b.R[2], b.R[5], b.R[8]};
    const Vec3<S> f = s.x * force.f.x + s.y * force.f.y + z * force.f.z;
    return {f, s.x * force.n.x + s.y * force.n.y + z * force.n.z + cross(vec3(b.p), f)};
  }
  const Mat3<S> R = Mat3<S>::columns(s.x, s.y, s.z);
  const Vec3<S> f = R * force.f;
  return {f, R * force.n + cross(s.p, f)};
}

/// Backward sweep: joint wrenches complete in `states`, torques in `tau`, on top of what is there if `add`.
template <class S>
VERNE_INLINE void newton_euler_backward(const Tree& tree, NewtonEulerState<S>* states, bool add, S* tau) {
  BodyForce<S> carried = BodyForce<S>::zero();  // from the next body, when that is a child
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const TreeBody& b = tree.bodies[i];
    BodyForce<S> force = states[i].force;
    force += carried;
    states[i].force = force;
    project(b, force, add, tau);
    carried = BodyForce<S>::zero();
    if (b.parent >= 0) {
      const BodyForce<S> on_parent = in_parent(b, states[i], force);
      if (b.parent == i - 1) {
        carried = on_parent;
      } else {
        states[b.parent].force += on_parent;
      }
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
