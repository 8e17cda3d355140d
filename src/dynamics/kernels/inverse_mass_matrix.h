/// M⁻¹ without M: the accelerations by unit torques, column by column, from articulated bodies (section 9 of
/// docs/theory/sensitivities.md, the columns of τ alone).
///
///   s, g, D   of a freedom, as in subtree_response.h
///   x         acceleration that the columns being solved give to what a freedom moves
#pragma once

#include "dynamics/kernels/column_block.h"
#include "dynamics/kernels/subtree_response.h"

namespace verne {
inline namespace VERNE_ISA {

/// What take_out_of_inertia() reads and leaves.
template <class S>
struct InverseWork {
  struct Subtree {
    ArticulatedInertia<S> inertia;
  };
  CentralInertia<S>* bodies;
  Subtree* subtrees;
  FreedomGain<S>* freedoms;
};

/// (39) from the tips to the roots.
template <class S>
VERNE_SWEEP void articulate(const Tree& tree, const WorldPose<S>* poses, const InverseWork<S>& work) {
  const auto step = [&](int i, int count) VERNE_INLINE_LAMBDA {
    const TreeBody& b = tree.bodies[i];
    const Vec3<S> r = poses[i].p - poses[0].p;
    work.bodies[i] = central_inertia(b, poses[i].R, r);
    for (int k = 0; k < count; ++k) work.freedoms[b.v + k].s = freedom_at(r, b.kind, b, poses[i].R, k);
    take_out_of_inertia<S>(tree, i, count, work);
  };
  for (int i = tree.body_count - 1; i >= 0; --i) {
    if (tree.bodies[i].branches) work.subtrees[i].inertia = ArticulatedInertia<S>::zero();
  }
  for (int i = tree.body_count - 1; i >= 0; --i) {
    if (tree.bodies[i].nv == 1) {
      step(i, 1);
    } else {
      step(i, tree.bodies[i].nv);
    }
  }
}

template <class S>
struct InverseColumns {
  using Block = ColumnBlock<S>;
  using V = typename Block::Value;

  const Tree& tree;
  const FreedomGain<S>* freedoms;
  S* inverse;
  long ld;
  Spatial<V>* kept;  // x of bodies that branch

  /// Entries of the columns c from their own rows on, in `rows`, and where they belong in the inverse. Rows before are
  /// there already: they are those of the columns before, by symmetry.
  VERNE_INLINE void solve(const ColumnRange& c, V* rows) const {
    int root = c.first_body;
    while (tree.bodies[root].parent >= 0) root = tree.bodies[root].parent;
    go_up(c, rows);
    go_down(c, root, rows);
    put(c, tree.bodies[root].v, end_of_freedoms(tree, root), rows);
  }

 private:
  /// (43): shares of the columns' own freedoms.
  VERNE_INLINE void go_up(const ColumnRange& c, V* rows) const {
    Spatial<V> p{Vec3<V>::zero(), Vec3<V>::zero()};
    for (int k = c.end - 1; k >= c.first; --k) {
      const FreedomGain<S>& f = freedoms[k];
      V u = Block::place(S(1.0), c.lane(k));
      if (k + 1 < c.end) u = u - pairing(f.s, p);
      if (k > c.first) p = p + f.g * u;
      rows[k] = u * f.inverse_D;
    }
  }

  /// (44), (45): from the root to all that it carries, but for subtrees whose columns are known.
  VERNE_INLINE void go_down(const ColumnRange& c, int root, V* rows) const {
    const Spatial<V> rest{Vec3<V>::zero(), Vec3<V>::zero()};
    Spatial<V> x = rest;
    for (int i = root; i < tree.bodies[root].subtree_end;) {
      const TreeBody& b = tree.bodies[i];
      if (b.subtree_end <= c.first_body) {
        i = b.subtree_end;
        continue;
      }
      if (b.parent != i - 1) x = b.parent < 0 ? rest : kept[b.parent];
      for (int k = b.v; k < b.v + b.nv; ++k) {
        const FreedomGain<S>& f = freedoms[k];
        const Spatial<S>& s = held(f.s);
        if (k < c.first) {
          x = x + s * Block::load(inverse + k * ld + c.first, c.end - c.first);
          continue;
        }
        const V share = k < c.end ? rows[k] : V(0.0);
        const V a = share - pairing(held(f.g), x);
        rows[k] = a;
        x = x + s * a;
      }
      if (b.branches) kept[i] = x;
      ++i;
    }
  }

  /// The rows [c.first, end) and their mirror images; zeros where the other roots stand.
  VERNE_INLINE void put(const ColumnRange& c, int first, int end, V* rows) const {
    if constexpr (Block::kWidth == 1) {
      S* const column = inverse + c.first * ld;
      for (int k = c.first; k < end; ++k) column[k] = inverse[k * ld + c.first] = rows[k];
    } else {
      make_symmetric(c, rows);
      for (int column = c.first; column < c.end; ++column) {
        for (int k = c.first; k < end; ++k) inverse[column * ld + k] = rows[k].v[c.lane(column)];
        for (int k = c.end; k < end; ++k) inverse[k * ld + column] = rows[k].v[c.lane(column)];
      }
    }
    for (long column = c.first; column < c.end; ++column) {
      clear_rows(0, first, inverse + column * ld);
      clear_rows(end, tree.nv, inverse + column * ld);
    }
  }
};

template <class S>
VERNE_SWEEP void solve_inverse(const InverseColumns<S>& columns, typename ColumnBlock<S>::Value* rows) {
  for_each_column_range<S>(columns.tree, [&](const ColumnRange& c) VERNE_INLINE_LAMBDA { columns.solve(c, rows); });
}

}  // namespace VERNE_ISA
}  // namespace verne
