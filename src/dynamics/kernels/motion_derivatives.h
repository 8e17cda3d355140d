/// Derivatives of positions, velocities and accelerations of links and frames, of the centre of mass and of the
/// momentum, from the sweeps of sensitivity.h without gravity and loads (docs/theory/sensitivities.md, eq. 14-19).
#pragma once

#include "dynamics/kernels/sensitivity.h"

namespace verne {
inline namespace VERNE_ISA {

/// 6 x nv each, column-major: J is that of the pose with respect to q, of the velocity with respect to v and of the
/// acceleration with respect to a.
template <class S>
struct SiteDerivatives {
  S *J, *velocity_dq, *acceleration_dq, *acceleration_dv;
};

template <class S>
VERNE_INLINE void put(const Spatial<S>& x, S* out) {
  x.linear.store(out);
  x.angular.store(out + 3);
}

/// (16) A change of a body's spatial velocity or acceleration about O, as that of the point r, which moves by dr.
template <class S>
VERNE_INLINE Spatial<S> at_moving_point(const Spatial<S>& change, const Vec3<S>& angular, const Vec3<S>& r,
                                        const Vec3<S>& dr) {
  return {change.linear + cross(change.angular, r) + cross(angular, dr), change.angular};
}

/// `point` is in the axes of the site.
template <class S>
inline void site_derivatives(const Tree& tree, const SensitivityWork<S>& work, int site_index, const Vec3<S>& point,
                             const SiteDerivatives<S>& out) {
  S* const blocks[] = {out.J, out.velocity_dq, out.acceleration_dq, out.acceleration_dv};
  for (S* const block : blocks) {
    for (int k = 0; k < 6 * tree.nv; ++k) block[k] = S(0);
  }
  const TreeSite& site = tree.sites[site_index];
  if (site.body < 0) return;
  const WorldPose<S>& x = work.poses[site.body];
  const Vec3<S> r = x.p + x.R * (vec3(site.p) + mat3(site.R) * point) - work.poses[0].p;
  const Spatial<S>&V = work.rates[site.body].V, &A = work.rates[site.body].A;
  const Vec3<S> speed = V.linear + cross(V.angular, r);
  const TreeBody& b = tree.bodies[site.body];
  for (int i = b.v + b.nv - 1; i >= 0; i = tree.v_parent[i]) {
    const FreedomState<S>& f = work.freedoms[i];
    const Vec3<S> dr = f.s.linear + cross(f.s.angular, r);
    const Spatial<S> dV = f.psi + motion_cross(f.s, V);
    const Spatial<S> dA = f.psi2 - motion_cross(V, f.psi) + motion_cross(f.s, A);
    const Spatial<S> dA_dv = f.rate - motion_cross(V, f.s);
    put({dr, f.s.angular}, out.J + 6 * i);
    const Spatial<S> velocity = at_moving_point(dV, V.angular, r, dr);
    put(velocity, out.velocity_dq + 6 * i);
    // (17) classical: a + w × (velocity of the point)
    Spatial<S> acceleration = at_moving_point(dA, A.angular, r, dr);
    acceleration.linear += cross(dV.angular, speed) + cross(V.angular, velocity.linear);
    put(acceleration, out.acceleration_dq + 6 * i);
    Spatial<S> by_v = at_moving_point(dA_dv, A.angular, r, Vec3<S>::zero());
    by_v.linear += cross(f.s.angular, speed) + cross(V.angular, dr);
    put(by_v, out.acceleration_dv + 6 * i);
  }
}

/// Column-major: centre of mass (3 x nv), momentum (linear; angular about the centre of mass) and its rate (6 x nv).
/// momentum_dv is also the derivative of the rate with respect to a.
template <class S>
struct CentroidalDerivatives {
  S *com_dq, *momentum_dq, *momentum_dv, *rate_dq, *rate_dv;
};

template <class S>
inline void centroidal_derivatives(const Tree& tree, const SensitivityWork<S>& work,
                                   const CentroidalDerivatives<S>& out) {
  Composite<S> total = Composite<S>::zero();
  double mass = 0;
  for (int i = 0; i < tree.body_count; ++i) {
    if (tree.bodies[i].parent >= 0) continue;
    total += work.composites[i];
    mass += tree.bodies[i].subtree_mass;
  }
  const double inverse = mass > 0 ? 1 / mass : 0;
  const Vec3<S> c = total.inertia.mc * inverse, momentum = total.twice_B.h * 0.5;
  // (19) (p, L about O) to (p, L about the centre of mass), which moves by dc
  const auto about_com = [&](const Spatial<S>& change, const Vec3<S>& p, const Vec3<S>& dc) {
    return Spatial<S>{change.linear, change.angular - cross(c, change.linear) - cross(dc, p)};
  };
  const Vec3<S> still = Vec3<S>::zero();
  for (int body = 0; body < tree.body_count; ++body) {
    const TreeBody& b = tree.bodies[body];
    const Composite<S>& k = work.composites[body];
    for (int i = b.v; i < b.v + b.nv; ++i) {
      const FreedomState<S>& f = work.freedoms[i];
      const Vec3<S> dc = f.Fa.linear * inverse;
      dc.store(out.com_dq + 3 * i);
      const Spatial<S> dh = momentum_of(b.subtree_mass, k.inertia, f.psi) + force_cross(f.s, k.twice_B.momentum());
      put(about_com(dh, momentum, dc), out.momentum_dq + 6 * i);
      put(about_com(f.Fa, momentum, still), out.momentum_dv + 6 * i);
      put(about_com(f.Fq, total.f.linear, dc), out.rate_dq + 6 * i);
      put(about_com(f.Fv, total.f.linear, still), out.rate_dv + 6 * i);
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
