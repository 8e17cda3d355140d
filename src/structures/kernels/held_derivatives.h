/// Derivatives of forward dynamics with contacts held (16), column by column: those of the tree under the contacts'
/// wrenches (acceleration_derivatives.h), from each of which goes what the contacts do not let happen.
///
///   c    change of J a + γ in a column at fixed λ: J δa and the rows' own
///   δλ = −Λ c,  δa → δa − B c
#pragma once

#include "structures/kernels/held_response.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
class HeldDerivatives {
  using In = Inputs<S>;
  using Block = ColumnBlock<S>;
  using V = typename Block::Value;
  static constexpr int W = Block::kWidth;

 public:
  /// a, its derivatives and, unless their dq is null, those of the contacts' wrenches in their own axes, 6 x nv one
  /// after the other. For plans whose frames are on bodies. Returns the quality.
  static S compute(const Tree& tree, const In& in, const ContactPlan& plan, S* a, const Blocks<S>& da,
                   const Blocks<S>& wrenches, S* memory, Scratch<S> scratch) {
    return in.load_count ? compute<kLoadedDrive>(tree, in, plan, a, da, wrenches, memory, scratch)
                         : compute<kDrive>(tree, in, plan, a, da, wrenches, memory, scratch);
  }

 private:
  template <int N>
  static S compute(const Tree& tree, const In& given, const ContactPlan& plan, S* a, const Blocks<S>& da,
                   const Blocks<S>& wrenches, S* memory, Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const ResponseWork<S, N> work = take_response_work<S, N>(tree, in, scratch);
    const S* const tau = driving_torques(tree, in, NoneGiven(), scratch);
    const S* const slopes = friction_slopes(tree, in, scratch);
    const HeldRows<S> rows = take_held_rows(plan, memory);
    const HeldResponse<S, N> held(tree, plan, work, rows);
    response_velocities(tree, in.v, work);
    response_inwards(tree, in.v, tau, work, a);
    const S quality = held.solve(in.v, a);
    response_accelerations(tree, in.v, work, a);
    limb_responses(tree, work);
    root_responses(tree, work);
    {
      Scratch<S> rest = scratch;
      held.put_answers(rest.template take<Spatial<V>>(tree.body_count));
    }
    held.put_rows();
    solve_columns(held, slopes, da, wrenches, scratch);
    subtract_springs(tree, in, tree.nv, da.ld, da.dx, da.dq);
    for (int c = 0; c < plan.contact_count && wrenches.dq; ++c) {
      const long first = 6L * tree.nv * c;
      subtract_springs(tree, in, 6, 6, wrenches.dx + first, wrenches.dq + first);
    }
    return quality;
  }

  /// Of a block of columns: c of q, v and τ, an entry for each equation.
  struct Changes {
    V *q, *v, *tau;
  };

  template <int N>
  static void solve_columns(const HeldResponse<S, N>& held, const S* slopes, const Blocks<S>& da,
                            const Blocks<S>& wrenches, Scratch<S>& scratch) {
    const Tree& tree = held.tree;
    const int n = tree.nv, m = held.plan.equations;
    S* const inverse = scratch.take(n * n);  // of M
    const ColumnSolver<S, N> solver{tree,    held.work, slopes,
                                    inverse, n,         scratch.template take<ColumnMotion<V, N>>(tree.body_count)};
    V* const memory = scratch.template take<V>(4 * n);
    V* const room = scratch.template take<V>(3 * m);
    const Changes c{room, room + m, room + 2 * m};
    for_each_column_range<S>(tree, [&](const ColumnRange& range) VERNE_INLINE_LAMBDA {
      const long at = range.first * da.ld, of_inverse = static_cast<long>(range.first) * n;
      const int count = range.end - range.first;
      if constexpr (W == 1) {
        const ColumnRows<S> rows{da.dq + at, da.dv + at, inverse + of_inverse};
        solver.go_up(range, rows);
        solver.go_down(range, rows);
        put_changes(held, range, rows, c);
        hold(held, rows, c, da.dx + at);
      } else {
        const ColumnRows<V> rows{memory, memory + n, memory + 2 * n};
        solver.go_up(range, rows);
        solver.go_down(range, rows);
        make_symmetric(range, rows.tau);
        put_columns(n, rows.tau, count, inverse + of_inverse, n);
        put_changes(held, range, rows, c);
        hold(held, rows, c, memory + 3 * n);
        put_columns(n, rows.q, count, da.dq + at, da.ld);
        put_columns(n, rows.v, count, da.dv + at, da.ld);
        put_columns(n, memory + 3 * n, count, da.dx + at, da.ld);
      }
      if (wrenches.dq) put_wrenches(held, range, c, wrenches);
    });
  }

