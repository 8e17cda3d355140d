/// What a controller needs of one state, from one pass over the kinematics in world axes: M, the bias torques, and for
/// some sites pose, Jacobian and J̇ v (equations of docs/theory/dynamics.md).
#pragma once

#include "dynamics/kernels/joint_wrenches.h"
#include "dynamics/kernels/mass_matrix.h"
#include "dynamics/kernels/sites.h"

namespace verne {
inline namespace VERNE_ISA {

/// (5)-(8) for the motion at hand, in world axes about body origins; on top of what is in `tau` if `add`.
template <class S>
VERNE_INLINE void torques_of_motion(const Tree& tree, const WorldPose<S>* poses, const WorldMotion<S>* motions,
                                    bool add, Spatial<S>* VERNE_RESTRICT forces, S* tau) {
  for (int i = 0; i < tree.body_count; ++i) {
    const WorldMotion<S>& k = motions[i];
    forces[i] = inertial_force(tree.bodies[i], poses[i].R, k.w, Spatial<S>{k.a - vec3(tree.gravity), k.dw});
  }
  add_up_forces(
      tree, [&](int i) -> const Vec3<S>& { return poses[i].r; }, forces);
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    const Mat3<S>& R = poses[i].R;
    project(b, BodyForce<S>{transpose_times(R, forces[i].linear), transpose_times(R, forces[i].angular)}, add, tau);
  }
}

/// Freedoms, but for those of roots, about the origin of their root.
template <class S>
VERNE_INLINE void freedoms_about_roots(const Tree& tree, const WorldPose<S>* poses, Spatial<S>* VERNE_RESTRICT out) {
  Vec3<S> O = Vec3<S>::zero();
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    if (b.parent < 0) O = poses[i].p;
    for (int k = 0; k < b.nv && b.parent >= 0; ++k) {
      out[b.v + k] = freedom_at(poses[i].p - O, b.kind, b, poses[i].R, k);
    }
  }
}

/// Pose and, unless null, J̇ v of a site from the motion of its body at a = 0.
template <class S>
VERNE_INLINE void put_drift(const Tree& tree, int site_index, const WorldPose<S>* poses, const WorldMotion<S>* motions,
                            S* pose, S* drift) {
  const TreeSite& site = tree.sites[site_index];
  const SiteOutputs<S> out{pose, nullptr, drift};
  if (site.body < 0) {
    put_site(site, 0, Mat3<S>::identity(), Vec3<S>::zero(), WorldMotion<S>::rest(), out);
  } else if (!drift) {
    put_site(site, 0, poses[site.body].R, poses[site.body].p, WorldMotion<S>::rest(), out);
  } else {
    put_site(site, 0, poses[site.body].R, poses[site.body].p, motions[site.body], out);
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
