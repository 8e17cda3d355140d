// Compiled once per instruction set (src/nlp/kernels.cmake): nothing of the standard library or Eigen, whose inline
// functions the linker could then choose for everybody.
#include "nlp/kernels/panel_kernels.h"

#include "base/lanes.h"

namespace verne {
inline namespace VERNE_ISA {
namespace {

constexpr int kLanes = Lanes::kCount;
constexpr int kColumns = 4;  // of a tile: with three packs of rows its sums fill 12 of 16 registers

/// C −= A Bᵀ for a tile of packs · kLanes rows.
template <int kPacks, int kWidth>
VERNE_INLINE void subtract_tile(double* VERNE_RESTRICT C, int C_stride, const double* VERNE_RESTRICT A, int A_stride,
                                const double* VERNE_RESTRICT B, int depth) {
  Lanes sum[kWidth][kPacks];
  for (int j = 0; j < kWidth; ++j) {
    for (int p = 0; p < kPacks; ++p) sum[j][p] = Lanes::load(C + j * static_cast<long>(C_stride) + p * kLanes);
  }
  for (int k = 0; k < depth; ++k) {
    Lanes a[kPacks];
    for (int p = 0; p < kPacks; ++p) a[p] = Lanes::load(A + k * static_cast<long>(A_stride) + p * kLanes);
    for (int j = 0; j < kWidth; ++j) {
      const Lanes b(B[j * depth + k]);
      for (int p = 0; p < kPacks; ++p) sum[j][p] = sum[j][p] - a[p] * b;
    }
  }
  for (int j = 0; j < kWidth; ++j) {
    for (int p = 0; p < kPacks; ++p) {
      __builtin_memcpy(C + j * static_cast<long>(C_stride) + p * kLanes, &sum[j][p], sizeof(Lanes));
    }
  }
}

VERNE_INLINE void subtract_entry(double* C, const double* A, int A_stride, const double* B, int depth) {
  double sum = *C;
  for (int k = 0; k < depth; ++k) sum -= A[k * static_cast<long>(A_stride)] * B[k];
  *C = sum;
}

/// sum[j] = (pack of rows of A) · (row j of B)
template <int kWidth>
VERNE_INLINE void multiply_pack(const double* VERNE_RESTRICT A, int A_stride, const double* VERNE_RESTRICT B, int depth,
                                Lanes* sum) {
  for (int j = 0; j < kWidth; ++j) sum[j] = Lanes(0.0);
  for (int k = 0; k < depth; ++k) {
    const Lanes a = Lanes::load(A + k * static_cast<long>(A_stride));
    for (int j = 0; j < kWidth; ++j) sum[j] = sum[j] + a * Lanes(B[j * depth + k]);
  }
}

template <int kWidth>
void subtract_columns(double* C, int C_stride, int rows, const double* A, int A_stride, const double* B, int depth) {
  int i = 0;
  for (; i + 3 * kLanes <= rows; i += 3 * kLanes) subtract_tile<3, kWidth>(C + i, C_stride, A + i, A_stride, B, depth);
  for (; i + kLanes <= rows; i += kLanes) subtract_tile<1, kWidth>(C + i, C_stride, A + i, A_stride, B, depth);
  if (i < rows && rows >= kLanes) {  // the last rows as a pack with some before them, which are left as they are
    const int first = rows - kLanes;
    Lanes sum[kWidth];
    multiply_pack<kWidth>(A + first, A_stride, B, depth, sum);
    for (int j = 0; j < kWidth; ++j) {
      for (int r = i; r < rows; ++r) C[r + j * static_cast<long>(C_stride)] -= sum[j].v[r - first];
    }
    return;
  }
  for (; i < rows; ++i) {
    for (int j = 0; j < kWidth; ++j) {
      subtract_entry(C + i + j * static_cast<long>(C_stride), A + i, A_stride, B + j * depth, depth);
    }
  }
}

/// The triangle on the diagonal: `width` columns, so many rows at most.
void subtract_triangle(double* C, int C_stride, int rows, const double* A, int A_stride, const double* B, int depth,
                       int width) {
  if constexpr (kLanes >= kColumns) {
    if (width == kColumns && rows >= kLanes) {
      Lanes sum[kColumns];
      multiply_pack<kColumns>(A, A_stride, B, depth, sum);
      for (int c = 0; c < kColumns; ++c) {
        for (int i = c; i < kColumns; ++i) C[i + c * static_cast<long>(C_stride)] -= sum[c].v[i];
      }
      return;
    }
  }
  for (int c = 0; c < width; ++c) {
    for (int i = c; i < width && i < rows; ++i) {
      subtract_entry(C + i + c * static_cast<long>(C_stride), A + i, A_stride, B + c * depth, depth);
    }
  }
}

void subtract_product(double* C, int C_stride, int rows, int columns, const double* A, int A_stride, const double* B,
                      int depth, bool lower) {
  for (int j = 0; j < columns; j += kColumns) {
    const int width = columns - j < kColumns ? columns - j : kColumns;
    double* const column = C + j * static_cast<long>(C_stride);
    int first = 0;
    if (lower) {
      first = j + width;
      subtract_triangle(column + j, C_stride, rows - j, A + j, A_stride, B + j * depth, depth, width);
    }
    if (first >= rows) continue;
    const auto subtract = width == 4   ? subtract_columns<4>
                          : width == 3 ? subtract_columns<3>
                          : width == 2 ? subtract_columns<2>
                                       : subtract_columns<1>;
    subtract(column + first, C_stride, rows - first, A + first, A_stride, B + j * depth, depth);
  }
}

/// y −= Σ factor_m column_m, four columns at a time.
void subtract_earlier(double* VERNE_RESTRICT y, const double* VERNE_RESTRICT columns, int stride, int count, int rows,
                      const double* factors) {
  int m = 0;
  for (; m + 4 <= count; m += 4) {
    const double* const a = columns + m * static_cast<long>(stride);
    const double* const b = a + stride;
    const double* const c = b + stride;
    const double* const d = c + stride;
    const double fa = factors[m], fb = factors[m + 1], fc = factors[m + 2], fd = factors[m + 3];
    for (int i = 0; i < rows; ++i) y[i] -= (a[i] * fa + b[i] * fb) + (c[i] * fc + d[i] * fd);
  }
  for (; m < count; ++m) {
    const double* const a = columns + m * static_cast<long>(stride);
    for (int i = 0; i < rows; ++i) y[i] -= a[i] * factors[m];
  }
}

nlp::Inertia factor_panel(double* panel, int stride, int rows, int width, double least, double* pivots) {
  nlp::Inertia inertia;
  double factors[64];
  for (int k = 0; k < width; ++k) {
    double* const column = panel + k * static_cast<long>(stride);
    for (int m = 0; m < k; ++m) factors[m] = panel[k + m * static_cast<long>(stride)] * pivots[m];
    subtract_earlier(column + k, panel + k, stride, k, rows - k, factors);
    double pivot = column[k];
    if (pivot >= least) {
      ++inertia.positive;
    } else if (pivot <= -least) {
      ++inertia.negative;
    } else {  // NaN too
      ++inertia.zero;
      pivot = least;
    }
    pivots[k] = pivot;
    const double inverse = 1 / pivot;
    for (int i = k + 1; i < rows; ++i) column[i] *= inverse;
  }
  return inertia;
}

VERNE_INLINE double sum_of(const Lanes& a) {
  double sum = a.v[0];
  for (int k = 1; k < kLanes; ++k) sum += a.v[k];
  return sum;
}

/// kRows of them together.
template <int kRows>
VERNE_INLINE void multiply_some_rows(const double* VERNE_RESTRICT rows, int size, const double* VERNE_RESTRICT x,
                                     double* VERNE_RESTRICT out) {
  Lanes sum[kRows];
  for (int r = 0; r < kRows; ++r) sum[r] = Lanes(0.0);
  int i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    const Lanes factor = Lanes::load(x + i);
    for (int r = 0; r < kRows; ++r) sum[r] = sum[r] + Lanes::load(rows + r * static_cast<long>(size) + i) * factor;
  }
  for (int r = 0; r < kRows; ++r) {
    double rest = sum_of(sum[r]);
    for (int k = i; k < size; ++k) rest += rows[r * static_cast<long>(size) + k] * x[k];
    out[r] = rest;
  }
}

void multiply_rows(const double* rows, int count, int size, const double* x, double* out) {
  int r = 0;
  for (; r + 4 <= count; r += 4) multiply_some_rows<4>(rows + r * static_cast<long>(size), size, x, out + r);
  for (; r < count; ++r) multiply_some_rows<1>(rows + r * static_cast<long>(size), size, x, out + r);
}

/// Of entries i … i + kLanes − 1, for sets that share the loads of rows.
template <int kSets>
VERNE_INLINE void combine_pack(const double* VERNE_RESTRICT rows, int count, int size, const nlp::RowFactors& factors,
                               double* VERNE_RESTRICT out) {
  Lanes even[kSets], odd[kSets];  // two sums, as each addition waits for the one before
  for (int s = 0; s < kSets; ++s) even[s] = odd[s] = Lanes(0.0);
  const double* const at = factors.at;
  const long by_row = factors.by_row, by_set = factors.by_set;
  int r = 0;
  for (; r + 2 <= count; r += 2, rows += 2 * static_cast<long>(size)) {
    const Lanes one = Lanes::load(rows), other = Lanes::load(rows + size);
    for (int s = 0; s < kSets; ++s) {
      even[s] = even[s] + one * Lanes(at[r * by_row + s * by_set]);
      odd[s] = odd[s] + other * Lanes(at[(r + 1) * by_row + s * by_set]);
    }
  }
  for (int s = 0; s < kSets; ++s) {
    if (r < count) even[s] = even[s] + Lanes::load(rows) * Lanes(at[r * by_row + s * by_set]);
    even[s] = even[s] + odd[s];
    __builtin_memcpy(out + s * static_cast<long>(size), &even[s], sizeof(Lanes));
  }
}

/// Of the first kSets sets.
template <int kSets>
void combine_sets(const double* rows, int count, int size, const nlp::RowFactors& factors, double* out) {
  for (int i = 0; i + kLanes <= size; i += kLanes) combine_pack<kSets>(rows + i, count, size, factors, out + i);
  if (size % kLanes == 0) return;
  if (size > kLanes) {  // the last ones as a pack, too; some of them once more
    const int i = size - kLanes;
    return combine_pack<kSets>(rows + i, count, size, factors, out + i);
  }
  for (int s = 0; s < kSets; ++s) {
    const double* const of_set = factors.at + s * static_cast<long>(factors.by_set);
    for (int i = 0; i < size; ++i) {
      double sum = 0;
      for (int r = 0; r < count; ++r) sum += rows[r * static_cast<long>(size) + i] * of_set[r * factors.by_row];
      out[s * static_cast<long>(size) + i] = sum;
    }
  }
}

/// Rows of less than a pack, but half of one at least: a pack from the first entry of a row then ends in the next one,
/// whose entries are left out when they are stored or written over. Only the last row needs a pack of its own.
void combine_short_rows(const double* VERNE_RESTRICT rows, int count, int size, const nlp::RowFactors& factors,
                        double* VERNE_RESTRICT out) {
  const int last = count - 1;
  Lanes last_row(0.0);
  for (int i = 0; i < size; ++i) last_row.v[i] = rows[last * static_cast<long>(size) + i];
  for (int s = 0; s < factors.sets; ++s, out += size) {
    const double* const of_set = factors.at + s * static_cast<long>(factors.by_set);
    Lanes even = last_row * Lanes(of_set[last * factors.by_row]), odd(0.0);
    int r = 0;
    for (; r + 2 <= last; r += 2) {
      even = even + Lanes::load(rows + r * static_cast<long>(size)) * Lanes(of_set[r * factors.by_row]);
      odd = odd + Lanes::load(rows + (r + 1) * static_cast<long>(size)) * Lanes(of_set[(r + 1) * factors.by_row]);
    }
    if (r < last) odd = odd + Lanes::load(rows + r * static_cast<long>(size)) * Lanes(of_set[r * factors.by_row]);
    even = even + odd;
    if (s + 1 < factors.sets) {
      __builtin_memcpy(out, &even, sizeof(Lanes));
    } else {
      for (int i = 0; i < size; ++i) out[i] = even.v[i];
    }
  }
}

void combine_rows(const double* rows, int count, int size, const nlp::RowFactors& factors, double* out) {
  if (size < kLanes && 2 * size >= kLanes && count > 0) return combine_short_rows(rows, count, size, factors, out);
  nlp::RowFactors rest = factors;
  for (int s = 0; s < factors.sets;) {
    const bool many = s + kColumns <= factors.sets;
    (many ? combine_sets<kColumns> : combine_sets<1>)(rows, count, size, rest, out);
    const int done = many ? kColumns : 1;
    s += done, rest.at += done * static_cast<long>(rest.by_set), out += done * static_cast<long>(size);
  }
}

/// Packs begin at the first entry of a row or column and end in the next one, whose entries come after.
template <int kSize>
void combine_squares_of(const double* VERNE_RESTRICT rows, int count, const double* VERNE_RESTRICT weights,
                        double* VERNE_RESTRICT out) {
  constexpr int kPacks = (kSize + kLanes - 1) / kLanes;
  Lanes sum[kSize][kPacks];
  for (int i = 0; i < kSize; ++i) {
    for (int p = 0; p < kPacks; ++p) sum[i][p] = Lanes(0.0);
  }
  for (int r = 0; r < count; ++r, rows += kSize) {
    Lanes row[kPacks];
    for (int p = 0; p < kPacks; ++p) row[p] = Lanes::load(rows + p * kLanes);
    for (int i = 0; i < kSize; ++i) {
      const Lanes factor(weights[r] * rows[i]);
      for (int p = 0; p < kPacks; ++p) sum[i][p] = sum[i][p] + factor * row[p];
    }
  }
  for (int i = 0; i < kSize; ++i, out += kSize) {
    for (int p = 0; p < kPacks; ++p) __builtin_memcpy(out + p * kLanes, &sum[i][p], sizeof(Lanes));
  }
}

void combine_squares(const double* rows, int count, int size, const double* weights, double* out) {
  using Combine = void (*)(const double*, int, const double*, double*);
  constexpr Combine kBySize[nlp::kShortRow] = {
      combine_squares_of<1>, combine_squares_of<2>, combine_squares_of<3>, combine_squares_of<4>,
      combine_squares_of<5>, combine_squares_of<6>, combine_squares_of<7>, combine_squares_of<8>,
  };
  kBySize[size - 1](rows, count, weights, out);
}

}  // namespace

extern const nlp::PanelKernels kPanelKernels;
const nlp::PanelKernels kPanelKernels{subtract_product, factor_panel, multiply_rows, combine_rows, combine_squares};

}  // namespace VERNE_ISA
}  // namespace verne
