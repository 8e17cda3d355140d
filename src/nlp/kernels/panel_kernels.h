/// The inner loops of the factorization and of what goes into it, for the widest instructions that the processor has.
#pragma once

#include "verne/base/export.h"

namespace verne::nlp {

/// Pivots of a matrix by their sign; `zero`: too small to have one, or not a number.
struct Inertia {
  int positive = 0, negative = 0, zero = 0;
};

/// Sets of factors, one for each row: that of row r in set s is at[r * by_row + s * by_set].
struct RowFactors {
  const double* at;
  int by_row, by_set, sets;
};

constexpr int kShortRow = 8;  // entries

struct PanelKernels {
  /// C −= A Bᵀ. C: rows × columns, A: rows × depth, both column by column at the given strides; B: columns × depth, row
  /// by row. `lower`: only the part of C on and below its diagonal, the rest is not touched.
  void (*subtract_product)(double* C, int C_stride, int rows, int columns, const double* A, int A_stride,
                           const double* B, int depth, bool lower);
  /// The first `width` columns of a symmetric matrix, from the diagonal down, become those of L in L D Lᵀ, their unit
  /// diagonal not stored; D goes to `pivots`. Pivots of less than `least` become `least`.
  Inertia (*factor_panel)(double* panel, int stride, int rows, int width, double least, double* pivots);
  /// out[r] = row r · x, for `count` rows of `size` entries, one behind the other.
  void (*multiply_rows)(const double* rows, int count, int size, const double* x, double* out);
  /// Σ factor · row, of such rows, for each set of factors; these sums one behind the other.
  void (*combine_rows)(const double* rows, int count, int size, const RowFactors& factors, double* out);
  /// Σ weight · row rowᵀ, size × size, of rows of kShortRow entries at most. Behind both rows and out there must be
  /// room for kShortRow more numbers.
  void (*combine_squares)(const double* rows, int count, int size, const double* weights, double* out);
};

/// Chosen once; threads may ask at the same time.
VERNE_API const PanelKernels& panel_kernels();

}  // namespace verne::nlp