  template <int N>
  VERNE_INLINE static void put_changes(const HeldResponse<S, N>& held, const ColumnRange& range,
                                       const ColumnRows<V>& rows, const Changes& c) {
    const ContactPlan& plan = held.plan;
    for (int k = 0; k < plan.contact_count; ++k) {
      const HeldPlan& at = plan.contacts[k];
      if (at.rows == 3) {
        put_changes_of<3>(held, at, rows, c);
      } else if (at.rows == 5) {
        put_changes_of<5>(held, at, rows, c);
      } else {
        put_changes_of<6>(held, at, rows, c);
      }
      for (int i = at.last; i >= range.first; i = held.tree.v_parent[i]) {
        if (!range.contains(i)) continue;
        const long row = held.held.ld * i;
        for (int r = at.first; r < at.first + at.rows; ++r) {
          c.q[r] = c.q[r] + Block::place(held.held.by_q[row + r], range.lane(i));
          c.v[r] = c.v[r] + Block::place(held.held.by_v[row + r], range.lane(i));
        }
      }
    }
    for (int r = 0; r < plan.equations; ++r) {
      V y(0.0);
      for (int i = range.first; i < range.end; ++i) {
        y = y + Block::place(held.held.Y[held.held.ld * i + r], range.lane(i));
      }
      c.tau[r] = y;
    }
  }

  /// J δa of a contact with so many equations.
  template <int kRows, int N>
  VERNE_INLINE static void put_changes_of(const HeldResponse<S, N>& held, const HeldPlan& at, const ColumnRows<V>& rows,
                                          const Changes& c) {
    V q[kRows], v[kRows];
    for (int r = 0; r < kRows; ++r) q[r] = v[r] = V(0.0);
    for (int i = at.last; i >= 0; i = held.tree.v_parent[i]) {
      const S* const J = held.held.J + held.held.ld * i + at.first;
      const V by_q = rows.q[i], by_v = rows.v[i];
      for (int r = 0; r < kRows; ++r) q[r] = q[r] + by_q * J[r], v[r] = v[r] + by_v * J[r];
    }
    for (int r = 0; r < kRows; ++r) c.q[at.first + r] = q[r], c.v[at.first + r] = v[r];
  }

  /// δa − B c of all freedoms, several at a time; that of τ goes to `tau`.
  template <int N>
  VERNE_INLINE static void hold(const HeldResponse<S, N>& held, const ColumnRows<V>& rows, const Changes& c, V* tau) {
    const int n = held.tree.nv;
    int k = 0;
    for (; k + 3 <= n; k += 3) hold_freedoms<3>(held, rows, c, k, tau);
    for (; k < n; ++k) hold_freedoms<1>(held, rows, c, k, tau);
  }
  template <int kCount, int N>
  VERNE_INLINE static void hold_freedoms(const HeldResponse<S, N>& held, const ColumnRows<V>& rows, const Changes& c,
                                         int first, V* tau) {
    const long ld = held.held.ld;
    const S* const B = held.held.B + ld * first;
    V q[kCount], v[kCount], t[kCount];
    for (int k = 0; k < kCount; ++k) q[k] = rows.q[first + k], v[k] = rows.v[first + k], t[k] = rows.tau[first + k];
    for (int r = 0; r < held.plan.equations; ++r) {
      const V by_q = c.q[r], by_v = c.v[r], by_tau = c.tau[r];
      for (int k = 0; k < kCount; ++k) {
        const S& b = B[ld * k + r];
        q[k] = q[k] - by_q * b, v[k] = v[k] - by_v * b, t[k] = t[k] - by_tau * b;
      }
    }
    for (int k = 0; k < kCount; ++k) rows.q[first + k] = q[k], rows.v[first + k] = v[k], tau[first + k] = t[k];
  }

  /// −Λ c, for τ a row of B, as wrenches.
  template <int N>
  VERNE_INLINE static void put_wrenches(const HeldResponse<S, N>& held, const ColumnRange& range, const Changes& c,
                                        const Blocks<S>& out) {
    const ContactPlan& plan = held.plan;
    const HeldRows<S>& rows = held.held;
    const auto store = [&](const V& x, int contact, int component, S* block) {
      const long first = 6L * (static_cast<long>(held.tree.nv) * contact + range.first) + component;
      for (int i = 0; i < range.end - range.first; ++i) block[first + 6L * i] = Block::lane(x, i);
    };
    for (int k = 0; k < plan.contact_count; ++k) {
      for (int component = 0; component < 6; ++component) {
        V q(0.0), v(0.0), tau(0.0);
        if (component < plan.contacts[k].rows) {
          const int row = plan.contacts[k].first + component;
          const double unit = component < 3 ? -1 : -plan.length;
          for (int r = 0; r < plan.equations; ++r) {
            const S& by = rows.inverse[rows.ld * row + r];
            q = q + c.q[r] * by, v = v + c.v[r] * by;
          }
          for (int i = range.first; i < range.end; ++i) {
            tau = tau + Block::place(rows.B[rows.ld * i + row], range.lane(i));
          }
          q = q * unit, v = v * unit, tau = tau * unit;
        }
        store(q, k, component, out.dq), store(v, k, component, out.dv), store(tau, k, component, out.dx);
      }
    }
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
