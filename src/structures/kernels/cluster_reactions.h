/// Torques that hold a motion of mechanisms with local loops, and what their loops bear, at a cost in proportion to
/// their bodies (docs/theory/loops.md, section 10).
#pragma once

#include "structures/kernels/cluster_rows.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
class ClusterReactions : public ClusterRows<S> {
  using Rows = ClusterRows<S>;
  using Rows::clusters, Rows::column, Rows::freedoms, Rows::J, Rows::plan, Rows::poses, Rows::right, Rows::room,
      Rows::tree;
  using Rows::other_end, Rows::prepare_rows, Rows::terms;
  using Frames = ClosingFrames<S>;
  using In = Inputs<S>;

 public:
  using Rows::Rows;

  /// Forces along the independent coordinates, and of the motors if these are the same, that hold `torques`.
  S balance(const In& given, const S* torques, S* forces, Scratch<S> scratch) {
    prepare_rows(given, scratch);
    const S quality = Closing<S>::eliminate(plan, J);
    for (int k = 0; k < plan.rank; ++k) right[k] = torques[plan.steps[k].velocity];
    Closing<S>::solve_transposed(plan, J, right);
    for (int f = 0; f < plan.free_count; ++f) forces[f] = torques[plan.independent[f]];
    for (int k = 0; k < plan.side_count; ++k) {
      const ClosingEntry& entry = plan.side[k];
      forces[entry.index] = forces[entry.index] - J[entry.value] * right[entry.position];
    }
    return quality;
  }

  /// As put_reactions(); where equations repeat others the wrenches are those of least norm (8).
  S reactions(const In& given, const S* torques, const S* tau, S* wrenches, S* loads, Scratch<S> scratch) {
    prepare_rows(given, scratch);
    S quality = Closing<S>::eliminate(plan, J);
    S* const left = room.take(plan.nv);
    for (int k = 0; k < plan.nv; ++k) left[k] = torques[k];
    for (int k = 0; k < plan.actuated_count; ++k) left[plan.actuated[k]] = left[plan.actuated[k]] - tau[k];
    for (int k = 0; k < plan.rank; ++k) right[k] = left[plan.steps[k].velocity], column[k] = S(0);
    Closing<S>::solve_transposed(plan, J, right);
    for (int l = 0; l < plan.loop_count; ++l) put_wrench(l, right, nullptr, wrenches + 6 * l);
    if (clusters.most_spares > 0) {
      for (int c = 0; c < clusters.count; ++c) {
        const LoopCluster& cluster = clusters.clusters[c];
        if (cluster.spare_count == 0) continue;
        Scratch<S> own = room;
        quality = PositiveSolution<S>::smaller(quality, share(cluster, wrenches, own));
      }
    }
    for (int l = 0; l < plan.loop_count; ++l) loads = put_loop_loads(l, wrenches + 6 * l, loads);
    return quality;
  }

 private:
  /// (4) of a loop from multipliers by position and, unless null, those of its cluster's spare equations; axes of a.
  void put_wrench(int l, const S* lambda, const LoopCluster* with_spare, S* out, int spare = 0) const {
    const ClosingLoop& loop = plan.loops[l];
    const ClosingFrame<S> a = Frames::frame(terms, loop.a), b = other_end(loop, a);
    Vec3<S> parts[4], pulls[4];
    Frames::put_parts(a, b, true, parts);
    for (Vec3<S>& pull : pulls) pull = Vec3<S>::zero();
    const auto add = [&](const auto& row, const S& multiplier) {
      for (int k = 0; k < 2; ++k) {
        S& pull = pulls[row.part[k]][row.axis[k]];
        pull = pull + multiplier * row.coefficient[k];
      }
    };
    for (int i = loop.first_row; i < loop.first_row + loop.row_count; ++i) {
      add(plan.rows[i], lambda[plan.rows[i].position]);
    }
    if (with_spare && clusters.spares[with_spare->first_spare + spare].loop == l) {
      add(clusters.spares[with_spare->first_spare + spare], S(1.0));
    }
    Vec3<S> moment = Vec3<S>::zero();
    for (int k = 0; k < 4; ++k) moment += cross(pulls[k], parts[k]);
    pulls[0].store(out);
    moment.store(out + 3);
  }

