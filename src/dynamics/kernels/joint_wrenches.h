/// The wrench through every joint of the model, from the state that the Newton-Euler sweeps leave behind.
#pragma once

#include "dynamics/kernels/loads.h"

namespace verne {
inline namespace VERNE_ISA {

/// Across a joint that was merged: what the rigid sub-assembly behind it, the loads on it and the bodies hanging on it
/// take, about the body's origin.
template <class S>
inline BodyForce<S> wrench_of_merged(const Tree& tree, const TreeJoint& j, const Inputs<S>& in,
                                     const WorldPose<S>* poses, const NewtonEulerState<S>* states,
                                     const BodyMotion<S>* motions) {
  const auto behind = [&](int link) { return link >= j.first_link && link < j.end_link; };
  BodyForce<S> w = inertial_force(j.mass, j.mc, j.E, j.body < 0 ? base_motion<S>(tree) : motions[j.body]);
  for (int i = 0; i < tree.body_count; ++i) {
    if (tree.bodies[i].parent != j.body || !behind(tree.attached_link[i])) continue;
    w += in_parent(tree.bodies[i], states[i], states[i].force);
  }
  for (int k = 0; k < in.load_count; ++k) {
    const TreeSite& site = tree.sites[in.load_sites[k].site];
    if (site.body != j.body || !behind(site.link)) continue;
    w -= load_on_body(tree, in, poses, k);
  }
  return w;
}

/// Force and moment at the origin and in the axes of each child-side joint frame, six values a joint.
template <class S>
VERNE_INLINE void joint_wrenches(const Tree& tree, const Inputs<S>& in, const WorldPose<S>* poses,
                                 const NewtonEulerState<S>* states, const BodyMotion<S>* motions, S* out) {
  for (int k = 0; k < tree.joint_count; ++k) {
    const TreeJoint& j = tree.joints[k];
    BodyForce<S> w = j.fixed ? wrench_of_merged(tree, j, in, poses, states, motions) : states[j.body].force;
    if (j.fixed) w.n -= cross(vec3(j.p), w.f);
    if (!j.same_axes) w = {transpose_times(mat3(j.R), w.f), transpose_times(mat3(j.R), w.n)};
    w.f.store(out + 6 * k);
    w.n.store(out + 6 * k + 3);
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
