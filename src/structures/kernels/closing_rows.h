/// The systems of loops for many right sides at once: rows of `count` registers, one after the other.
#pragma once

#include "dynamics/kernels/column_block.h"
#include "structures/kernels/closing_plan.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
struct ClosingRows {
  using V = typename ColumnBlock<S>::Value;

  const ClosingPlan& plan;
  const S* J;     // J_rd = L U, pivots inverted
  const S* mass;  // L D Lᵀ of Gᵀ M G, lower triangle by rows, D inverted

  /// x := J_rd⁻¹ x, by position; as Closing::solve()
  void solve(V* x, int count) const {
    for (int k = 0; k < plan.rank; ++k) {
      const ClosingStep& step = plan.steps[k];
      for (int i = 0; i < step.lower_count; ++i) {
        const ClosingEntry& entry = plan.lower[step.first_lower + i];
        subtract(J[entry.value], x, k, entry.position, count);
      }
    }
    for (int k = plan.rank - 1; k >= 0; --k) {
      const ClosingStep& step = plan.steps[k];
      for (int j = 0; j < step.upper_count; ++j) {
        const ClosingEntry& entry = plan.upper[step.first_upper + j];
        subtract(J[entry.value], x, entry.position, k, count);
      }
      scale(J[step.pivot], x, k, count);
    }
  }

  /// x := J_rd⁻ᵀ x; as Closing::solve_transposed()
  void solve_transposed(V* x, int count) const {
    for (int k = 0; k < plan.rank; ++k) {
      const ClosingStep& step = plan.steps[k];
      scale(J[step.pivot], x, k, count);
      for (int j = 0; j < step.upper_count; ++j) {
        const ClosingEntry& entry = plan.upper[step.first_upper + j];
        subtract(J[entry.value], x, k, entry.position, count);
      }
    }
    for (int k = plan.rank - 1; k >= 0; --k) {
      const ClosingStep& step = plan.steps[k];
      for (int i = 0; i < step.lower_count; ++i) {
        const ClosingEntry& entry = plan.lower[step.first_lower + i];
        subtract(J[entry.value], x, entry.position, k, count);
      }
    }
  }

  /// x := (Gᵀ M G)⁻¹ x
  void solve_mass(V* x, int count) const {
    const int free = plan.free_count;
    const auto factor = [&](int i, int k) -> const S& { return mass[static_cast<long>(free) * i + k]; };
    for (int k = 0; k < free; ++k) {
      for (int i = 0; i < k; ++i) subtract(factor(k, i), x, i, k, count);
    }
    for (int k = 0; k < free; ++k) scale(factor(k, k), x, k, count);
    for (int k = free - 1; k >= 0; --k) {
      for (int i = 0; i < k; ++i) subtract(factor(k, i), x, k, i, count);
    }
  }

 private:
  VERNE_INLINE static void subtract(const S& by, V* x, int from, int to, int count) {
    for (int c = 0; c < count; ++c) x[to * count + c] = x[to * count + c] - x[from * count + c] * by;
  }
  VERNE_INLINE static void scale(const S& by, V* x, int row, int count) {
    for (int c = 0; c < count; ++c) x[row * count + c] = x[row * count + c] * by;
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
