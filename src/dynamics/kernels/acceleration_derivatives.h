/// ∂a/∂q, ∂a/∂v and ∂a/∂τ, column by column, from the responses of subtrees: no mass matrix is formed or factored
/// (section 9 of docs/theory/sensitivities.md).
///
/// A column is solved like forward dynamics: upwards, where each freedom takes its share w of the force p that the
/// column causes (43), then downwards with the accelerations x that the bodies get (44).
#pragma once

#include "dynamics/kernels/column_block.h"
#include "dynamics/kernels/subtree_response.h"

namespace verne {
inline namespace VERNE_ISA {

/// One row for each freedom, of the columns of q, v and tau that are being solved.
template <class V>
struct ColumnRows {
  V *q, *v, *tau;
};

/// Accelerations of a body by these columns, and their drives; tau has none.
template <class V, int N>
struct ColumnMotion {
  Spatial<V> q, v, tau;
  V drive_q[N], drive_v[N];

  VERNE_INLINE static ColumnMotion zero() {
    ColumnMotion m;
    m.q = m.v = m.tau = {Vec3<V>::zero(), Vec3<V>::zero()};
    for (int k = 0; k < N; ++k) m.drive_q[k] = m.drive_v[k] = V(0.0);
    return m;
  }
};

template <class S, int N>
struct ColumnSolver {
  using Block = ColumnBlock<S>;
  using V = typename Block::Value;
  using Motion = ColumnMotion<V, N>;
  using Rows = ColumnRows<V>;

  const Tree& tree;
  const ResponseWork<S, N>& work;
  const S* slopes;   // of friction; null without
  const S* inverse;  // of M, as far as it is known
  long ld;
  Motion* saved;  // at bodies that branch

  /// (43): shares w of the freedoms above the columns, and of their own.
  VERNE_INLINE void go_up(const ColumnRange& c, const Rows& rows) const {
    Spatial<V> pq{Vec3<V>::zero(), Vec3<V>::zero()}, pv = pq, px = pq;
    for (int i = c.last_body; i >= 0; i = tree.bodies[i].parent) {
      const TreeBody& b = tree.bodies[i];
      if (answers_at_once(b, i, c)) {
        for (int k = b.v; k < b.v + b.nv; ++k) {
          const Spatial<S>& r = held(work.roots[k]);
          rows.q[k] = pairing(r, pq);
          rows.v[k] = pairing(r, pv);
        }
        return;
      }
      for (int k = b.v + b.nv - 1; k >= b.v; --k) {
        const FreedomResponse<S, N>& f = work.freedoms[k];
        const Spatial<S>&s = held(f.s), &g = held(f.g);
        V uq(0.0), uv(0.0);
        if (i != c.last_body || slopes) uq = pairing(s, pq), uv = pairing(s, pv);
        if (c.contains(k)) {
          V ux = Block::place(S(1.0), c.lane(k));
          if (slopes) uv = uv + ux * slopes[k];
          if (k + 1 < c.end) ux = ux - pairing(s, px);
          if (k > c.first) px = px + g * ux;
          rows.tau[k] = ux * f.inverse_D;
        }
        rows.q[k] = uq * -f.inverse_D;
        rows.v[k] = uv * -f.inverse_D;
        if (i != c.last_body || slopes) pq = pq - g * uq, pv = pv - g * uv;
      }
      const int end = b.v + b.nv < c.end ? b.v + b.nv : c.end;
      for (int k = b.v > c.first ? b.v : c.first; k < end && b.parent >= 0; ++k) {
        pq = pq + Block::place(work.starts[k].pq, c.lane(k));
        pv = pv + Block::place(work.starts[k].pv, c.lane(k));
      }
    }
  }

  /// (44), (45): accelerations of all freedoms in place of their shares.
  VERNE_INLINE void go_down(const ColumnRange& c, const Rows& rows) const {
    int root = c.first_body;
    while (tree.bodies[root].parent >= 0) root = tree.bodies[root].parent;
    clear(0, tree.bodies[root].v, rows);
    clear(end_of_freedoms(tree, root), tree.nv, rows);
    Motion m = Motion::zero();  // of the parent of body i
    const int driven_end = tree.bodies[c.first_body].subtree_end, end = tree.bodies[root].subtree_end;
    for (int i = root; i < end;) {
      const TreeBody& b = tree.bodies[i];
      const bool driven = i >= c.first_body && i < driven_end;
      const bool above = i <= c.last_body && c.last_body < b.subtree_end;
      if (b.begins_limb && !above) {
        if (driven) {
          answer_limb<true, false>(i, c, m, rows);
        } else if (b.v > c.first) {
          answer_limb<false, false>(i, c, m, rows);
        } else {
          answer_limb<false, true>(i, c, m, rows);
        }
        i = b.subtree_end;
        if (i < end && tree.bodies[i].parent != b.parent) m = saved[tree.bodies[i].parent];
        continue;
      }
      if (above) start(b, c, m);
      if (above && answers_at_once(b, i, c)) {
        pass_on_root(b, i, c, m, rows);
      } else if (driven) {
        answer_joint<true>(b, c, above, m, rows);
      } else {
        answer_joint<false>(b, c, above, m, rows);
      }
      if (b.branches) saved[i] = m;
      ++i;
      if (i < end && tree.bodies[i].parent != i - 1) m = saved[tree.bodies[i].parent];
    }
  }

 private:
  /// Whether a body is a root for whose freedoms (47) is at hand, and no column of the range is among them.
  VERNE_INLINE static bool answers_at_once(const TreeBody& b, int i, const ColumnRange& c) {
    return b.parent < 0 && b.nv > 1 && i < c.first_body;
  }

  /// Rows of other roots, which no column reaches.
  VERNE_INLINE static void clear(int first, int end, const Rows& rows) {
    for (int k = first; k < end; ++k) rows.q[k] = rows.v[k] = rows.tau[k] = V(0.0);
  }

  /// Row k of the inverse of M, which is symmetric, from columns before the range.
  VERNE_INLINE V known(int k, const ColumnRange& c) const {
    return Block::load(inverse + k * ld + c.first, c.end - c.first);
  }

  /// Adds what the columns of the range start in body b.
  VERNE_INLINE void start(const TreeBody& b, const ColumnRange& c, Motion& m) const {
    const int end = b.v + b.nv < c.end ? b.v + b.nv : c.end;
    for (int k = b.v > c.first ? b.v : c.first; k < end; ++k) {
      const int lane = c.lane(k);
      const Spatial<S>& s = work.freedoms[k].s;
      const ColumnStart<S>& f = work.starts[k];
      m.q = m.q + Block::place(f.psi2, lane);
      m.v = m.v + Block::place(f.rate, lane);
      add_drive(f.psi.angular, lane, m.drive_q);
      add_drive(s.angular, lane, m.drive_v);
      if constexpr (N == kLoadedDrive) {
        add_drive(s.linear, lane, m.drive_q + 3);
        add_drive(s.angular, lane, m.drive_q + 6);
      }
    }
  }
  VERNE_INLINE static void add_drive(const Vec3<S>& psi, int lane, V* d) {
    d[0] = d[0] + Block::place(psi.x, lane);
    d[1] = d[1] + Block::place(psi.y, lane);
    d[2] = d[2] + Block::place(psi.z, lane);
  }

  /// (40). Summed so that little waits for x, which the freedom before has just changed.
  template <bool kDriven>
  VERNE_INLINE static V answer(V w, const Spatial<S>& g, const Spatial<V>& x, const S* e, const V* drive) {
    for (int k = 0; k < N && kDriven; ++k) w = w - drive[k] * e[k];
    const Vec3<S>&l = g.linear, &a = g.angular;
    return (w - x.linear.x * l.x - x.linear.y * l.y - x.linear.z * l.z) -
           (x.angular.x * a.x + x.angular.y * a.y + x.angular.z * a.z);
  }

  VERNE_INLINE static void pass_on(const Spatial<S>& s, const V& q, const V& v, const V& tau, Motion& m) {
    m.q = m.q + s * q;
    m.v = m.v + s * v;
    m.tau = m.tau + s * tau;
  }

  VERNE_INLINE void pass_on_root(const TreeBody& b, int i, const ColumnRange& c, Motion& m, const Rows& rows) const {
    const int floating = i == 0 ? floating_freedoms(tree) : 0;
    for (int k = 0; k < floating; ++k) {
      const Spatial<S>& s = work.freedoms[k].s;
      const V q = rows.q[k], v = rows.v[k], tau = known(k, c);
      rows.tau[k] = tau;
      if (k < 3) {
        const Vec3<S>& z = held(s.linear);
        m.q.linear += z * q, m.v.linear += z * v, m.tau.linear += z * tau;
      } else {
        const Vec3<S>& z = held(s.angular);
        m.q.angular += z * q, m.v.angular += z * v, m.tau.angular += z * tau;
      }
    }
    for (int k = b.v + floating; k < b.v + b.nv; ++k) {
      rows.tau[k] = known(k, c);
      pass_on(work.freedoms[k].s, rows.q[k], rows.v[k], rows.tau[k], m);
    }
  }

  template <bool kDriven>
  VERNE_INLINE void answer_joint(const TreeBody& b, const ColumnRange& c, bool above, Motion& m,
                                 const Rows& rows) const {
    for (int k = b.v; k < b.v + b.nv; ++k) {
      const FreedomResponse<S, N>& f = work.freedoms[k];
      const Spatial<S>& g = held(f.g);
      const V none(0.0);
      const V q = answer<kDriven>(above ? rows.q[k] : none, g, m.q, f.e, m.drive_q);
      const V v = answer<kDriven>(above ? rows.v[k] : none, g, m.v, f.e, m.drive_v);
      const V tau = k < c.first ? known(k, c) : answer<false>(k < c.end ? rows.tau[k] : none, g, m.tau, f.e, m.drive_q);
      pass_on(held(f.s), q, v, tau, m);
      rows.q[k] = q, rows.v[k] = v, rows.tau[k] = tau;
    }
  }

  /// (46)
  template <bool kDriven, bool kKnown>
  VERNE_INLINE void answer_limb(int i, const ColumnRange& c, const Motion& m, const Rows& rows) const {
    const int end = end_of_freedoms(tree, i);
    const V none(0.0);
    for (int k = tree.bodies[i].v; k < end; ++k) {
      const LimbResponse<S, N>& f = work.limbs[k];
      const Spatial<S>& g = held(f.g);
      const V q = answer<kDriven>(none, g, m.q, f.e, m.drive_q);
      const V v = answer<kDriven>(none, g, m.v, f.e, m.drive_v);
      const V tau = kKnown ? known(k, c) : answer<false>(none, g, m.tau, f.e, m.drive_q);
      rows.q[k] = q, rows.v[k] = v, rows.tau[k] = tau;
    }
  }
};

/// All columns. `memory` has room for 3 nv values; packs do not need it.
template <class S, int N>
VERNE_SWEEP void solve_columns(const ColumnSolver<S, N>& solver, const Blocks<S>& out,
                               typename ColumnBlock<S>::Value* memory) {
  using Block = ColumnBlock<S>;
  const Tree& tree = solver.tree;
  const int n = tree.nv;
  for_each_column_range<S>(tree, [&](const ColumnRange& c) VERNE_INLINE_LAMBDA {
    const long at = c.first * out.ld;
    if constexpr (Block::kWidth == 1) {
      const ColumnRows<S> rows{out.dq + at, out.dv + at, out.dx + at};
      solver.go_up(c, rows);
      solver.go_down(c, rows);
    } else {
      const ColumnRows<typename Block::Value> rows{memory, memory + n, memory + 2 * n};
      solver.go_up(c, rows);
      solver.go_down(c, rows);
      make_symmetric(c, rows.tau);
      put_columns(n, rows.q, c.end - c.first, out.dq + at, out.ld);
      put_columns(n, rows.v, c.end - c.first, out.dv + at, out.ld);
      put_columns(n, rows.tau, c.end - c.first, out.dx + at, out.ld);
    }
  });
}

}  // namespace VERNE_ISA
}  // namespace verne
