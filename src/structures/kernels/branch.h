/// One branch of a tree at a state: where its first joint stands may differ from lane to lane.
#pragma once

#include "dynamics/kernels/control_terms.h"
#include "structures/kernels/branch_torques.h"

namespace verne {
inline namespace VERNE_ISA {

/// A branch of the tree at a state. Freedoms are about the origin of its root.
template <class S>
struct Branch {
  Trig<S> trig;
  const WorldPose<S>* poses;
  const WorldMotion<S>* motions;  ///< or null
  const Spatial<S>* freedoms;     ///< or null
};

/// step_motion() of a body on the world: what a parent at rest adds is left out.
template <class K, class S>
VERNE_INLINE WorldMotion<S> root_motion(K /*kind*/, const TreeBody& b, const Mat3<S>& R, const S* v, const S* a) {
  const S *const vj = v + b.v, *const aj = a + b.v;
  WorldMotion<S> k = WorldMotion<S>::rest();
  constexpr JointKind of_kind = K{};
  if constexpr (of_kind == JointKind::revolute || of_kind == JointKind::helical) {
    k.w = R.column(2) * vj[0], k.dw = R.column(2) * aj[0];
  }
  if constexpr (of_kind == JointKind::prismatic) k.v = R.column(2) * vj[0], k.a = R.column(2) * aj[0];
  if constexpr (of_kind == JointKind::helical) {
    k.v = R.column(2) * (vj[0] * b.pitch), k.a = R.column(2) * (aj[0] * b.pitch);
  }
  if constexpr (of_kind == JointKind::spherical) k.w = R * Vec3<S>::load(vj), k.dw = R * Vec3<S>::load(aj);
  if constexpr (of_kind == JointKind::free) {
    k.v = R * Vec3<S>::load(vj), k.w = R * Vec3<S>::load(vj + 3);
    k.a = cross(k.w, k.v) + R * Vec3<S>::load(aj), k.dw = R * Vec3<S>::load(aj + 3);
  }
  return k;
}

/// Sines and cosines of a branch, which may have no angles.
template <class S>
VERNE_INLINE Trig<S> branch_trigonometry(const Tree& tree, const S* q, Scratch<S>& scratch) {
  int first = tree.nq, end = 0;
  for (int i = 0; i < tree.body_count; ++i) {
    if (shape_of(tree.bodies[i].kind).turns != 1) continue;
    first = first < tree.bodies[i].q ? first : tree.bodies[i].q;
    end = tree.bodies[i].q + 1;
  }
  return trigonometry(end, q, scratch, first);
}

/// What is wanted of a branch beside its poses.
struct BranchParts {
  bool freedoms, motions;
};
/// Of a branch whose first joint's frame has the pose (R, p).
template <class S, class A>
VERNE_INLINE Branch<S> branch_at(const Tree& tree, const Mat3<A>& R, const Vec3<A>& p, const Inputs<S>& in,
                                 BranchParts with, Scratch<S>& scratch) {
  const Trig<S> trig = branch_trigonometry(tree, in.q, scratch);
  auto* const poses = scratch.template take<WorldPose<S>>(tree.body_count);
  auto* const freedoms = with.freedoms ? scratch.template take<Spatial<S>>(tree.nv) : nullptr;
  auto* const motions = with.motions ? scratch.template take<WorldMotion<S>>(tree.body_count) : nullptr;
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    WorldPose<S>& x = poses[i];
    by_kind(b.kind, [&](auto kind) VERNE_INLINE_LAMBDA {
      if (b.parent < 0) {
        move(kind, b, R, p, in.q, trig, x.R, x.r);
        x.p = x.r;
        if (with.motions) motions[i] = root_motion(kind, b, x.R, in.v, in.a);
      } else {
        const WorldPose<S>& parent = poses[b.parent];
        move(kind, b, turned_by_frame(parent.R, b), is_apart(b) ? parent.R * vec3(b.p) : Vec3<S>::zero(), in.q, trig,
             x.R, x.r);
        x.p = parent.p + x.r;
        if (with.motions) motions[i] = step_motion(kind, b, motions[b.parent], x.R, x.r, in.v, in.a);
      }
      for (int k = 0; k < shape_of(kind).nv && with.freedoms; ++k) {
        freedoms[b.v + k] = freedom_at(x.p - poses[0].p, kind, b, x.R, k);
      }
    });
  }
  return {trig, poses, motions, freedoms};
}

template <class S>
VERNE_INLINE S* mass_of(const Tree& tree, const Branch<S>& branch, Scratch<S>& scratch) {
  S* const M = scratch.take(tree.nv * tree.nv);
  mass_matrix_entries<true>(tree, branch.poses, branch.freedoms,
                            scratch.template take<WorldInertia<S>>(tree.body_count), M, tree.nv);
  return M;
}

}  // namespace VERNE_ISA
}  // namespace verne
