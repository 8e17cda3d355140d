/// ∂a/∂q, ∂a/∂v and ∂a/∂τ, column by column, from the responses of subtrees: no mass matrix is formed or factored
/// (section 9 of docs/theory/sensitivities.md).
///
/// A column is solved like forward dynamics: up from its joint, where of the force p that it causes every freedom above
/// takes its share w (43), then down all bodies with the acceleration x that they get (44).
#pragma once

#include "dynamics/kernels/subtree_response.h"

namespace verne {
inline namespace VERNE_ISA {

/// Columns solved at once: one for packs; for one state as many as a register holds, in its lanes.
template <class S>
struct ColumnBlock {
  using Value = S;
  static constexpr int kWidth = 1;
  template <class T>
  VERNE_INLINE static const T& place(const T& x, int) {
    return x;
  }
  VERNE_INLINE static S load(const S* p, int) { return *p; }
};
template <>
struct ColumnBlock<double> {
  using Value = Lanes;
  static constexpr int kWidth = Lanes::kCount;
  /// x in one lane, zero in the others
  template <class T>
  VERNE_INLINE static auto place(const T& x, int lane) {
    Lanes::Bits index;
    for (int k = 0; k < kWidth; ++k) index[k] = k;
    return x * select(index == lane, Lanes(1.0), Lanes(0.0));
  }
  VERNE_INLINE static Lanes load(const double* p, int count) {
    if (count == kWidth) return Lanes::load(p);
    Lanes x(0.0);
    for (int k = 0; k < count; ++k) x.v[k] = p[k];
    return x;
  }
};

/// Acceleration and drive of a column, or of a block of them, at some body.
template <class V, int D>
struct ColumnMotion {
  Freedom<V> x;
  V d[D];

  VERNE_INLINE static ColumnMotion zero() {
    ColumnMotion m;
    m.x = {Vec3<V>::zero(), Vec3<V>::zero()};
    for (int k = 0; k < D; ++k) m.d[k] = V(0.0);
    return m;
  }
};

/// Columns [first, end) of which each supports the next; the joints of first and last belong to these bodies.
struct ColumnRange {
  int first, end, first_body, last_body;

  VERNE_INLINE int lane(int column) const { return column - first; }
  VERNE_INLINE bool contains(int column) const { return column >= first && column < end; }
};

template <class S, int D>
struct ColumnSolver {
  using Block = ColumnBlock<S>;
  using V = typename Block::Value;
  using Motion = ColumnMotion<V, D>;

  const Tree& tree;
  const ResponseWork<S, D>& work;
  const S* slopes;            // of friction; null without
  Motion *saved_q, *saved_v;  // at bodies that branch

  /// (43): q and v get the shares w of the freedoms above the columns, and of their own.
  VERNE_INLINE void go_up(const ColumnRange& c, V* q, V* v) const {
    Freedom<V> pq{Vec3<V>::zero(), Vec3<V>::zero()}, pv = pq;
    for (int i = c.last_body; i >= 0; i = tree.bodies[i].parent) {
      const TreeBody& b = tree.bodies[i];
      if (answers_at_once(b, i, c)) {
        for (int k = b.v; k < b.v + b.nv; ++k) {
          q[k] = pairing(work.roots[k], pq);
          v[k] = pairing(work.roots[k], pv);
        }
        return;
      }
      for (int k = b.v + b.nv - 1; k >= b.v; --k) {
        if (i == c.last_body && !slopes) {  // no force yet
          q[k] = v[k] = V(0.0);
          continue;
        }
        const FreedomResponse<S, D>& f = work.freedoms[k];
        const V uq = pairing(f.s, pq);
        V uv = pairing(f.s, pv);
        if (slopes && c.contains(k)) uv = uv + Block::place(slopes[k], c.lane(k));
        q[k] = uq * -f.inverse_D;
        v[k] = uv * -f.inverse_D;
        pq = pq - f.g * uq;
        pv = pv - f.g * uv;
      }
      const int end = b.v + b.nv < c.end ? b.v + b.nv : c.end;
      for (int k = b.v > c.first ? b.v : c.first; k < end && b.parent >= 0; ++k) {
        pq = pq + Block::place(work.starts[k].pq, c.lane(k));
        pv = pv + Block::place(work.starts[k].pv, c.lane(k));
      }
    }
  }

  /// (44): accelerations of all freedoms in place of their shares.
  VERNE_INLINE void go_down(const ColumnRange& c, V* q, V* v) const {
    Motion mq = Motion::zero(), mv = Motion::zero();
    const int driven_end = tree.bodies[c.first_body].subtree_end;
    for (int i = 0; i < tree.body_count; ++i) {
      const TreeBody& b = tree.bodies[i];
      if (b.parent != i - 1) {
        mq = b.parent < 0 ? Motion::zero() : saved_q[b.parent];
        mv = b.parent < 0 ? Motion::zero() : saved_v[b.parent];
      }
      const bool driven = i >= c.first_body && i < driven_end;
      const bool above = i <= c.last_body && c.last_body < b.subtree_end;
      if (b.begins_limb && !above) {
        const int end = end_of_freedoms(tree, i);
        if (driven) {
          answer_limb<true>(b.v, end, mq, mv, q, v);
        } else {
          answer_limb<false>(b.v, end, mq, mv, q, v);
        }
        i = b.subtree_end - 1;
        continue;
      }
      if (above) start(b, c, mq, mv);
      if (above && answers_at_once(b, i, c)) {
        for (int k = b.v; k < b.v + b.nv; ++k) {
          mq.x = mq.x + work.freedoms[k].s * q[k];
          mv.x = mv.x + work.freedoms[k].s * v[k];
        }
      } else if (driven) {
        answer_joint<true>(b, above, mq, mv, q, v);
      } else {
        answer_joint<false>(b, above, mq, mv, q, v);
      }
      if (b.branches) saved_q[i] = mq, saved_v[i] = mv;
    }
  }

  /// (45) Columns of the inverse mass matrix. It is symmetric: rows before `first` are in the columns before.
  VERNE_INLINE void invert(const ColumnRange& c, const S* inverse, long ld, V* x) const {
    Freedom<V> p{Vec3<V>::zero(), Vec3<V>::zero()};
    for (int k = c.end - 1; k >= c.first; --k) {
      const FreedomResponse<S, D>& f = work.freedoms[k];
      V u = Block::place(S(1.0), c.lane(k));
      if (k + 1 < c.end) u = u - pairing(f.s, p);
      if (k > c.first) p = p + f.g * u;
      x[k] = u * f.inverse_D;
    }
    Motion m = Motion::zero();
    for (int i = 0; i < tree.body_count; ++i) {
      const TreeBody& b = tree.bodies[i];
      if (b.parent != i - 1) m.x = b.parent < 0 ? Motion::zero().x : saved_q[b.parent].x;
      const bool above = i <= c.last_body && c.last_body < b.subtree_end;
      if (b.begins_limb && !above && b.v > c.first) {
        const int end = end_of_freedoms(tree, i);
        for (int k = b.v; k < end; ++k) x[k] = answer<false>(V(0.0), work.limbs[k], m);
        i = b.subtree_end - 1;
        continue;
      }
      for (int k = b.v; k < b.v + b.nv; ++k) {
        const FreedomResponse<S, D>& f = work.freedoms[k];
        if (k < c.first) {
          const V known = Block::load(inverse + k * ld + c.first, c.end - c.first);
          if (above) m.x = m.x + f.s * known;
          x[k] = known;
        } else {
          const V found = answer<false>(k < c.end ? x[k] : V(0.0), f, m);
          m.x = m.x + f.s * found;
          x[k] = found;
        }
      }
      if (b.branches) saved_q[i].x = m.x;
    }
  }

 private:
  /// Whether a body is a root for whose freedoms (47) is at hand, and no column of the range is among them.
  VERNE_INLINE static bool answers_at_once(const TreeBody& b, int i, const ColumnRange& c) {
    return b.parent < 0 && b.nv > 1 && i < c.first_body;
  }

  /// Adds what the columns of the range start in body b.
  VERNE_INLINE void start(const TreeBody& b, const ColumnRange& c, Motion& mq, Motion& mv) const {
    const int end = b.v + b.nv < c.end ? b.v + b.nv : c.end;
    for (int k = b.v > c.first ? b.v : c.first; k < end; ++k) {
      const int lane = c.lane(k);
      const Freedom<S>& s = work.freedoms[k].s;
      const ColumnStart<S>& f = work.starts[k];
      mq.x = mq.x + Block::place(f.psi2, lane);
      mv.x = mv.x + Block::place(f.rate, lane);
      add_drive(f.psi.angular, lane, mq.d);
      add_drive(s.angular, lane, mv.d);
      if constexpr (D == kLoadedDrive) {
        add_drive(s.linear, lane, mq.d + 3);
        add_drive(s.angular, lane, mq.d + 6);
      }
    }
  }
  VERNE_INLINE static void add_drive(const Vec3<S>& psi, int lane, V* d) {
    d[0] = d[0] + Block::place(psi.x, lane);
    d[1] = d[1] + Block::place(psi.y, lane);
    d[2] = d[2] + Block::place(psi.z, lane);
  }

  /// w − g·x − e·d. Summed so that little waits for x, which the freedom before has just changed.
  template <bool kDriven, class Response>
  VERNE_INLINE static V answer(V w, const Response& f, const Motion& m) {
    for (int k = 0; k < D && kDriven; ++k) w = w - m.d[k] * f.e[k];
    const Vec3<S>&l = f.g.linear, &a = f.g.angular;
    const Vec3<V>&xl = m.x.linear, &xa = m.x.angular;
    return (w - xl.x * l.x - xl.y * l.y - xl.z * l.z) - (xa.x * a.x + xa.y * a.y + xa.z * a.z);
  }

  template <bool kDriven>
  VERNE_INLINE void answer_joint(const TreeBody& b, bool above, Motion& mq, Motion& mv, V* q, V* v) const {
    for (int k = b.v; k < b.v + b.nv; ++k) {
      const FreedomResponse<S, D>& f = work.freedoms[k];
      const V xq = answer<kDriven>(above ? q[k] : V(0.0), f, mq), xv = answer<kDriven>(above ? v[k] : V(0.0), f, mv);
      mq.x = mq.x + f.s * xq;
      mv.x = mv.x + f.s * xv;
      q[k] = xq, v[k] = xv;
    }
  }

  template <bool kDriven>
  VERNE_INLINE void answer_limb(int first, int end, const Motion& mq, const Motion& mv, V* q, V* v) const {
    for (int k = first; k < end; ++k) {
      const V xq = answer<kDriven>(V(0.0), work.limbs[k], mq), xv = answer<kDriven>(V(0.0), work.limbs[k], mv);
      q[k] = xq, v[k] = xv;
    }
  }
};

/// Rows of a block of columns, to their places.
VERNE_INLINE void put_columns(int n, const Lanes* rows, int count, double* out, long ld) {
  for (int c = 0; c < count; ++c) {
    for (int k = 0; k < n; ++k) out[c * ld + k] = rows[k].v[c];
  }
}

/// All columns. `rows` has room for 2 nv values; packs do not need it.
template <class S, int D>
VERNE_INLINE void solve_columns(const ColumnSolver<S, D>& solver, const Blocks<S>& out,
                                typename ColumnBlock<S>::Value* rows) {
  using Block = ColumnBlock<S>;
  const Tree& tree = solver.tree;
  const int n = tree.nv;
  const auto body_of = [&](int body, int column) {
    while (column >= tree.bodies[body].v + tree.bodies[body].nv) ++body;
    return body;
  };
  ColumnRange c{0, 0, 0, 0};
  for (; c.first < n; c.first = c.end) {
    c.end = c.first + 1;
    while (c.end < n && c.end - c.first < Block::kWidth && tree.v_parent[c.end] == c.end - 1) ++c.end;
    c.first_body = body_of(c.last_body, c.first);
    c.last_body = body_of(c.first_body, c.end - 1);
    const long at = c.first * out.ld;
    if constexpr (Block::kWidth == 1) {
      solver.go_up(c, out.dq + at, out.dv + at);
      solver.go_down(c, out.dq + at, out.dv + at);
      solver.invert(c, out.dx, out.ld, out.dx + at);
    } else {
      const int count = c.end - c.first;
      solver.go_up(c, rows, rows + n);
      solver.go_down(c, rows, rows + n);
      put_columns(n, rows, count, out.dq + at, out.ld);
      put_columns(n, rows + n, count, out.dv + at, out.ld);
      solver.invert(c, out.dx, out.ld, rows);
      put_columns(n, rows, count, out.dx + at, out.ld);
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
