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

/// R times a constant rotation, most of whose columns are axes where joints are at right angles: known before.
template <class S>
VERNE_INLINE Mat3<S> turned_by(const Mat3<S>& R, const double* C) {
  Vec3<S> columns[3];
  for (int j = 0; j < 3; ++j) {
    const double x = C[j], y = C[3 + j], z = C[6 + j];
    if (y == 0 && z == 0) {
      columns[j] = R.column(0) * x;
    } else if (z == 0 && x == 0) {
      columns[j] = R.column(1) * y;
    } else if (x == 0 && y == 0) {
      columns[j] = R.column(2) * z;
    } else {
      columns[j] = R * Vec3<double>{x, y, z};
    }
  }
  return Mat3<S>::columns(columns[0], columns[1], columns[2]);
}

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
  auto* const motions = with_motion ? scratch.template take<WorldMotion<S>>(tree.body_count) : nullptr;
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    WorldPose<S>& x = poses[i];
    by_kind(b.kind, [&](auto kind) VERNE_INLINE_LAMBDA {
      if (b.parent < 0) {
        move(kind, b, R, p, in.q, trig, x.R, x.r);
        x.p = x.r;
        if (with_motion) motions[i] = root_motion(kind, b, x.R, in.v, in.a);
      } else {
        const WorldPose<S>& parent = poses[b.parent];
        const bool apart = b.p[0] != 0 || b.p[1] != 0 || b.p[2] != 0;
        move(kind, b, turned_by(parent.R, b.R), apart ? parent.R * vec3(b.p) : Vec3<S>::zero(), in.q, trig, x.R, x.r);
        x.p = parent.p + x.r;
        if (with_motion) motions[i] = step_motion(kind, b, motions[b.parent], x.R, x.r, in.v, in.a);
      }
      for (int k = 0; k < shape_of(kind).nv; ++k) {
        freedoms[b.v + k] = freedom_at(x.p - poses[0].p, kind, b, x.R, k);
      }
    });
  }
  return {poses, motions, freedoms};
}

/// What its motion takes (5)-(8), with all forces about the origin of its root, as the freedoms are.
template <class S>
VERNE_INLINE S* torques_of(const Tree& tree, const Inputs<S>& in, const Branch<S>& branch, Scratch<S>& scratch) {
  S* const torques = scratch.take(tree.nv);
  const bool passive = passive_torques(tree, in, torques);
  auto* const forces = scratch.template take<Spatial<S>>(tree.body_count);
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const TreeBody& b = tree.bodies[i];
    const WorldMotion<S>& k = branch.motions[i];
    Spatial<S> force{Vec3<S>::zero(), Vec3<S>::zero()};
    if (!b.massless) {
      force = inertial_force(b, branch.poses[i].R, k.w, Spatial<S>{k.a - vec3(tree.gravity), k.dw});
      if (b.parent >= 0) force = shifted(force, branch.poses[i].p - branch.poses[0].p);
    }
    for (int child = i + 1; child < b.subtree_end; child = tree.bodies[child].subtree_end) {
      force.linear += forces[child].linear, force.angular += forces[child].angular;
    }
    forces[i] = force;
    for (int f = b.v; f < b.v + b.nv; ++f) {
      const Spatial<S>& freedom = branch.freedoms[f];
      const S torque = dot(force.linear, freedom.linear) + dot(force.angular, freedom.angular);
      torques[f] = passive ? torques[f] + torque : torque;
    }
  }
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
