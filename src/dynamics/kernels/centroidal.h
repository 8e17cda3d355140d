/// Energy, momentum, centre of mass and centroidal momentum matrix.
#pragma once

#include "dynamics/kernels/inputs.h"
#include "dynamics/kernels/mass_matrix.h"

namespace verne {
inline namespace VERNE_ISA {

/// Quantities of the whole model, world axes. Links that are fixed to the world do not count.
template <class S>
struct WholeBody {
  S kinetic, potential;     // potential: −Σ m g·c, zero at the world's origin
  Vec3<S> linear, angular;  // momentum; angular about the centre of mass
  Vec3<S> com, com_v, com_a;
};

template <class S>
VERNE_INLINE WholeBody<S> whole_body(const Tree& tree, const WorldPose<S>* poses, const WorldMotion<S>* motions) {
  S kinetic(0.0);
  double mass = 0;
  Vec3<S> mp = Vec3<S>::zero(), mv = Vec3<S>::zero(), ma = Vec3<S>::zero(), about_origin = Vec3<S>::zero();
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    if (b.massless) continue;
    const WorldMotion<S>& k = motions[i];
    const Vec3<S> mc = poses[i].R * vec3(b.mc);
    const Vec3<S> w_body = transpose_times(poses[i].R, k.w);
    const Vec3<S> Iw = poses[i].R * (sym3(b.I) * w_body);
    const Vec3<S> turning = cross(k.w, mc);
    const Vec3<S> p = k.v * b.mass + turning;  // m v_com
    kinetic = kinetic + (dot(k.v, k.v) * b.mass + dot(k.w, Iw)) * 0.5 + dot(k.v, turning);
    mass += b.mass;
    mp += poses[i].p * b.mass + mc;
    mv += p;
    ma += k.a * b.mass + cross(k.dw, mc) + cross(k.w, turning);
    about_origin += Iw + cross(mc, k.v) + cross(poses[i].p, p);
  }
  const double inverse = mass > 0 ? 1 / mass : 0;
  const Vec3<S> com = mp * inverse;
  return {kinetic,     -(mp.x * tree.gravity[0] + mp.y * tree.gravity[1] + mp.z * tree.gravity[2]),
          mv,          about_origin - cross(com, mv),
          com,         mv * inverse,
          ma * inverse};
}

/// What all springs and ligaments hold.
template <class S>
VERNE_INLINE S elastic_energy(const Tree& tree, const S* q) {
  S energy(0.0);
  for (int k = 0; k < tree.nv; ++k) {
    energy = energy + spring_energy(tree, k, q);
  }
  return energy;
}

/// A with A v = (linear momentum; angular momentum about the centre of mass), 6 x nv, column-major [OGL13].
template <class S>
VERNE_INLINE void centroidal_momentum_matrix(const Tree& tree, const WorldPose<S>* poses, WorldInertia<S>* kept, S* A) {
  Vec3<S> mp = Vec3<S>::zero();
  for_each_composite<S>(tree, poses, kept, [&](int i, const WorldInertia<S>& composite) VERNE_INLINE_LAMBDA {
    const TreeBody& b = tree.bodies[i];
    if (b.parent < 0) mp += composite.mc + poses[i].p * b.subtree_mass;
    for (int k = 0; k < b.nv; ++k) {
      const Spatial<S> h = momentum_of_freedom(b.kind, b, composite, poses[i].R, k);
      h.linear.store(A + 6 * (b.v + k));
      h.angular.store(A + 6 * (b.v + k) + 3);
    }
  });
  double mass = 0;
  for (int i = 0; i < tree.body_count; ++i) mass += tree.bodies[i].mass;
  const Vec3<S> com = mp * (mass > 0 ? 1 / mass : 0);
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    for (S* column = A + 6 * b.v; column < A + 6 * (b.v + b.nv); column += 6) {
      (Vec3<S>::load(column + 3) + cross(poses[i].p - com, Vec3<S>::load(column))).store(column + 3);
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
