/// Loops cluster by cluster (docs/theory/loops.md, section 10): a cluster is what loops tie together, and all of it is
/// in world axes about one point O, where its first body stands.
///
///   s, V, A   a freedom; velocity of a body, and the acceleration that it has when the cluster's parent has none
///   J, γ      rows of the independent equations, of which each cluster has its own
#pragma once

#include "dynamics/kernels/algorithms.h"
#include "dynamics/kernels/moving_body.h"
#include "structures/kernels/closing.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
class ClusterRows {
 public:
  using Frames = ClosingFrames<S>;
  using In = Inputs<S>;

  ClusterRows(const Tree& of, const ClosingPlan& with, S* memory)
      : tree(of),
        plan(with),
        clusters(*with.clusters),
        room(memory, cluster_memory(*with.clusters, with.value_count, with.rank, with.free_count)) {
    poses = room.template take<WorldPose<S>>(tree.body_count);
    freedoms = room.template take<Spatial<S>>(tree.nv);
    site_poses = room.take(12 * clusters.site_count);
    J = room.take(plan.value_count);
    right = room.take(plan.rank);
    column = room.take(plan.rank);
    terms = {nullptr, nullptr, reinterpret_cast<const double*>(site_poses), nullptr, nullptr};
  }

 protected:
  VERNE_INLINE Vec3<S> origin_of(int c) const { return poses[clusters.bodies[clusters.clusters[c].first_body]].p; }

  /// Poses, of links with loops, too, and freedoms.
  void place(const In& in, Scratch<S> scratch) {
    world_poses(tree, in.q, trigonometry(tree, in.q, scratch), -1, poses);
    for (int c = 0; c < clusters.count; ++c) {
      const LoopCluster& cluster = clusters.clusters[c];
      const Vec3<S> O = origin_of(c);
      for (int n = cluster.first_body; n < cluster.first_body + cluster.body_count; ++n) {
        const int i = clusters.bodies[n];
        const TreeBody& b = tree.bodies[i];
        for (int k = 0; k < b.nv; ++k) freedoms[b.v + k] = freedom_at(poses[i].p - O, b.kind, b, poses[i].R, k);
      }
    }
    for (int k = 0; k < clusters.site_count; ++k) {
      put_drift<S>(tree, clusters.sites[k], poses, nullptr, site_poses + 12 * k, nullptr);
    }
  }
  void prepare_rows(const In& given, Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    place(in, scratch);
    put_rows(false);
  }

  /// The frame b of a loop, a being known: that of a contact is wherever a is.
  VERNE_INLINE ClosingFrame<S> other_end(const ClosingLoop& loop, const ClosingFrame<S>& a, bool axes = true) const {
    return loop.held ? a : Frames::frame(terms, loop.b, axes);
  }

  VERNE_INLINE static Spatial<S> still() { return {Vec3<S>::zero(), Vec3<S>::zero()}; }
  /// About a point that is r further.
  VERNE_INLINE static Spatial<S> moved(const Spatial<S>& x, const Vec3<S>& r) {
    return {x.linear + cross(x.angular, r), x.angular};
  }
  /// Velocity of a cluster's parent about its O.
  VERNE_INLINE Spatial<S> parent_velocity(int c) const {
    const int parent = clusters.clusters[c].parent;
    if (parent < 0) return still();
    return moved(rates[parent].V, origin_of(c) - origin_of(clusters.cluster_of[parent]));
  }

  /// V, and A from velocities alone.
  void put_rates() {
    for (int c = 0; c < clusters.count; ++c) {
      const LoopCluster& cluster = clusters.clusters[c];
      const BodyRates<S> base{parent_velocity(c), still()};
      for (int n = cluster.first_body; n < cluster.first_body + cluster.body_count; ++n) {
        const int i = clusters.bodies[n];
        const TreeBody& b = tree.bodies[i];
        const BodyRates<S> parent = b.parent == cluster.parent ? base : rates[b.parent];
        BodyRates<S> own = parent;
        for (int k = b.v; k < b.v + b.nv; ++k) {
          own.V = own.V + freedoms[k] * v[k];
          own.A = own.A + motion_cross(parent.V, freedoms[k]) * v[k];
        }
        rates[i] = own;
      }
    }
  }
  /// The frame of a loop as it moves when the cluster's parent has no acceleration.
  VERNE_INLINE ClosingMotion<S> motion_of(int c, const ClosingEnd& end, const Vec3<S>& r) const {
    const int body = end.slot < 0 ? -1 : tree.sites[clusters.sites[end.slot]].body;
    const bool moves = body >= 0 && clusters.cluster_of[body] == c;
    const Spatial<S> V = moves ? rates[body].V : parent_velocity(c), A = moves ? rates[body].A : still();
    const Vec3<S> speed = V.linear + cross(V.angular, r);
    return {speed, V.angular, A.linear + cross(A.angular, r) + cross(V.angular, speed), A.angular};
  }

  /// The independent rows of J, and γ into `right` if the bodies' rates are known.
  void put_rows(bool with_drift) {
    for (int k = 0; k < plan.value_count; ++k) J[k] = S(0);
    for (int c = 0; c < clusters.count; ++c) {
      const LoopCluster& cluster = clusters.clusters[c];
      const Vec3<S> O = origin_of(c);
      for (int n = cluster.first_loop; n < cluster.first_loop + cluster.loop_count; ++n) {
        const ClosingLoop& loop = plan.loops[clusters.loops[n]];
        const bool directions = loop.has_directions;
        const ClosingFrame<S> a = Frames::frame(terms, loop.a), b = other_end(loop, a, directions);
        Vec3<S> parts[4], drifts[4];
        if (directions || with_drift) Frames::put_parts(a, b, directions, parts);
        if (with_drift) {
          Frames::put_drifts(a, b, motion_of(c, loop.a, a.p - O), motion_of(c, loop.b, b.p - O), directions, parts,
                             drifts);
        }
        for (int i = loop.first_row; i < loop.first_row + loop.row_count; ++i) {
          const ClosingRow& row = plan.rows[i];
          const auto [unit, at] = Frames::unit_at(row, a, b, directions, parts);
          const Spatial<S> wrench{unit.force, unit.moment + cross(at - O, unit.force)};
          for (int k = 0; k < loop.reach_count; ++k) {
            const ClosingReach& reach = plan.reaches[loop.first_reach + k];
            if (reach.sides == 3) continue;
            const S entry = pairing(wrench, freedoms[reach.velocity]);
            J[plan.targets[row.first_target + k]] = reach.sides == 1 ? entry : -entry;
          }
          if (!with_drift) continue;
          right[row.position] = of_row(row, drifts);
        }
      }
    }
  }

  const Tree& tree;
  const ClosingPlan& plan;
  const ClusterPlan& clusters;
  Scratch<S> room;
  ClosingTerms terms;  ///< poses of links that loops hang on
  const S* v = nullptr;
  WorldPose<S>* poses;
  BodyRates<S>* rates = nullptr;
  Spatial<S>* freedoms;
  S *site_poses, *J, *right, *column;
};

}  // namespace VERNE_ISA
}  // namespace verne
