/// Loads about O, and how they respond to motion of their links (section 3 of docs/theory/sensitivities.md).
#pragma once

#include "dynamics/kernels/loads.h"
#include "dynamics/kernels/spatial_vectors.h"

namespace verne {
inline namespace VERNE_ISA {

/// (10) Loads on a subtree: R(d) = (F × d_a; Q d_a + G × d_l).
template <class S>
struct LoadResponse {
  Vec3<S> F, G;
  Mat3<S> Q;

  VERNE_INLINE static LoadResponse zero() { return {Vec3<S>::zero(), Vec3<S>::zero(), Mat3<S>::zero()}; }
  VERNE_INLINE LoadResponse& operator+=(const LoadResponse& b) {
    F += b.F, G += b.G, Q += b.Q;
    return *this;
  }
  /// R(d)
  VERNE_INLINE Spatial<S> operator()(const Spatial<S>& d) const {
    return {cross(F, d.angular), Q * d.angular + cross(G, d.linear)};
  }
  /// Rᵀ s
  VERNE_INLINE Spatial<S> transposed(const Spatial<S>& s) const {
    return {cross(s.angular, G), cross(s.linear, F) + transpose_times(Q, s.angular)};
  }
};

/// [a][b] = b aᵀ − (a·b) 1
template <class S>
VERNE_INLINE Mat3<S> skew_product(const Vec3<S>& a, const Vec3<S>& b) {
  const S xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  return {{-(yy + zz), b.x * a.y, b.x * a.z, b.y * a.x, -(xx + zz), b.y * a.z, b.z * a.x, b.z * a.y, -(xx + yy)}};
}
template <class S>
VERNE_INLINE void add_skew(const Vec3<S>& a, Mat3<S>& M) {
  M.m[1] = M.m[1] - a.z, M.m[2] = M.m[2] + a.y, M.m[3] = M.m[3] + a.z;
  M.m[5] = M.m[5] - a.x, M.m[6] = M.m[6] - a.y, M.m[7] = M.m[7] + a.x;
}

/// One load about O: its wrench, and how that responds to motion of its link (10).
template <class S>
struct LoadAboutOrigin {
  Spatial<S> wrench;
  LoadResponse<S> response;
};

template <class S>
VERNE_INLINE LoadAboutOrigin<S> load_about_origin(const Tree& tree, const Inputs<S>& in, const WorldPose<S>* poses,
                                                  int k) {
  const TreeSite& site = tree.sites[in.load_sites[k].site];
  const WorldPose<S>& x = poses[site.body];
  const S* const values = in.load_values + 9 * k;
  const Vec3<S> force = Vec3<S>::load(values), moment = Vec3<S>::load(values + 3), point = Vec3<S>::load(values + 6);
  const bool in_world = in.load_sites[k].world_point;
  const Vec3<S> r = (in_world ? point : x.p + x.R * (mat3(site.R) * point + vec3(site.p))) - poses[0].p;
  const Vec3<S> about_O = moment + cross(r, force);
  LoadResponse<S> response{force, in_world ? force : Vec3<S>::zero(), Mat3<S>::zero()};
  if (in_world) {
    add_skew(about_O, response.Q);
  } else {
    response.Q = skew_product(r, force);
    add_skew(moment, response.Q);
  }
  return {{force, about_O}, response};
}

/// Sums of the loads on bodies, and of their responses.
template <class S>
VERNE_INLINE void gather_loads(const Tree& tree, const Inputs<S>& in, const WorldPose<S>* poses, Spatial<S>* loads,
                               LoadResponse<S>* responses) {
  for (int i = 0; i < tree.body_count; ++i) {
    loads[i] = {Vec3<S>::zero(), Vec3<S>::zero()};
    responses[i] = LoadResponse<S>::zero();
  }
  for (int k = 0; k < in.load_count; ++k) {
    const int body = tree.sites[in.load_sites[k].site].body;
    if (body < 0) continue;
    const LoadAboutOrigin<S> load = load_about_origin(tree, in, poses, k);
    loads[body] = loads[body] + load.wrench;
    responses[body] += load.response;
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
