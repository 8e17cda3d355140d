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

template <int kWidth>
void subtract_columns(double* C, int C_stride, int rows, const double* A, int A_stride, const double* B, int depth) {
  int i = 0;
  for (; i + 3 * kLanes <= rows; i += 3 * kLanes) subtract_tile<3, kWidth>(C + i, C_stride, A + i, A_stride, B, depth);
  for (; i + kLanes <= rows; i += kLanes) subtract_tile<1, kWidth>(C + i, C_stride, A + i, A_stride, B, depth);
  for (; i < rows; ++i) {
    for (int j = 0; j < kWidth; ++j) {
      subtract_entry(C + i + j * static_cast<long>(C_stride), A + i, A_stride, B + j * depth, depth);
    }
  }
}

void subtract_product(double* C, int C_stride, int rows, int columns, const double* A, int A_stride, const double* B,
                      int depth, bool lower) {
  for (int j = 0; j < columns; j += kColumns) {
    const int width = columns - j < kColumns ? columns - j : kColumns;
    double* const column = C + j * static_cast<long>(C_stride);
    int first = 0;
    if (lower) {  // the triangle on the diagonal, entry by entry
      first = j + width;
      for (int c = 0; c < width; ++c) {
        for (int i = j + c; i < first && i < rows; ++i) {
          subtract_entry(column + i + c * static_cast<long>(C_stride), A + i, A_stride, B + (j + c) * depth, depth);
        }
      }
    }
    if (first >= rows) continue;
    if (width == kColumns) {
      subtract_columns<kColumns>(column + first, C_stride, rows - first, A + first, A_stride, B + j * depth, depth);
    } else {
      for (int c = 0; c < width; ++c) {
        subtract_columns<1>(column + first + c * static_cast<long>(C_stride), C_stride, rows - first, A + first,
                            A_stride, B + (j + c) * depth, depth);
      }
    }
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

}  // namespace

extern const nlp::PanelKernels kPanelKernels;
const nlp::PanelKernels kPanelKernels{subtract_product, factor_panel};

}  // namespace VERNE_ISA
}  // namespace verne
