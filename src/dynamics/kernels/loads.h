/// External loads: forces and moments in world axes at points of links and frames, as wrenches on bodies.
#pragma once

#include "dynamics/kernels/inputs.h"
#include "dynamics/kernels/inverse_dynamics.h"
#include "dynamics/kernels/world.h"

namespace verne {
inline namespace VERNE_ISA {

/// Load number k as a wrench about the origin of the body that its link belongs to, in that body's axes.
template <class S>
VERNE_INLINE BodyForce<S> load_on_body(const Tree& tree, const Inputs<S>& in, const WorldPose<S>* poses, int k) {
  const TreeSite& site = tree.sites[in.load_sites[k].site];
  const S* const values = in.load_values + 9 * k;
  const Vec3<S> force = Vec3<S>::load(values), moment = Vec3<S>::load(values + 3), point = Vec3<S>::load(values + 6);
  const bool in_world = in.load_sites[k].world_point;
  if (site.body < 0) {
    const Vec3<S> arm = in_world ? point : mat3(site.R) * point + vec3(site.p);
    return {force, moment + cross(arm, force)};
  }
  const WorldPose<S>& x = poses[site.body];
  const Vec3<S> arm = in_world ? transpose_times(x.R, point - x.p) : mat3(site.R) * point + vec3(site.p);
  const Vec3<S> f = transpose_times(x.R, force);
  return {f, transpose_times(x.R, moment) + cross(arm, f)};
}

/// Wrench of all loads on every body, or null when there are none.
template <class S>
VERNE_INLINE const BodyForce<S>* body_loads(const Tree& tree, const Inputs<S>& in, const WorldPose<S>* poses,
                                            Scratch<S>& scratch) {
  if (in.load_count == 0) return nullptr;
  BodyForce<S>* const out = scratch.template take<BodyForce<S>>(tree.body_count);
  for (int i = 0; i < tree.body_count; ++i) out[i] = BodyForce<S>::zero();
  for (int k = 0; k < in.load_count; ++k) {
    const int body = tree.sites[in.load_sites[k].site].body;
    if (body < 0) continue;
    out[body] += load_on_body(tree, in, poses, k);
  }
  return out;
}

}  // namespace VERNE_ISA
}  // namespace verne
