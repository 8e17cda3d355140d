/// Columns of a matrix that are solved side by side.
#pragma once

#include "dynamics/kernels/joint.h"

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
  VERNE_INLINE static S load_padded(const S* p) { return *p; }
  VERNE_INLINE static void store(const S& x, int, int, S* p) { *p = x; }
  VERNE_INLINE static const S& lane(const S& x, int) { return x; }
};
template <>
struct ColumnBlock<double> {
  using Value = Lanes;
  static constexpr int kWidth = Lanes::kCount;
  /// x in one lane, zero in the others
  template <class T>
  VERNE_INLINE static auto place(const T& x, int lane) {
    return x * select(lane_index() == lane, Lanes(1.0), Lanes(0.0));
  }
  VERNE_INLINE static Lanes load(const double* p, int count) {
    if (count == kWidth) return Lanes::load(p);
    Lanes x(0.0);
    for (int k = 0; k < count; ++k) x.v[k] = p[k];
    return x;
  }
  /// With memory for a whole register.
  VERNE_INLINE static Lanes load_padded(const double* p) { return Lanes::load(p); }
  /// The first `count` lanes, where there is memory for `room`; what follows stays as it is.
  VERNE_INLINE static void store(const Lanes& x, int count, int room, double* p) {
    if (room < kWidth) {
      for (int k = 0; k < count; ++k) p[k] = x.v[k];
      return;
    }
    const Lanes all = count == kWidth ? x : select(lane_index() < count, x, Lanes::load(p));
    __builtin_memcpy(p, &all, sizeof all);
  }
  VERNE_INLINE static double lane(const Lanes& x, int k) { return x.v[k]; }

 private:
  VERNE_INLINE static Lanes::Bits lane_index() {
    Lanes::Bits index;
    for (int k = 0; k < kWidth; ++k) index[k] = k;
    return index;
  }
};

/// Columns [first, end); each supports the next. Bodies of the first and the last.
struct ColumnRange {
  int first, end, first_body, last_body;

  VERNE_INLINE int lane(int column) const { return column - first; }
  VERNE_INLINE bool contains(int column) const { return column >= first && column < end; }
};

/// Calls solve(range) for all columns, as many at a time as a block holds, from the first to the last.
template <class S, class Solve>
VERNE_INLINE void for_each_column_range(const Tree& tree, Solve&& solve) {
  const auto body_of = [&](int body, int column) {
    while (column >= tree.bodies[body].v + tree.bodies[body].nv) ++body;
    return body;
  };
  ColumnRange c{0, 0, 0, 0};
  for (; c.first < tree.nv; c.first = c.end) {
    c.end = c.first + 1;
    while (c.end < tree.nv && c.end - c.first < ColumnBlock<S>::kWidth && tree.v_parent[c.end] == c.end - 1) ++c.end;
    c.first_body = body_of(c.last_body, c.first);
    c.last_body = body_of(c.first_body, c.end - 1);
    solve(c);
  }
}

/// Rows of a block of columns, to their places.
VERNE_INLINE void put_columns(int n, const Lanes* rows, int count, double* out, long ld) {
  for (int c = 0; c < count; ++c) {
    for (int k = 0; k < n; ++k) out[c * ld + k] = rows[k].v[c];
  }
}

/// The inverse of M is symmetric, also to rounding, within the columns of a block.
VERNE_INLINE void make_symmetric(const ColumnRange& c, Lanes* rows) {
  for (int j = c.first; j < c.end; ++j) {
    for (int i = c.first; i < j; ++i) rows[i].v[c.lane(j)] = rows[j].v[c.lane(i)];
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
