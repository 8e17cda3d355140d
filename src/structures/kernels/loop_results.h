/// Derivatives of accelerations or torques of mechanisms with closed loops, and of all wrenches, from what
/// LoopDerivatives finds (docs/theory/loops.md, section 5): three blocks of columns, by q, by v, and by τ or a, each
/// solved side by side in registers.
#pragma once

#include "structures/kernels/closed_blocks.h"
#include "structures/kernels/loop_derivatives.h"
#include "structures/kernels/wrench_tangents.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
class LoopResults {
  using Block = ColumnBlock<S>;
  using V = typename Block::Value;
  static constexpr int W = Block::kWidth;

 public:
  LoopResults(const LoopChanges<S>& of, const ClosedBlocks<S>& to, Scratch<S> memory)
      : at(of), plan(of.plan), out(to), room(memory) {}

  /// (9): of the torques of a motion, or of the accelerations under torques.
  void put(bool inverse) {
    const int inputs = inverse ? plan.free_count : plan.actuated_count, count = (inputs + W - 1) / W;
    const int most = at.chunks > count ? at.chunks : count;
    V* const E_x = inverse || wrenches() ? take_rows(plan.nv, count) : nullptr;
    for (int k = 0; k < plan.nv && inverse; ++k) {
      for (int f = 0; f < inputs; ++f) add_entry(at.MG[static_cast<long>(inputs) * k + f], f, E_x + k * count);
    }
    for (int t = 0; t < inputs && !inverse && E_x; ++t) add_entry(S(-1.0), t, E_x + plan.actuated[t] * count);
    V* const a_x = inverse ? at.columns : of_tree() ? take_rows(plan.nv, count) : nullptr;
    x = room.template take<V>(plan.free_count * most);
    if (wrenches()) lost = room.template take<V>(plan.rank * most);
    if (out.joints.dq) {
      on_a = room.template take<Spatial<V>>(2 * plan.loop_count * most);
      on_b = on_a + plan.loop_count * most;
    }
    const Directions blocks[] = {{plan.free_count, at.chunks, at.columns, at.v_q, at.a_q, at.E_q, at.turned},
                                 {plan.free_count, at.chunks, nullptr, at.columns, at.a_v, at.E_v, nullptr},
                                 {inputs, count, nullptr, nullptr, a_x, E_x, nullptr}};
    for (int k = 0; k < 3; ++k) put_block(blocks[k], k, inverse);
  }

 private:
  /// How the motion changes, what the balance loses by that, and the moments that loops gain by turning.
  struct Directions {
    int columns, count;  // registers of a row
    const V *q, *v;
    V* a;
    const V *E, *turned;
  };

  bool wrenches() const { return out.loops.dq || out.joints.dq; }
  bool of_tree() const { return out.tree.dq || out.joints.dq; }
  V* take_rows(int rows, int count) {
    V* const block = room.template take<V>(rows * count);
    for (int k = 0; k < rows * count; ++k) block[k] = V(0.0);
    return block;
  }
  VERNE_INLINE static void add_entry(const S& value, int column, V* row) {
    row[column / W] = row[column / W] + Block::place(value, column % W);
  }
  VERNE_INLINE static void add(const S& by, const V* y, V* row, int count) {
    for (int c = 0; c < count; ++c) row[c] = row[c] + y[c] * by;
  }

  void put_block(const Directions& d, int block, bool inverse) {
    const int free = plan.free_count;
    for (int k = 0; k < free * d.count; ++k) x[k] = V(0.0);
    if (inverse || block < 2) {
      for_each_entry(
          [&](int k, int f, const S& g) { add(inverse ? g : -g, d.E + k * d.count, x + f * d.count, d.count); });
    } else {  // E is −B
      for (int t = 0; t < d.columns; ++t) {
        const S* const g = at.G + static_cast<long>(free) * plan.actuated[t];
        for (int f = 0; f < free; ++f) add_entry(g[f], t, x + f * d.count);
      }
    }
    if (!inverse) at.rows.solve_mass(x, d.count);
    put_rows(x, free, d, out.found[block], out.found.ld);
    if (!inverse && of_tree()) {
      for_each_entry([&](int k, int f, const S& g) { add(g, x + f * d.count, d.a + k * d.count, d.count); });
    }
    if (out.tree.dq) put_rows(d.a, plan.nv, d, out.tree[block], out.tree.ld);
    if (!wrenches()) return;
    put_lost(d, inverse);
    at.rows.solve_transposed(lost, d.count);
    put_loops(d, out.loops[block]);
    if (out.joints.dq) put_joints(d, out.joints[block]);
  }
  /// visit(velocity, coordinate, entry of G)
  template <class Visit>
  VERNE_INLINE void for_each_entry(Visit&& visit) const {
    for (int k = 0; k < plan.nv; ++k) {
      for (int f = plan.spans[k].begin; f < plan.spans[k].end; ++f) {
        visit(k, f, at.G[static_cast<long>(plan.free_count) * k + f]);
      }
    }
  }
  /// Rows to columns of a matrix, `ld` values from one to the next.
  static void put_rows(const V* rows, int count, const Directions& d, S* to, long ld) {
    for (int k = 0; k < count; ++k) {
      for (int j = 0; j < d.columns; ++j) to[ld * j + k] = Block::lane(rows[k * d.count + j / W], j % W);
    }
  }

