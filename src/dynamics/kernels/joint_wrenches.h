/// The wrench through every joint of the model, from what the sweeps of inverse or forward dynamics leave behind
/// (equations of docs/theory/dynamics.md).
#pragma once

#include "dynamics/kernels/forward_dynamics.h"
#include "dynamics/kernels/loads.h"

namespace verne {
inline namespace VERNE_ISA {

/// (11) Across a joint that was merged: what the rigid sub-assembly behind it, the loads on it and the bodies hanging
/// on it take, about the origin and in the axes of its body. on_body(i) is what body i does to the one that carries it.
template <class S, class OnBody>
inline BodyForce<S> wrench_of_merged(const Tree& tree, const TreeJoint& j, const Inputs<S>& in,
                                     const WorldPose<S>* poses, const BodyMotion<S>& motion, OnBody&& on_body) {
  const auto behind = [&](int link) { return link >= j.first_link && link < j.end_link; };
  BodyForce<S> w = inertial_force(j.mass, j.mc, j.E, motion);
  for (int i = 0; i < tree.body_count; ++i) {
    if (tree.bodies[i].parent == j.body && behind(tree.attached_link[i])) w += on_body(i);
  }
  for (int k = 0; k < in.load_count; ++k) {
    const TreeSite& site = tree.sites[in.load_sites[k].site];
    if (site.body != j.body || !behind(site.link)) continue;
    w -= load_on_body(tree, in, poses, k);
  }
  return w;
}

/// (10) A wrench about the origin and in the axes of a joint's body, as six values of the joint.
template <class S>
VERNE_INLINE void put_joint_wrench(const TreeJoint& j, BodyForce<S> w, S* out) {
  if (j.fixed) w.n -= cross(vec3(j.p), w.f);
  if (!j.same_axes) w = {transpose_times(mat3(j.R), w.f), transpose_times(mat3(j.R), w.n)};
  w.f.store(out);
  w.n.store(out + 3);
}

/// Force and moment at the origin and in the axes of each child-side joint frame, six values a joint.
template <class S>
VERNE_INLINE void joint_wrenches(const Tree& tree, const Inputs<S>& in, const WorldPose<S>* poses,
                                 const NewtonEulerState<S>* states, const BodyMotion<S>* motions, S* out) {
  const auto on_body = [&](int i) { return in_parent(tree.bodies[i], states[i], states[i].force); };
  for (int k = 0; k < tree.joint_count; ++k) {
    const TreeJoint& j = tree.joints[k];
    put_joint_wrench(
        j,
        j.fixed ? wrench_of_merged(tree, j, in, poses, j.body < 0 ? base_motion<S>(tree) : motions[j.body], on_body)
                : states[j.body].force,
        out + 6 * k);
  }
}

/// (5), (6) in world axes: what the motion of a body takes, where `a` is minus gravity.
template <class S>
VERNE_INLINE Spatial<S> inertial_force(const TreeBody& b, const Mat3<S>& R, const Vec3<S>& w, const Spatial<S>& a) {
  const WorldInertia<S> in = world_inertia(b, R);
  return {a.linear * b.mass + cross(a.angular, in.mc) + cross(w, cross(w, in.mc)),
          in.I * a.angular + cross(w, in.I * w) + cross(in.mc, a.linear)};
}

/// What a body does to the one that carries it, whose origin is at −r: (8) without a rotation.
template <class S>
VERNE_INLINE Spatial<S> shifted(const Spatial<S>& force, const Vec3<S>& r) {
  return {force.linear, force.angular + cross(r, force.linear)};
}

/// Adds up, from the tips to the roots, what bodies take by themselves; arm(i) is r of body i.
template <class S, class Arm>
VERNE_INLINE void add_up_forces(const Tree& tree, Arm&& arm, Spatial<S>* VERNE_RESTRICT forces) {
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const int parent = tree.bodies[i].parent;
    if (parent < 0) continue;
    const Spatial<S> on_parent = shifted(forces[i], arm(i));
    forces[parent].linear += on_parent.linear;
    forces[parent].angular += on_parent.angular;
  }
}

/// After forward dynamics: the wrench through every primitive joint, about its body's origin and in world axes.
template <class S>
VERNE_SWEEP void forces_of_motion(const Tree& tree, const BodyForce<S>* loads, const ForwardDynamicsWork<S>& work,
                                  Spatial<S>* VERNE_RESTRICT forces) {
  for (int i = 0; i < tree.body_count; ++i) {
    const VelocityState<S>& k = work.states[i];
    forces[i] = inertial_force(tree.bodies[i], k.R, k.w, work.accelerations[i]);
    if (!loads) continue;
    forces[i].linear -= k.R * loads[i].f;
    forces[i].angular -= k.R * loads[i].n;
  }
  add_up_forces(
      tree, [&](int i) -> const Vec3<S>& { return work.states[i].r; }, forces);
}

/// The same as the above from these.
template <class S>
VERNE_SWEEP void joint_wrenches(const Tree& tree, const Inputs<S>& in, const WorldPose<S>* poses,
                                const ForwardDynamicsWork<S>& work, const Spatial<S>* forces, S* out) {
  for (int k = 0; k < tree.joint_count; ++k) {
    const TreeJoint& j = tree.joints[k];
    const Mat3<S> R = j.body < 0 ? Mat3<S>::identity() : work.states[j.body].R;
    const auto in_body = [&R](const Spatial<S>& f) {
      return BodyForce<S>{transpose_times(R, f.linear), transpose_times(R, f.angular)};
    };
    if (!j.fixed) {
      put_joint_wrench(j, in_body(forces[j.body]), out + 6 * k);
      continue;
    }
    BodyMotion<S> motion = base_motion<S>(tree);
    if (j.body >= 0) {
      const Spatial<S>& a = work.accelerations[j.body];
      const Vec3<S> w = transpose_times(R, work.states[j.body].w), dw = transpose_times(R, a.angular);
      motion = {w, dw, transpose_times(R, a.linear), acceleration_map(w, dw)};
    }
    const auto on_body = [&](int i) { return in_body(shifted(forces[i], work.states[i].r)); };
    put_joint_wrench(j, wrench_of_merged(tree, j, in, poses, motion, on_body), out + 6 * k);
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
