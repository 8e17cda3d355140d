/// Poses, velocities and accelerations of links and named frames, and their Jacobians.
#pragma once

#include "dynamics/kernels/world.h"

namespace verne {
inline namespace VERNE_ISA {

/// Origin of a site from the origin of its body, in world axes.
template <class S>
VERNE_INLINE Vec3<S> site_offset(const TreeSite& site, const Mat3<S>& R_WB) {
  return site.same_origin ? Vec3<S>::zero() : R_WB * vec3(site.p);
}

/// Where the kinematics of sites go; each may be null. A site has twelve values of pose (position, then rotation matrix
/// by rows), six of velocity (linear, angular) and six of acceleration (of the origin, classical; angular).
template <class S>
struct SiteOutputs {
  S *poses, *velocities, *accelerations;
};

template <class S>
VERNE_INLINE void put_site(const TreeSite& site, int k, const Mat3<S>& R_WB, const Vec3<S>& p_WB,
                           const WorldMotion<S>& motion, const SiteOutputs<S>& out) {
  const Vec3<S> arm = site_offset(site, R_WB);
  if (out.poses) {
    (p_WB + arm).store(out.poses + 12 * k);
    const Mat3<S> R = site.same_axes ? R_WB : R_WB * mat3(site.R);
    for (int i = 0; i < 9; ++i) out.poses[12 * k + 3 + i] = R.m[i];
  }
  const WorldMotion<S> m = site.same_origin ? motion : at_point(motion, arm);
  if (out.velocities) {
    m.v.store(out.velocities + 6 * k);
    m.w.store(out.velocities + 6 * k + 3);
  }
  if (out.accelerations) {
    m.a.store(out.accelerations + 6 * k);
    m.dw.store(out.accelerations + 6 * k + 3);
  }
}

/// A body of the sweep over all sites.
template <class S>
struct WorldState {
  Mat3<S> R;
  Vec3<S> p;
  WorldMotion<S> motion;

  VERNE_INLINE static WorldState origin() { return {Mat3<S>::identity(), Vec3<S>::zero(), WorldMotion<S>::rest()}; }
};

/// Kinematics of all links and named frames in one sweep.
template <class S>
VERNE_INLINE void site_kinematics(const Tree& tree, const S* q, const S* v, const S* a, const Trig<S>& trig,
                                  WorldState<S>* VERNE_RESTRICT kept, const SiteOutputs<S>& out) {
  const bool moving = out.velocities || out.accelerations;
  WorldState<S> s = WorldState<S>::origin();
  int k = 0;
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    if (b.parent != i - 1) s = b.parent < 0 ? WorldState<S>::origin() : kept[b.parent];
    by_kind(b.kind, [&](auto kind) {
      Mat3<S> R;
      Vec3<S> r;
      step_pose(kind, b, s.R, q, trig, R, r);
      s.R = R;
      s.p += r;
      if (moving) s.motion = step_motion(kind, b, s.motion, R, r, v, a);
    });
    for (k = b.first_site; k < b.end_site; ++k) {
      put_site(tree.sites[tree.sites_by_body[k]], tree.sites_by_body[k], s.R, s.p, s.motion, out);
    }
    if (b.branches) kept[i] = s;
  }
  for (; k < tree.site_count; ++k) {
    const WorldState<S> world = WorldState<S>::origin();
    put_site(tree.sites[tree.sites_by_body[k]], tree.sites_by_body[k], world.R, world.p, world.motion, out);
  }
}

/// J with J v = (velocity of the site's origin; angular velocity) in world axes, and J̇; 6 x nv, column-major with
/// leading dimension ld. `poses` and `motions` of what supports the site will do; `motions` only when the rate is
/// wanted. Without `zeros`, columns of velocities that do not move the site stay as they are.
template <class S>
VERNE_INLINE void site_jacobian(const Tree& tree, const WorldPose<S>* poses, const WorldMotion<S>* motions,
                                int site_index, S* J, S* rate, long ld, bool zeros = true) {
  const TreeSite& site = tree.sites[site_index];
  S* const matrices[] = {J, rate};
  for (S* const matrix : matrices) {
    for (long k = 0; k < tree.nv && matrix && zeros; ++k) {
      for (int i = 0; i < 6; ++i) matrix[k * ld + i] = S(0);
    }
  }
  if (site.body < 0) return;
  const Vec3<S> arm = site_offset(site, poses[site.body].R);
  const Vec3<S> p = poses[site.body].p + arm;
  const Vec3<S> v = rate ? motions[site.body].v + cross(motions[site.body].w, arm) : Vec3<S>::zero();
  for (int i = site.body; i >= 0; i = tree.bodies[i].parent) {
    const TreeBody& b = tree.bodies[i];
    const Vec3<S> r = p - poses[i].p;
    for (int k = 0; k < b.nv; ++k) {
      const Spatial<S> s = freedom(b.kind, b, poses[i].R, k);
      S* const column = J + ld * (b.v + k);
      (s.linear + cross(s.angular, r)).store(column);
      s.angular.store(column + 3);
      if (rate) {  // the freedom turns with its body, and the arm r changes
        const Vec3<S>& w = motions[i].w;
        const Vec3<S> turning = cross(w, s.angular);
        S* const d = rate + ld * (b.v + k);
        (cross(w, s.linear) + cross(turning, r) + cross(s.angular, v - motions[i].v)).store(d);
        turning.store(d + 3);
      }
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
