/// One branch of a tree at a state: where its first joint stands may differ from lane to lane.
#pragma once

#include "dynamics/kernels/control_terms.h"
#include "dynamics/kernels/inputs.h"

namespace verne {
inline namespace VERNE_ISA {

/// A branch of the tree at a state. Freedoms are about the origin of its root.
template <class S>
struct Branch {
  const WorldPose<S>* poses;
  const WorldMotion<S>* motions;
  const Spatial<S>* freedoms;
};

/// Of a branch whose first joint's frame has the pose (R, p).
template <class S, class A>
VERNE_INLINE Branch<S> branch_at(const Tree& tree, const Mat3<A>& R, const Vec3<A>& p, const Inputs<S>& in,
                                 bool with_motion, Scratch<S>& scratch) {
  int first_angle = tree.nq, end_angle = 0;  // a platform may have none
  for (int i = 0; i < tree.body_count; ++i) {
    if (shape_of(tree.bodies[i].kind).turns != 1) continue;
    first_angle = first_angle < tree.bodies[i].q ? first_angle : tree.bodies[i].q;
    end_angle = tree.bodies[i].q + 1;
  }
  const Trig<S> trig = trigonometry(end_angle, in.q, scratch, first_angle);
  auto* const poses = scratch.template take<WorldPose<S>>(tree.body_count);
  auto* const freedoms = scratch.template take<Spatial<S>>(tree.nv);
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    WorldPose<S>& x = poses[i];
    by_kind(b.kind, [&](auto kind) VERNE_INLINE_LAMBDA {
      if (b.parent < 0) {
        move(kind, b, R, p, in.q, trig, x.R, x.r);
        x.p = x.r;
      } else {
        step_pose(kind, b, poses[b.parent].R, in.q, trig, x.R, x.r);
        x.p = poses[b.parent].p + x.r;
      }
      for (int k = 0; k < shape_of(kind).nv; ++k) {
        freedoms[b.v + k] = freedom_at(x.p - poses[0].p, kind, b, x.R, k);
      }
    });
  }
  if (!with_motion) return {poses, nullptr, freedoms};
  auto* const motions = scratch.template take<WorldMotion<S>>(tree.body_count);
  world_motion(tree, poses, in.v, in.a, -1, motions);
  return {poses, motions, freedoms};
}

/// What its motion takes.
template <class S>
VERNE_INLINE S* torques_of(const Tree& tree, const Inputs<S>& in, const Branch<S>& branch, Scratch<S>& scratch) {
  S* const torques = scratch.take(tree.nv);
  const bool passive = passive_torques(tree, in, torques);
  torques_of_motion(tree, branch.poses, branch.motions, passive, scratch.template take<Spatial<S>>(tree.body_count),
                    torques);
  return torques;
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
