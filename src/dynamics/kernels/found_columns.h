/// Derivatives of what forward and hybrid dynamics find, from those of inverse dynamics.
#pragma once

#include "dynamics/kernels/algorithms.h"

namespace verne {
inline namespace VERNE_ISA {

/// Turns a column of derivatives of tau at given motions into that of what hybrid dynamics finds (docs/theory/
/// structures.md, eq. 5): accelerations, and torques where the accelerations are given.
template <class S>
struct FoundColumns {
  int n;
  GivenFreedoms given;
  const S *M, *factors;
  const int* order;
  S* answer;

  FoundColumns(const Tree& tree, GivenFreedoms accelerations, const S* mass_matrix, long ld, Scratch<S>& scratch)
      : n(tree.model_nv), given(accelerations), order(elimination_order(tree, accelerations, scratch)) {
    S* const copy = scratch.take(n * n);
    S* const factored = scratch.take(n * n);
    for (long j = 0; j < n; ++j) {
      for (long i = 0; i < n; ++i) copy[n * j + i] = factored[n * j + i] = mass_matrix[ld * j + i];
    }
    factorize(n, order, factored);
    M = copy, factors = factored, answer = scratch.take(n);
  }

  VERNE_INLINE void operator()(S* column) const {
    for (int k = 0; k < n; ++k) answer[k] = given[k] ? S(0) : -column[k];
    solve(n, order, factors, answer);
    for (int k = 0; k < n; ++k) {
      if (given[k]) continue;
      column[k] = answer[k];
      for (int i = 0; i < n && given.any(); ++i) {
        if (given[i]) column[i] = column[i] + M[static_cast<long>(k) * n + i] * answer[k];
      }
    }
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