  /// Takes off the wrenches of a cluster's loops what they only do to each other (8). Returns the quality.
  S share(const LoopCluster& cluster, S* wrenches, Scratch<S>& own) {
    const int spares = cluster.spare_count, size = 6 * cluster.loop_count;
    S* const stress = own.take(spares * size);
    S* const square = own.take(spares * spares);
    S* const least = own.take(spares);
    for (int s = 0; s < spares; ++s) {
      put_self_stress(cluster, s);
      for (int n = 0; n < cluster.loop_count; ++n) {
        put_wrench(clusters.loops[cluster.first_loop + n], column, &cluster, stress + s * size + 6 * n, s);
      }
    }
    const auto weight = [&](int i) { return i % 6 < 3 ? 1.0 : clusters.moment_weight; };
    for (int s = 0; s < spares; ++s) {
      const S* const x = stress + s * size;
      S sum(0);
      for (int i = 0; i < size; ++i) {
        sum = sum + x[i] * wrenches[6 * clusters.loops[cluster.first_loop + i / 6] + i % 6] * weight(i);
      }
      least[s] = sum;
      for (int t = 0; t <= s; ++t) {
        S product(0);
        for (int i = 0; i < size; ++i) product = product + x[i] * stress[t * size + i] * weight(i);
        square[s * spares + t] = product;
      }
    }
    const S quality = PositiveSolution<S>::solve_positive(spares, square, least);
    for (int i = 0; i < size; ++i) {
      S& out = wrenches[6 * clusters.loops[cluster.first_loop + i / 6] + i % 6];
      for (int s = 0; s < spares; ++s) out = out - stress[s * size + i] * least[s];
    }
    for (int k = 0; k < cluster.step_count; ++k) column[clusters.steps[cluster.first_step + k]] = S(0);
    return quality;
  }
  /// What the independent equations bear when one of the others has a multiplier of one, into `column`.
  void put_self_stress(const LoopCluster& cluster, int spare) {
    const SpareRow& row = clusters.spares[cluster.first_spare + spare];
    const ClosingLoop& loop = plan.loops[row.loop];
    const ClosingFrame<S> a = Frames::frame(terms, loop.a), b = other_end(loop, a);
    Vec3<S> parts[4];
    Frames::put_parts(a, b, true, parts);
    const ClosingRow as_row{
        {row.part[0], row.part[1]}, {row.axis[0], row.axis[1]}, {row.coefficient[0], row.coefficient[1]}, 0, 0};
    const auto [unit, at] = Frames::unit_at(as_row, a, b, true, parts);
    const Vec3<S> O = poses[clusters.bodies[cluster.first_body]].p;
    const Spatial<S> wrench{unit.force, unit.moment + cross(at - O, unit.force)};
    for (int k = 0; k < cluster.step_count; ++k) column[clusters.steps[cluster.first_step + k]] = S(0);
    for (int k = 0; k < loop.reach_count; ++k) {
      const ClosingReach& reach = plan.reaches[loop.first_reach + k];
      const int step = clusters.step_of[reach.velocity];
      if (reach.sides == 3 || step < 0) continue;
      const S entry = pairing(wrench, freedoms[reach.velocity]);
      column[step] = reach.sides == 1 ? -entry : entry;
    }
    const auto number = [&](int s) VERNE_INLINE_LAMBDA { return clusters.steps[cluster.first_step + s]; };
    Closing<S>::solve_transposed(plan, J, column, cluster.step_count, number);
  }

  S* put_loop_loads(int l, const S* wrench, S* loads) const {
    const ClosingLoop& loop = plan.loops[l];
    const ClosingFrame<S> a = Frames::frame(terms, loop.a), b = other_end(loop, a);
    return Frames::put_loads(loop, a, b, Vec3<S>::load(wrench), Vec3<S>::load(wrench + 3), loads);
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