  /// What the balance loses along dependent velocities, by E and by M δa.
  void put_lost(const Directions& d, bool inverse) const {
    for (int k = 0; k < plan.rank; ++k) {
      const int velocity = plan.steps[k].velocity;
      V* const row = lost + k * d.count;
      for (int c = 0; c < d.count; ++c) row[c] = d.E[velocity * d.count + c];
      const S* const m = at.MG + static_cast<long>(plan.free_count) * velocity;
      for (int f = 0; f < plan.free_count && !inverse; ++f) add(m[f], x + f * d.count, row, d.count);
    }
  }

  /// Wrenches in the axes of a: by δλ, which holds what was lost, and by turning.
  void put_loops(const Directions& d, S* to) const {
    for (int l = 0; l < plan.loop_count; ++l) {
      const ClosingLoop& loop = plan.loops[l];
      for (int c = 0; c < d.count; ++c) {
        Vec3<V> force = Vec3<V>::zero(), moment = Vec3<V>::zero();
        for (int i = 0; i < loop.row_count; ++i) {
          const ClosingRow& row = plan.rows[loop.first_row + i];
          const V dlambda = lost[row.position * d.count + c];
          Vec3<S> f = Vec3<S>::zero(), n = Vec3<S>::zero();
          for (int k = 0; k < 2 && row.coefficient[k] != 0; ++k) {
            if (row.part[k] == 0) f[row.axis[k]] = f[row.axis[k]] + row.coefficient[k];
            n += ClosingFrames<S>::axis_cross(row.axis[k], at.loops[l].parts[row.part[k]]) * row.coefficient[k];
          }
          force += f * dlambda, moment += n * dlambda;
        }
        if (d.turned) {
          const V* const own = d.turned + 3 * l * d.count + c;
          moment += Vec3<V>{own[0], own[d.count], own[2 * d.count]};
        }
        for (int j = W * c; j < d.columns && j < W * (c + 1) && to; ++j) {
          S* const column = to + 6L * (static_cast<long>(d.columns) * l + j);
          for (int k = 0; k < 3; ++k) {
            column[k] = Block::lane(force[k], j - W * c), column[3 + k] = Block::lane(moment[k], j - W * c);
          }
        }
        if (on_a) put_loads(l, c, force, moment, d);
      }
    }
  }
  /// The same as loads about O, and what that on b does by moving with a.
  VERNE_INLINE void put_loads(int l, int c, const Vec3<V>& force, const Vec3<V>& moment, const Directions& d) const {
    const LoopMotion<S>& m = at.loops[l];
    const Vec3<V> f = m.R * force;
    const Spatial<V> load{f, m.R * moment + cross(m.r, f)};
    Spatial<V> moved{Vec3<V>::zero(), Vec3<V>::zero()};
    if (d.q) {
      const auto extra = [&](int k) { return extra_of(at.extra_a, l, k, c) + extra_of(at.extra_b, l, k, c); };
      moved = {{extra(0), extra(1), extra(2)}, {extra(3), extra(4), extra(5)}};
    }
    on_a[l * d.count + c] = load, on_b[l * d.count + c] = moved - load;
  }
  VERNE_INLINE V extra_of(const V* rows, int l, int k, int c) const { return rows[(6 * l + k) * at.chunks + c]; }

  void put_joints(const Directions& d, S* to) const {
    const WrenchTangents<S> tangents(at.tree, at.in, at.work, room, d.count);
    const auto load = [&](int k) {
      const ClosingLoop& loop = plan.loops[k / 2];
      const int slot = k % 2 == 0 ? loop.a.slot : loop.b.slot;
      return TangentLoad<V>{slot < 0 ? -1 : at.sites[slot], (k % 2 == 0 ? on_a : on_b) + k / 2 * d.count};
    };
    tangents.put({d.q, d.v, d.a, d.columns, d.count, d.columns}, 2 * plan.loop_count, load, to);
  }

  const LoopChanges<S>& at;
  const ClosingPlan& plan;
  const ClosedBlocks<S>& out;
  Scratch<S> room;
  V *x = nullptr, *lost = nullptr;
  Spatial<V>*on_a = nullptr, *on_b = nullptr;
};

}  // namespace VERNE_ISA
}  // namespace verne
