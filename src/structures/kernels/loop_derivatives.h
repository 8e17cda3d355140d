/// What derivatives of mechanisms with closed loops follow from (docs/theory/loops.md, section 5), from what
/// Closing::forward() leaves: J_rd = L U, G, M G and the factors of Gᵀ M G. What follows is in loop_results.h.
///
/// Rows are velocities of the tree or equations, columns the independent coordinates, side by side in registers:
///
///   v_q, a_q, a_v   changes of the dependent velocities and accelerations
///   E_q, E_v        what the balance of forces loses at fixed τ and λ
///
/// All loops' wrenches at a solution are loads that turn with the links that they act on, which is no response of
/// theirs; what each lacks, since it turns with a alone and moves with b, is added loop by loop.
#pragma once

#include "dynamics/kernels/algorithms.h"
#include "dynamics/kernels/column_block.h"
#include "dynamics/kernels/torque_derivatives.h"
#include "structures/kernels/closing.h"
#include "structures/kernels/closing_rows.h"
#include "structures/kernels/loop_sensitivity.h"

namespace verne {
inline namespace VERNE_ISA {

/// What LoopDerivatives finds, and with what: rows of `chunks` registers each.
template <class S>
struct LoopChanges {
  using V = typename ColumnBlock<S>::Value;

  const Tree& tree;
  const ClosingPlan& plan;
  const int* sites;
  Inputs<S> in;
  SensitivityWork<S> work;
  ClosingRows<S> rows;
  const S *G, *MG;
  const LoopMotion<S>* loops;
  int chunks;
  V *columns, *v_q, *a_q, *a_v, *E_q, *E_v;  // of velocities of the tree; columns are those of G
  V *extra_a, *extra_b;                      // six of each loop
  V* turned;                                 // three of each loop, where wrenches are wanted
};

template <class S>
class LoopDerivatives {
  using In = Inputs<S>;
  using Block = ColumnBlock<S>;
  using V = typename Block::Value;
  static constexpr int W = Block::kWidth;

 public:
  LoopDerivatives(const Tree& of, const ClosingPlan& with, const ClosingTerms& at, const int* on, S* of_forward,
                  S* memory, long size)
      : tree(of), plan(with), terms(at), sites(on), room(memory, size), chunks((with.free_count + W - 1) / W) {
    const long n = plan.nv, free = plan.free_count;
    J = of_forward;
    G = J + plan.value_count + 2L * plan.rank;
    MG = G + n * free;
    mass = MG + n * free;
  }

  /// `given` has the accelerations of a motion, `torques` are those of the tree and its loads; tau of the actuators,
  /// or null: those that give the motion, where the actuated velocities are the independent ones.
  LoopChanges<S> compute(const In& given, const S* torques, const S* tau, bool wrenches, Scratch<S>& scratch) {
    const In in = tree_inputs(tree, given, scratch);
    SensitivityWork<S> work = outward_sweep(tree, in, true, scratch);
    put_multipliers(torques, tau);
    loops = room.template take<LoopMotion<S>>(plan.loop_count);
    take_loads(in, work, scratch);
    for (int l = 0; l < plan.loop_count; ++l) put_loop(l, work);
    work.composites = scratch.template take<Composite<S>>(tree.body_count);
    sensitivity_backward(tree, work);
    const long n = tree.nv;
    S* const blocks = scratch.take(3 * tree.nv * tree.nv);
    const Blocks<S> by{blocks, blocks + n * n, blocks + 2 * n * n, n};
    torque_derivatives(tree, work, by);
    take_rows(wrenches);
    for (int l = 0; l < plan.loop_count; ++l) put_changes(l, work);
    close();
    put_balance(in, by);
    put_extra_loads(work);
    return {tree,    plan, sites, in,  work, rows(), G,       MG,      loops, chunks,
            columns, v_q,  a_q,   a_v, E_q,  E_v,    extra_a, extra_b, turned};
  }

  /// What is left of the memory.
  Scratch<S> left() const { return room; }

 private:
  /// λ that holds torques − B τ, by position: τ that give a motion do nothing along dependent velocities.
  void put_multipliers(const S* torques, const S* tau) {
    lambda = room.take(plan.rank);
    S* const left = room.take(plan.nv);
    for (int k = 0; k < plan.nv; ++k) left[k] = torques[k];
    for (int k = 0; k < plan.actuated_count && tau; ++k) left[plan.actuated[k]] = left[plan.actuated[k]] - tau[k];
    for (int k = 0; k < plan.rank; ++k) lambda[k] = left[plan.steps[k].velocity];
    Closing<S>::solve_transposed(plan, J, lambda);
  }

  /// Those given, and room for those of loops.
  void take_loads(const In& in, SensitivityWork<S>& work, Scratch<S>& scratch) const {
    work.loads = scratch.template take<Spatial<S>>(tree.body_count);
    work.responses = scratch.template take<LoadResponse<S>>(tree.body_count);
    work.load_rows = scratch.template take<Spatial<S>>(tree.nv);
    gather_loads(tree, in, work.poses, work.loads, work.responses);
  }

  VERNE_INLINE int body_of(const ClosingEnd& end) const { return end.slot < 0 ? -1 : tree.sites[sites[end.slot]].body; }
  VERNE_INLINE BodyRates<S> rates_of(const ClosingEnd& end, const SensitivityWork<S>& work) const {
    const int body = body_of(end);
    if (body >= 0) return work.rates[body];
    const Vec3<S> zero = Vec3<S>::zero();
    return {{zero, zero}, {{S(-tree.gravity[0]), S(-tree.gravity[1]), S(-tree.gravity[2])}, zero}};
  }

  void put_loop(int l, const SensitivityWork<S>& work) const {
    const ClosingLoop& loop = plan.loops[l];
    LoopMotion<S>& m = loops[l];
    const ClosingFrame<S> a = ClosingFrames<S>::frame(terms, loop.a), b = ClosingFrames<S>::frame(terms, loop.b);
    m.R = a.R, m.r = a.p - work.poses[0].p, m.directions = loop.has_directions;
    ClosingFrames<S>::put_parts(a, b, m.directions, m.parts);
    m.a = rates_of(loop.a, work), m.b = rates_of(loop.b, work);
    m.put_rates();
    for (Vec3<S>& pull : m.pulls) pull = Vec3<S>::zero();
    for (int i = 0; i < loop.row_count; ++i) {
      const ClosingRow& row = plan.rows[loop.first_row + i];
      for (int k = 0; k < 2; ++k) {
        S& pull = m.pulls[row.part[k]][row.axis[k]];
        pull = pull + lambda[row.position] * row.coefficient[k];
      }
    }
    m.put_wrench();
    const int of_a = body_of(loop.a), of_b = body_of(loop.b);
    if (of_a >= 0) work.loads[of_a] = work.loads[of_a] + m.wrench;
    if (of_b >= 0) work.loads[of_b] = work.loads[of_b] - m.wrench;
  }

  V* take_row_block(int rows) {
    V* const block = room.template take<V>(rows * chunks);
    for (int k = 0; k < rows * chunks; ++k) block[k] = V(0.0);
    return block;
  }
  void take_rows(bool with_wrenches) {
    const int n = plan.nv;
    const long free = plan.free_count;
    columns = take_row_block(n), v_q = take_row_block(n), a_q = take_row_block(n), a_v = take_row_block(n);
    E_q = take_row_block(n), E_v = take_row_block(n);
    right_v = take_row_block(plan.rank), right_q = take_row_block(plan.rank), right_a = take_row_block(plan.rank);
    extra_a = take_row_block(6 * plan.loop_count), extra_b = take_row_block(6 * plan.loop_count);
    if (with_wrenches) turned = take_row_block(3 * plan.loop_count);
    by_v = room.take(plan.rank * n);
    for (int k = 0; k < n; ++k) {
      for (int f = plan.spans[k].begin; f < plan.spans[k].end; ++f) {
        columns[k * chunks + f / W] = columns[k * chunks + f / W] + Block::place(G[free * k + f], f % W);
      }
    }
  }
  VERNE_INLINE ClosingRows<S> rows() const { return {plan, J, mass}; }
  /// row += x y, in all registers or in some
  VERNE_INLINE void add(const S& x, const V* y, V* row) const { add(x, y, row, {0, chunks}); }
  VERNE_INLINE static void add(const S& x, const V* y, V* row, ClosingSpan registers) {
    for (int c = registers.begin; c < registers.end; ++c) row[c] = row[c] + y[c] * x;
  }
  /// The registers of a row where a velocity may depend on coordinates, and those of what opens a loop.
  VERNE_INLINE ClosingSpan registers_of(int velocity) const {
    return {plan.spans[velocity].begin / W, (plan.spans[velocity].end + W - 1) / W};
  }
  VERNE_INLINE ClosingSpan registers_of(const ClosingLoop& loop) const {
    ClosingSpan all{chunks, 0};
    for (int k = 0; k < loop.reach_count; ++k) {
      const ClosingReach& reach = plan.reaches[loop.first_reach + k];
      if (reach.sides == 3) continue;
      const ClosingSpan own = registers_of(reach.velocity);
      all.begin = own.begin < all.begin ? own.begin : all.begin;
      all.end = own.end > all.end ? own.end : all.end;
    }
    return all;
  }

  /// The equations of a loop along G, and what its wrench is not that turns with the links.
  void put_changes(int l, const SensitivityWork<S>& work) const {
    const ClosingLoop& loop = plan.loops[l];
    const LoopMotion<S>& m = loops[l];
    for (int k = 0; k < loop.reach_count; ++k) {
      const ClosingReach& reach = plan.reaches[loop.first_reach + k];
      if (reach.sides == 3) continue;
      const int j = reach.velocity;
      const S sign(reach.sides == 1 ? 1.0 : -1.0);
      const FreedomState<S>& f = work.freedoms[j];
      LoopChange<S> change;
      put_loop_change(m, f, change);
      const V* const g = columns + j * chunks;
      const ClosingSpan own_registers = registers_of(j);
      for (int i = 0; i < loop.row_count; ++i) {
        const ClosingRow& row = plan.rows[loop.first_row + i];
        add(-(of_row(row, change.rates) * sign), g, right_v + row.position * chunks, own_registers);
        add(-(of_row(row, change.by_q) * sign), g, right_q + row.position * chunks, own_registers);
        const S of_v = of_row(row, change.by_v) * sign;
        by_v[static_cast<long>(row.position) * plan.nv + j] = of_v;
        add(-of_v, g, right_a + row.position * chunks, own_registers);
      }
      const Vec3<S> own = change.moment * sign, moment = m.R * own;
      const Spatial<S> carried = force_cross(f.s, m.wrench) * sign;
      for (int x = 0; x < 3; ++x) {
        if (turned) add(own[x], g, turned + (3 * l + x) * chunks, own_registers);
        add(moment[x], g, extra_a + (6 * l + 3 + x) * chunks, own_registers);
        add(-carried.linear[x], g, extra_b + (6 * l + x) * chunks, own_registers);
        add(-(carried.angular[x] + moment[x]), g, extra_b + (6 * l + 3 + x) * chunks, own_registers);
      }
    }
  }

  /// v_q, a_q and a_v.
  void close() const {
    rows().solve(right_v, chunks);
    for (int k = 0; k < plan.rank; ++k) copy(right_v + k * chunks, v_q + plan.steps[k].velocity * chunks);
    for (int l = 0; l < plan.loop_count; ++l) {
      const ClosingLoop& loop = plan.loops[l];
      for (int i = 0; i < loop.row_count; ++i) {
        const int position = plan.rows[loop.first_row + i].position;
        const S* const row = by_v + static_cast<long>(position) * plan.nv;
        for (int k = 0; k < loop.reach_count; ++k) {
          const ClosingReach& reach = plan.reaches[loop.first_reach + k];
          if (reach.sides == 3) continue;
          add(-row[reach.velocity], v_q + reach.velocity * chunks, right_q + position * chunks,
              registers_of(reach.velocity));
        }
      }
    }
    rows().solve(right_q, chunks), rows().solve(right_a, chunks);
    for (int k = 0; k < plan.rank; ++k) {
      copy(right_q + k * chunks, a_q + plan.steps[k].velocity * chunks);
      copy(right_a + k * chunks, a_v + plan.steps[k].velocity * chunks);
    }
  }
  VERNE_INLINE void copy(const V* from, V* to) const {
    for (int c = 0; c < chunks; ++c) to[c] = from[c];
  }

  /// The tree's part of E.
  void put_balance(const In& in, const Blocks<S>& by) const {
    const S* const M = ClosingFrames<S>::values(terms.M);
    const auto add_entry = [&](int i, int j, const S& m) {
      const long at = static_cast<long>(plan.nv) * j + i;
      const S by_q = by.dq[at], of_v = by.dv[at];
      V *const q = E_q + i * chunks, *const v = E_v + i * chunks;
      const ClosingSpan registers = registers_of(j);
      for (int c = registers.begin; c < registers.end; ++c) {
        const int from = j * chunks + c;
        q[c] = q[c] + columns[from] * by_q + v_q[from] * of_v + a_q[from] * m;
        v[c] = v[c] + columns[from] * of_v + a_v[from] * m;
      }
    };
    for (int k = 0; k < plan.pair_count; ++k) {
      const int i = plan.pairs[k].i, j = plan.pairs[k].j;
      const S& m = M[static_cast<long>(plan.nv) * i + j];
      add_entry(i, j, m);
      if (i != j) add_entry(j, i, m);
    }
    for (int k = 0; k < plan.nv && tree.has_friction; ++k) {
      const S slope = friction_slope(tree, k, in.v[k]);
      add(slope, v_q + k * chunks, E_q + k * chunks), add(slope, columns + k * chunks, E_v + k * chunks);
    }
    for (int k = 0; k < plan.nv && tree.has_spring; ++k) {
      add(spring_slope(tree, k, in.q), columns + k * chunks, E_q + k * chunks);
    }
  }

  void put_extra_loads(const SensitivityWork<S>& work) const {
    for (int l = 0; l < plan.loop_count; ++l) {
      const ClosingLoop& loop = plan.loops[l];
      const ClosingSpan registers = registers_of(loop);
      const auto push = [&](const Spatial<S>& s, const V* load, V* row) {
        for (int x = 0; x < 3; ++x) {
          add(-s.linear[x], load + x * chunks, row, registers);
          add(-s.angular[x], load + (3 + x) * chunks, row, registers);
        }
      };
      for (int k = 0; k < loop.reach_count; ++k) {
        const ClosingReach& reach = plan.reaches[loop.first_reach + k];
        const Spatial<S>& s = work.freedoms[reach.velocity].s;
        V* const row = E_q + reach.velocity * chunks;
        if (reach.sides & 1) push(s, extra_a + 6 * l * chunks, row);
        if (reach.sides & 2) push(s, extra_b + 6 * l * chunks, row);
      }
    }
  }

  const Tree& tree;
  const ClosingPlan& plan;
  const ClosingTerms& terms;
  const int* sites;
  Scratch<S> room;
  const int chunks;  // registers of a row
  const S *J, *G, *MG, *mass;
  S *lambda = nullptr, *by_v = nullptr;
  LoopMotion<S>* loops = nullptr;
  V *columns = nullptr, *v_q = nullptr, *a_q = nullptr, *a_v = nullptr, *E_q = nullptr, *E_v = nullptr;
  V *right_v = nullptr, *right_q = nullptr, *right_a = nullptr, *extra_a = nullptr, *extra_b = nullptr;
  V* turned = nullptr;
};

}  // namespace VERNE_ISA
}  // namespace verne
