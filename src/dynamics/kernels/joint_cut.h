/// Where a joint cuts the model in two: its frame, and for a merged (fixed) joint which parts of a body lie behind it.
#pragma once

#include "dynamics/kernels/sensitivity.h"

namespace verne {
inline namespace VERNE_ISA {

/// The frame in which a joint's wrench is given.
template <class S>
struct JointFrame {
  Mat3<S> R;  // in the world
  Vec3<S> r;  // its origin from O
};

template <class S>
VERNE_INLINE JointFrame<S> joint_frame(const Tree& tree, const TreeJoint& j, const SensitivityWork<S>& work) {
  const Vec3<S> O = tree.body_count ? work.poses[0].p : Vec3<S>::zero();
  if (j.body < 0) return {Mat3<S>::identity() * mat3(j.R), Vec3<S>::zero() + vec3(j.p) - O};
  const WorldPose<S>& x = work.poses[j.body];
  return {x.R * mat3(j.R), x.p + x.R * vec3(j.p) - O};
}

/// Whether a body hangs, directly, on the links behind a merged joint.
VERNE_INLINE bool hangs_behind(const Tree& tree, const TreeJoint& j, int body) {
  return tree.bodies[body].parent == j.body && tree.attached_link[body] >= j.first_link &&
         tree.attached_link[body] < j.end_link;
}

/// Whether a link is one of those behind a merged joint.
VERNE_INLINE bool is_behind(const Tree& tree, const TreeJoint& j, int site) {
  const int link = tree.sites[site].link;
  return tree.sites[site].body == j.body && link >= j.first_link && link < j.end_link;
}

/// The rigid links behind a merged joint, whose body has rotation R and stands at r from O.
template <class S>
VERNE_INLINE CentralInertia<S> inertia_behind(const TreeJoint& j, const Mat3<S>& R, const Vec3<S>& r) {
  const Vec3<double> mc = vec3(j.mc), c = mc * (j.mass > 0 ? 1 / j.mass : 0.0);
  const Sym3<double> E{j.E[0] - mc.x * c.x, j.E[1] - mc.x * c.y, j.E[2] - mc.x * c.z,
                       j.E[3] - mc.y * c.y, j.E[4] - mc.y * c.z, j.E[5] - mc.z * c.z};
  const double trace = E.xx + E.yy + E.zz;  // I = tr(E) 1 − E
  const Sym3<double> I{trace - E.xx, -E.xy, -E.xz, trace - E.yy, -E.yz, trace - E.zz};
  return {S(j.mass), r + R * c, rotate(R, I)};
}

}  // namespace VERNE_ISA
}  // namespace verne
