/// M = Lᵀ D L without fill-in on trees [F08] sec. 6.5, and what follows from it.
///
/// `parent[i]` is the freedom before i on the way to the root (−1 at the root); with parent[i] = i − 1 the
/// factorization is dense. Entries (i, j), j supporting i, of a column-major matrix with leading dimension n stand at
/// [i * n + j]: the upper triangle of M as the kernels fill it.
#pragma once

#include "verne/base/small_matrix.h"

namespace verne {
inline namespace VERNE_ISA {

/// In place: row i holds L(i, j) for j above i, and 1 / D(i) on the diagonal.
template <class S>
VERNE_INLINE void factorize(int n, const int* parent, S* M) {
  for (int k = n - 1; k >= 0; --k) {
    S* const row = M + static_cast<long>(k) * n;
    row[k] = S(1.0) / row[k];
    for (int i = parent[k]; i >= 0; i = parent[i]) {
      const S a = row[i] * row[k];
      for (int j = i; j >= 0; j = parent[j])
        M[static_cast<long>(i) * n + j] = M[static_cast<long>(i) * n + j] - a * row[j];
      row[i] = a;
    }
  }
}

/// x := M⁻¹ x
template <class S>
VERNE_INLINE void solve(int n, const int* parent, const S* L, S* x) {
  for (int i = n - 1; i >= 0; --i) {
    for (int j = parent[i]; j >= 0; j = parent[j]) x[j] = x[j] - L[static_cast<long>(i) * n + j] * x[i];
  }
  for (int i = 0; i < n; ++i) {
    x[i] = x[i] * L[static_cast<long>(i) * n + i];
    for (int j = parent[i]; j >= 0; j = parent[j]) x[i] = x[i] - L[static_cast<long>(i) * n + j] * x[j];
  }
}

/// Full inverse, symmetric, with leading dimension ld. Rows of the upper triangle are solved together, so that inner
/// loops run along them; with Lᵀ alone, row i has entries for the freedoms that i carries only, which follow it.
template <class S>
VERNE_INLINE void invert(int n, const int* parent, const S* L, S* inverse, int ld) {
  const auto row = [=](int i) { return inverse + static_cast<long>(i) * ld; };
  const auto subtract = [](const S& factor, int first, int end, const S* VERNE_RESTRICT from, S* VERNE_RESTRICT to) {
    for (int c = first; c < end; ++c) to[c] = to[c] - factor * from[c];
  };
  for (int i = 0; i < n; ++i) {
    row(i)[i] = S(1.0);
    for (int c = i + 1; c < n; ++c) row(i)[c] = S(0);
  }
  for (int i = n - 1; i >= 0; --i) {
    int end = i + 1;
    while (end < n && parent[end] >= i) ++end;
    for (int j = parent[i]; j >= 0; j = parent[j]) {
      subtract(L[static_cast<long>(i) * n + j], i, end, row(i), row(j));
    }
  }
  for (int i = 0; i < n; ++i) {
    const S inverse_D = L[static_cast<long>(i) * n + i];
    for (int c = i; c < n; ++c) row(i)[c] = row(i)[c] * inverse_D;
    for (int j = parent[i]; j >= 0; j = parent[j]) subtract(L[static_cast<long>(i) * n + j], i, n, row(j), row(i));
    for (int c = i + 1; c < n; ++c) row(c)[i] = row(i)[c];
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
