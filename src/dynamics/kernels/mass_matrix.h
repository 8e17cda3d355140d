/// Mass matrix by composite rigid bodies [WO82], in the axes of the root body and about its origin O ([F08] sec. 6.2 in
/// body axes): the matrix does not depend on where the root is.
///
///   C_j      inertia of the whole subtree of body j about its origin
///   (f, n)   C_j S_j: momentum of the subtree when joint j alone moves with unit velocity, then about O
///   M_ij     S_i · (f, n), for every i that supports j, with S_i about O
#pragma once

#include "dynamics/kernels/inverse_dynamics.h"
#include "dynamics/kernels/world.h"

namespace verne {
inline namespace VERNE_ISA {

/// Coordinates that the placements below do not depend on: those of the first root.
VERNE_INLINE int coordinates_of_root(const Tree& tree) {
  return tree.body_count > 1 ? tree.bodies[1].q : tree.nq;
}

/// Poses of all bodies in the frames of their roots, and the freedoms about O of all that are not roots.
template <class S>
VERNE_INLINE void placements(const Tree& tree, const S* q, const Trig<S>& trig, WorldPose<S>* VERNE_RESTRICT poses,
                             Spatial<S>* VERNE_RESTRICT freedoms) {
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    if (b.parent < 0) {
      poses[i] = {Mat3<S>::identity(), Vec3<S>::zero(), Vec3<S>::zero()};
      continue;
    }
    const WorldPose<S>& parent = poses[b.parent];
    WorldPose<S>& x = poses[i];
    by_kind(b.kind, [&](auto kind) VERNE_INLINE_LAMBDA {
      step_pose(kind, b, parent.R, q, trig, x.R, x.r);
      x.p = parent.p + x.r;
      for (int k = 0; k < shape_of(kind).nv; ++k) {
        freedoms[b.v + k] = freedom_at(x.p, kind, b, x.R, k);
      }
    });
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
VERNE_INLINE Spatial<S> momentum_of(double mass, const WorldInertia<S>& in, const Spatial<S>& s) {
  return {s.linear * mass + cross(s.angular, in.mc), in.I * s.angular + cross(in.mc, s.linear)};
}

/// The same for freedom k of a joint, leaving out what its kind makes zero.
template <class K, class S>
VERNE_INLINE Spatial<S> momentum_of_freedom(K kind, const TreeBody& b, const WorldInertia<S>& in, const Mat3<S>& R,
                                            int k) {
  const JointShape shape = shape_of(kind);
  if (shape.is_screw()) return momentum_of(b.subtree_mass, in, freedom(kind, b, R, k));
  const Vec3<S> z = R.column(shape.nv == 1 ? 2 : k % 3);
  const bool turns = k >= shape.slides;
  return turns ? Spatial<S>{cross(z, in.mc), in.I * z} : Spatial<S>{z * b.subtree_mass, cross(in.mc, z)};
}

template <class S>
VERNE_INLINE void clear_rows(int first, int end, S* column) {
  for (int i = first; i < end; ++i) column[i] = S(0);
}

/// Column j of M from the momentum h about O, which is h_root in the axes of the root: rows of the freedoms that
/// support j, then copies of columns that are there already; zeros elsewhere. `end` is the first velocity after those
/// that j supports.
template <class S>
VERNE_INLINE void mass_matrix_column(const Tree& tree, const TreeBody& root, int j, int end, const Spatial<S>& h,
                                     const Spatial<S>& h_root, const Spatial<S>* freedoms, S* M, long ld) {
  S* const column = M + j * ld;
  const int root_end = root.v + root.nv;
  int written = j + 1;
  for (int i = j; i >= root_end; i = tree.v_parent[i]) {
    clear_rows(i + 1, written, column);
    column[i] = dot(freedoms[i].linear, h.linear) + dot(freedoms[i].angular, h.angular);
    written = i;
  }
  clear_rows(root_end, written, column);
  project(root, BodyForce<S>{h_root.linear, h_root.angular}, false, column);
  clear_rows(0, root.v, column);
  column[j] = column[j] + tree.rotor_inertia[j];
  for (int i = j + 1; i < end; ++i) column[i] = M[i * ld + j];
  clear_rows(end, tree.nv, column);
}

/// Column-major M with rotor inertias, every entry once and columns from last to first. Poses are those of
/// placements(), or kInWorld those in the world; freedoms are in the same axes, about the origins of their roots.
template <bool kInWorld, class S>
VERNE_INLINE void mass_matrix_entries(const Tree& tree, const WorldPose<S>* poses, const Spatial<S>* freedoms,
                                      WorldInertia<S>* kept, S* M, long ld) {
  int root = tree.body_count;
  for_each_composite<S>(tree, poses, kept, [&](int i, const WorldInertia<S>& composite) VERNE_INLINE_LAMBDA {
    const TreeBody& b = tree.bodies[i];
    while (root > i || tree.bodies[root].parent >= 0) --root;
    const int end = end_of_freedoms(tree, i);
    const auto fill = [&](auto kind, int k) VERNE_INLINE_LAMBDA {
      Spatial<S> h = momentum_of_freedom(kind, b, composite, poses[i].R, k);
      h.angular += cross(kInWorld ? poses[i].p - poses[root].p : poses[i].p, h.linear);
      const Mat3<S>& R = poses[root].R;
      const Spatial<S> h_root = kInWorld ? Spatial<S>{transpose_times(R, h.linear), transpose_times(R, h.angular)} : h;
      mass_matrix_column(tree, tree.bodies[root], b.v + k, end, h, h_root, freedoms, M, ld);
    };
    if (b.kind == JointKind::revolute) {
      fill(Kind<JointKind::revolute>{}, 0);
    } else {
      for (int k = b.nv - 1; k >= 0; --k) fill(b.kind, k);
    }
  });
}

}  // namespace VERNE_ISA
}  // namespace verne
