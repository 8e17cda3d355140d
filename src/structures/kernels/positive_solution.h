/// Small positive definite systems of several states at once.
#pragma once

#include "base/lanes.h"
#include "dynamics/kernels/factorization.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
class PositiveSolution {
 public:
  static VERNE_INLINE S smaller(const S& a, const S& b) { return select(less(a, b), a, b); }

  /// Takes Σ a b off `sum` in registers, as far as that pays: a state by itself waits for one product after the other.
  /// Returns how many entries it has done.
  static VERNE_INLINE int subtract_products(int count, const double* a, const double* b, double& sum) {
    constexpr int W = Lanes::kCount;
    if (count < 4 * W) return 0;
    Lanes one(0.0), other(0.0);
    int r = 0;
    for (; r + 2 * W <= count; r += 2 * W) {
      one = one + Lanes::load(a + r) * Lanes::load(b + r);
      other = other + Lanes::load(a + r + W) * Lanes::load(b + r + W);
    }
    one = one + other;
    for (int k = 0; k < W; ++k) sum = sum - one.v[k];
    return r;
  }
  template <class T>
  static VERNE_INLINE int subtract_products(int, const T*, const T*, T&) {
    return 0;
  }

  /// right := A⁻¹ right by Cholesky's method without roots, for the lower triangle of A by rows. Returns the quality.
  static VERNE_INLINE S solve_positive(int n, S* A, S* right) {
    S least(1e300);
    for (int k = 0; k < n; ++k) {
      S* const row = A + static_cast<long>(k) * n;
      const S before = row[k];
      for (int i = 0; i < k; ++i) {
        const S* const other = A + static_cast<long>(i) * n;
        S sum = row[i];
        for (int r = subtract_products(i, row, other, sum); r < i; ++r) sum = sum - row[r] * other[r];
        row[i] = sum;
      }
      S pivot = before;
      for (int i = 0; i < k; ++i) {
        const S factor = row[i] * A[static_cast<long>(i) * n + i];  // which holds 1 / D
        pivot = pivot - factor * row[i];
        row[i] = factor;
      }
      least = smaller(least, select(less(S(0), pivot), positive_size(pivot / before), S(0)));
      row[k] = S(1.0) / pivot;
      S sum = right[k];
      for (int i = 0; i < k; ++i) sum = sum - row[i] * right[i];
      right[k] = sum;
    }
    for (int k = 0; k < n; ++k) right[k] = right[k] * A[static_cast<long>(k) * n + k];
    for (int k = n - 1; k >= 0; --k) {
      const S* const row = A + static_cast<long>(k) * n;
      for (int i = 0; i < k; ++i) right[i] = right[i] - row[i] * right[k];
    }
    return least * (1 / kLeastPositivePivot);
  }

  /// |a|, zero where it is not a number.
  static VERNE_INLINE S positive_size(const S& a) {
    const S size = select(less(a, S(0)), -a, a);
    return select(less(size, S(1e300)), size, S(0));
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
