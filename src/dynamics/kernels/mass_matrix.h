/// Mass matrix by composite rigid bodies [WO82], in world axes about the body origins ([F08] sec. 6.2 in body axes).
///
///   C_j      inertia of the whole subtree of body j about its origin
///   (f, n)   C_j S_j: momentum of the subtree when joint j alone moves with unit velocity
///   M_ij     S_i · (f, n shifted to the origin of i), for every i that supports j
#pragma once

#include "dynamics/kernels/world.h"

namespace verne {
inline namespace VERNE_ISA {

/// Orientation of a body and vector r from its parent's origin, in the axes of the world or of the first body.
template <class S>
struct Placement {
  Mat3<S> R;
  Vec3<S> r;
};

/// With a single root the mass matrix does not depend on where that body is: its own frame then serves as the world.
VERNE_INLINE bool has_single_root(const Tree& tree) {
  return tree.body_count > 0 && tree.bodies[0].subtree_end == tree.body_count;
}

/// Coordinates that the placements below do not depend on.
VERNE_INLINE int coordinates_of_root(const Tree& tree) {
  return has_single_root(tree) ? (tree.body_count > 1 ? tree.bodies[1].q : tree.nq) : 0;
}

template <class S>
VERNE_INLINE void placements(const Tree& tree, const S* q, const Trig<S>& trig, Placement<S>* VERNE_RESTRICT out) {
  int first = 0;
  if (has_single_root(tree)) out[first++] = {Mat3<S>::identity(), Vec3<S>::zero()};
  for (int i = first; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    if (b.parent < 0) {
      move(b.motion, b, mat3(b.R), vec3(b.p), q, trig, out[i].R, out[i].r);
    } else {
      by_kind(b.motion, [&](auto kind) { step_pose(kind, b, out[b.parent].R, q, trig, out[i].R, out[i].r); });
    }
  }
}

/// Calls visit(i, C_i) for every body, children first; C_i has mass bodies[i].subtree_mass. `kept` has room for one
/// inertia a body. A chain's inertia stays in registers on its way to the root.
template <class S, class Pose, class Visit>
VERNE_INLINE void for_each_composite(const Tree& tree, const Pose* poses, WorldInertia<S>* VERNE_RESTRICT kept,
                                     Visit&& visit) {
  for (int i = tree.body_count - 1; i >= 0; --i) {
    if (tree.bodies[i].branches) kept[i] = WorldInertia<S>::zero();
  }
  WorldInertia<S> composite = WorldInertia<S>::zero();
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const TreeBody& b = tree.bodies[i];
    if (!b.massless) add_body(b, poses[i].R, composite);
    if (b.branches) composite += kept[i];
    visit(i, composite);
    if (b.parent == i - 1) {
      composite = shifted(composite, b.subtree_mass, poses[i].r);
    } else {
      if (b.parent >= 0) kept[b.parent] += shifted(composite, b.subtree_mass, poses[i].r);
      composite = WorldInertia<S>::zero();
    }
  }
}

/// Momentum (linear, angular about the origin) of a body or composite that moves with velocity s.
template <class S>
VERNE_INLINE Freedom<S> momentum_of(double mass, const WorldInertia<S>& in, const Freedom<S>& s) {
  return {s.linear * mass + cross(s.angular, in.mc), in.I * s.angular + cross(in.mc, s.linear)};
}

/// The same for freedom k of a joint, leaving out what its kind makes zero.
template <class K, class S>
VERNE_INLINE Freedom<S> momentum_of_freedom(K kind, const TreeBody& b, const WorldInertia<S>& in, const Mat3<S>& R,
                                            int k) {
  const Motion motion = kind;
  if (motion == Motion::helical) return momentum_of(b.subtree_mass, in, freedom(kind, b, R, k));
  const Vec3<S> z = R.column(motion == Motion::revolute || motion == Motion::prismatic ? 2 : k % 3);
  const bool turns = motion == Motion::revolute || motion == Motion::spherical || (motion == Motion::free && k > 2);
  return turns ? Freedom<S>{cross(z, in.mc), in.I * z} : Freedom<S>{z * b.subtree_mass, cross(in.mc, z)};
}

/// M(i, column) for the freedoms of body b, given the momentum (f, n) about its origin; `row` points at M(b.v, column).
template <class S>
VERNE_INLINE void project_momentum(const TreeBody& b, const Mat3<S>& R, const Freedom<S>& h, S* row) {
  switch (b.motion) {
    case Motion::revolute:
      row[0] = dot(R.column(2), h.angular);
      break;
    case Motion::prismatic:
      row[0] = dot(R.column(2), h.linear);
      break;
    case Motion::helical:
      row[0] = dot(R.column(2), h.angular) + dot(R.column(2), h.linear) * b.pitch;
      break;
    case Motion::spherical:
      transpose_times(R, h.angular).store(row);
      break;
    case Motion::free:
      transpose_times(R, h.linear).store(row);
      transpose_times(R, h.angular).store(row + 3);
      break;
  }
}

/// Column-major M with rotor inertias: all entries of freedoms of which one supports the other; the rest is left
/// untouched.
template <class S>
VERNE_INLINE void mass_matrix_entries(const Tree& tree, const Placement<S>* poses, WorldInertia<S>* kept, S* M,
                                      long ld) {
  const auto fill = [&](auto kind, int j, int k, const WorldInertia<S>& composite) {
    const TreeBody& b = tree.bodies[j];
    S* const column = M + (b.v + k) * ld;
    S* const row = M + b.v + k;
    Freedom<S> h = momentum_of_freedom(kind, b, composite, poses[j].R, k);
    project_momentum(b, poses[j].R, h, column + b.v);
    column[b.v + k] = column[b.v + k] + tree.rotor_inertia[b.v + k];
    for (int i = j; tree.bodies[i].parent >= 0;) {
      h.angular += cross(poses[i].r, h.linear);
      i = tree.bodies[i].parent;
      const TreeBody& above = tree.bodies[i];
      if (above.motion == Motion::revolute) {
        const S entry = dot(poses[i].R.column(2), h.angular);
        column[above.v] = entry;
        row[above.v * ld] = entry;
      } else {
        project_momentum(above, poses[i].R, h, column + above.v);
        for (int m = above.v; m < above.v + above.nv; ++m) row[m * ld] = column[m];
      }
    }
  };
  for_each_composite<S>(tree, poses, kept, [&](int j, const WorldInertia<S>& composite) {
    const TreeBody& b = tree.bodies[j];
    if (b.motion == Motion::revolute) {
      fill(Kind<Motion::revolute>{}, j, 0, composite);
    } else {
      for (int k = 0; k < b.nv; ++k) fill(b.motion, j, k, composite);
    }
  });
}

}  // namespace VERNE_ISA
}  // namespace verne
