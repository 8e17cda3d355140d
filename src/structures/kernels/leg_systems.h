/// Small systems of equations for platforms on legs with a state in each lane: no rows are exchanged
/// (docs/theory/loops.md, sections 7 and 8).
#pragma once

#include "structures/kernels/closing.h"
#include "structures/kernels/leg_plan.h"

namespace verne {
inline namespace VERNE_ISA {

/// X := A⁻¹ X for rows [A | X] of `width` values, of which N or, if that is zero, `count` are those of A.
/// meet(k, pivot) sees the pivots. W: the width where the compiler may know it; a row is in registers then.
template <int N, int W = 0, class Meet>
VERNE_INLINE void solve_as_ordered(Lanes* rows, int count, int width, Meet&& meet) {
  const int n = N ? N : count, w = W ? W : width;
#pragma GCC unroll 8
  for (int i = 0; i < n; ++i) {
    Lanes held[W ? W : 1];
    Lanes* const in_memory = rows + i * w;
    Lanes* const row = W ? held : in_memory;
#pragma GCC unroll 8
    for (int j = 0; j < w && W; ++j) row[j] = in_memory[j];
#pragma GCC unroll 8
    for (int k = 0; k < i; ++k) {
      const Lanes* const above = rows + k * w;
      const Lanes factor = row[k] * above[k];
#pragma GCC unroll 8
      for (int j = k + 1; j < w; ++j) row[j] = row[j] - factor * above[j];
    }
    meet(i, row[i]);
    row[i] = Lanes(1.0) / row[i];
#pragma GCC unroll 8
    for (int j = i; j < w && W; ++j) in_memory[j] = row[j];
  }
  for (int k = n - 1; k >= 0; --k) {
    Lanes* const row = rows + k * w;
    for (int j = n; j < w; ++j) {
      Lanes x = row[j];
      for (int i = k + 1; i < n; ++i) x = x - row[i] * rows[i * w + j];
      row[j] = x * row[k];
    }
  }
}

/// [Kᵀ | b] by rows, in the order of elimination that was chosen before.
struct TransposedK {
  Lanes* rows;
  const int* places;
  int n;
  VERNE_INLINE Lanes& operator()(int i, int j) const { return rows[places[j] * (n + 1) + i]; }
  VERNE_INLINE Lanes& right(int k) const { return rows[k * (n + 1) + n]; }
  VERNE_INLINE void put_right(const Lanes* values) const {
    for (int j = 0; j < n; ++j) right(places[j]) = values[j];
  }
  /// b := K⁻ᵀ b. Returns min|pivot| / the least that is allowed. N: n, where the compiler may know it.
  template <int N = 0>
  VERNE_INLINE Lanes solve(const double* usual_pivots) const {
    Lanes least(1e300);
    solve_as_ordered<N, N ? N + 1 : 0>(rows, n, n + 1, [&](int k, const Lanes& pivot) VERNE_INLINE_LAMBDA {
      const Lanes size = Closing<Lanes>::positive_size(pivot) * (1 / (kLeastLoopPivot * usual_pivots[k]));
      least = select(less(size, least), size, least);
    });
    return least;
  }
};

/// [Aᵀ | right sides] of a leg by rows.
struct TransposedLeg {
  Lanes* rows;
  int n, sides;
  VERNE_INLINE Lanes& operator()(int column, int position) const { return rows[column * (n + sides) + position]; }
  VERNE_INLINE Lanes& right(int k, int side) const { return rows[k * (n + sides) + n + side]; }
  /// `least`: the smallest pivots so far, in parts of the usual ones.
  template <int N = 0>
  VERNE_INLINE void solve(const double* pivot_scales, int leg, int stride, Lanes& least) const {
    solve_as_ordered<N>(rows, n, n + sides, [&](int k, const Lanes& pivot) VERNE_INLINE_LAMBDA {
      const Lanes size = Closing<Lanes>::positive_size(pivot * pivot_scales[k * stride + leg]);
      least = select(less(size, least), size, least);
    });
  }
};

/// right := A⁻¹ right for A = [M Kᵀ; K 0], lower triangle by rows: pivots of the masses are positive, those of what
/// holds the platform negative. Returns the quality.
inline Lanes solve_balance(int masses, int n, Lanes* A, Lanes* right) {
  Lanes least(1e300);
  for (int k = 0; k < n; ++k) {
    Lanes* const row = A + k * n;
    for (int i = 0; i < k; ++i) {
      const Lanes* const other = A + i * n;
      for (int r = 0; r < i; ++r) row[i] = row[i] - row[r] * other[r];
    }
    Lanes usual = row[k], pivot = row[k];
    for (int i = 0; i < k; ++i) {
      const Lanes factor = row[i] * A[i * n + i];  // which holds 1 / D
      pivot = pivot - factor * row[i];
      row[i] = factor;
      if (i < masses && k >= masses) usual = pivot;  // what the masses alone make of it
    }
    const Lanes part = pivot / usual;
    const Lanes size = select(less(Lanes(0.0), part), Closing<Lanes>::positive_size(part), Lanes(0.0));
    least = select(less(size, least), size, least);
    row[k] = Lanes(1.0) / pivot;
    for (int i = 0; i < k; ++i) right[k] = right[k] - row[i] * right[i];
  }
  for (int k = 0; k < n; ++k) right[k] = right[k] * A[k * n + k];
  for (int k = n - 1; k >= 0; --k) {
    for (int i = 0; i < k; ++i) right[i] = right[i] - A[k * n + i] * right[k];
  }
  return least * (1 / kLeastPositivePivot);
}

}  // namespace VERNE_ISA
}  // namespace verne
