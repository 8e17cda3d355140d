/// Torques that hold the model at rest, from the first moments of subtrees ((5)-(8) of docs/theory/dynamics.md with U =
/// 0, a = −g).
///
///   g    gravity in body axes
///   mc   first moment of all that a joint carries, about its body's origin and in body axes
#pragma once

#include "dynamics/kernels/inverse_dynamics.h"

namespace verne {
inline namespace VERNE_ISA {

/// Of a body: its pose in its parent, as in NewtonEulerState, and the above. mc is first the sum over its children.
template <class S>
struct GravityState {
  Vec3<S> x, y, z, p;
  Vec3<S> g, mc;
};

template <class S>
VERNE_INLINE void gravity_torques(const Tree& tree, const S* q, const Trig<S>& trig, GravityState<S>* VERNE_RESTRICT s,
                                  S* tau) {
  const Vec3<S> base = Vec3<S>::zero() + vec3(tree.gravity);
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    by_kind(b.kind, [&](auto kind) {
      Mat3<S> R;
      Vec3<S> p;
      move(kind, b, mat3(b.R), vec3(b.p), q, trig, R, p);
      s[i] = {R.column(0),    R.column(1), R.column(2), p, transpose_times(R, b.parent < 0 ? base : s[b.parent].g),
              Vec3<S>::zero()};
    });
  }
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const TreeBody& b = tree.bodies[i];
    const Vec3<S> mc = s[i].mc + vec3(b.mc);
    project(b, BodyForce<S>{s[i].g * -b.subtree_mass, cross(s[i].g, mc)}, false, tau);
    if (b.parent < 0) continue;
    s[b.parent].mc += s[i].x * mc.x + s[i].y * mc.y + s[i].z * mc.z + s[i].p * b.subtree_mass;
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
