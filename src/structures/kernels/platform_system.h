/// The equations of a platform on legs: one state, rows in lanes (docs/theory/loops.md, section 7).
#pragma once

#include "base/lanes.h"
#include "structures/kernels/leg_plan.h"

namespace verne {
inline namespace VERNE_ISA {

/// n equations A x = b for the platform, [A | b] by rows in lanes.
struct PlatformSystem {
  Lanes* rows;
  int n, width;  ///< lanes a row

  VERNE_INLINE double get(int i, int j) const { return rows[i * width + j / Lanes::kCount].v[j % Lanes::kCount]; }
  VERNE_INLINE void set(int i, int j, double x) { rows[i * width + j / Lanes::kCount].v[j % Lanes::kCount] = x; }

  /// b := A⁻¹ b, with exchanged rows. Returns min|pivot| / (least_part · max|pivot|); below 1:
  /// ill-conditioned.
  double solve(double least_part) {
    double least = 1e300, most = 0;
    for (int k = 0; k < n; ++k) {
      int best = k;
      for (int i = k + 1; i < n; ++i) best = __builtin_fabs(get(i, k)) > __builtin_fabs(get(best, k)) ? i : best;
      const double pivot = get(best, k), size = __builtin_fabs(pivot);
      if (!(size > 0)) return 0;
      least = size < least ? size : least, most = size > most ? size : most;
      Lanes *VERNE_RESTRICT const row = rows + k * width, *const other = rows + best * width;
      const Lanes inverse(1 / pivot);
      for (int j = 0; j < width; ++j) {
        const Lanes before = row[j];
        row[j] = other[j] * inverse;
        if (best != k) other[j] = before;
      }
      for (int i = 0; i < n; ++i) {
        if (i == k) continue;
        const Lanes factor(get(i, k));
        for (int j = 0; j < width; ++j) rows[i * width + j] = rows[i * width + j] - factor * row[j];
      }
    }
    return least / (least_part * most);
  }

  /// The same for equations whose order was chosen before, as many as are known to the compiler: all in registers, and
  /// nothing is compared on the way. Returns zero, and leaves the equations as they are, where a pivot is much less
  /// than the usual one.
  template <int N>
  VERNE_INLINE double solve_in_order(double least_part, const double* usual) {
    constexpr int kWidth = (N + Lanes::kCount) / Lanes::kCount;
    Lanes row[N][kWidth];
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < kWidth; ++j) row[i][j] = rows[i * kWidth + j];
    }
    double pivots[N];
    take_pivots<N, 0>(row, pivots);
    double least = 1e300, most = 0;
    bool as_usual = true;
    for (int k = 0; k < N; ++k) {
      const double size = __builtin_fabs(pivots[k]);
      as_usual &= size > kUsualPlatformPivot * usual[k];
      least = size < least ? size : least, most = size > most ? size : most;
    }
    if (!as_usual) return 0;
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < kWidth; ++j) rows[i * kWidth + j] = row[i][j];
    }
    return least / (least_part * most);
  }

 private:
  template <int N, int K>
  static VERNE_INLINE void take_pivots(Lanes (&row)[N][(N + Lanes::kCount) / Lanes::kCount], double* pivots) {
    if constexpr (K < N) {
      constexpr int kWidth = (N + Lanes::kCount) / Lanes::kCount, kPart = K / Lanes::kCount, kLane = K % Lanes::kCount;
      pivots[K] = row[K][kPart].v[kLane];
      const Lanes inverse(1 / pivots[K]);
      for (int j = 0; j < kWidth; ++j) row[K][j] = row[K][j] * inverse;
      for (int i = 0; i < N; ++i) {
        if (i == K) continue;
        const Lanes factor(row[i][kPart].v[kLane]);
        for (int j = 0; j < kWidth; ++j) row[i][j] = row[i][j] - factor * row[K][j];
      }
      take_pivots<N, K + 1>(row, pivots);
    }
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
