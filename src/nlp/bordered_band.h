/// Symmetric indefinite matrices that are banded but for a few dense rows at the end, factored as L D Lᵀ without
/// pivoting: stable where the matrix is quasi-definite, which is what its user has to see to.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nlp/kernels/panel_kernels.h"

namespace verne::nlp {

class BorderedBand {
 public:
  BorderedBand() = default;
  /// last[j] ≥ j: the last row of the band in which column j has an entry. `border`: the number of dense rows.
  BorderedBand(std::vector<int> last, int border);

  int size() const { return band_ + border_; }
  int band() const { return band_; }
  /// Multiplications that a factorization takes, roughly; and numbers that it keeps.
  static double work(const std::vector<int>& last, int border);
  static double storage(const std::vector<int>& last, int border);

  /// Where the entry (row, column), row ≥ column, is in values(); it must be within the band or the border.
  std::size_t slot(int row, int column) const {
    if (row < band_) return static_cast<std::size_t>(column) * stride_ + row;
    const std::size_t b = row - band_;
    if (column < band_) return first_border_ + static_cast<std::size_t>(column) * border_ + b;
    return first_corner_ + static_cast<std::size_t>(column - band_) * border_ + b;
  }
  std::span<double> values() { return values_; }

  /// Factors the matrix given by `values`, which has the layout of values(); values() becomes the factors.
  Inertia factor(std::span<const double> values);
  /// In place. Once factored.
  void solve(std::span<double> x) const;

 private:
  static constexpr int kPanel = 24;  // columns that are eliminated together
  static void grow_monotonic(std::vector<int>& last);

  int band_ = 0, border_ = 0;
  std::size_t stride_ = 0;  // from an entry to the one in the next column and the same row
  std::size_t first_border_ = 0, first_corner_ = 0;
  std::vector<int> last_;
  std::vector<double> values_, pivots_;
  std::vector<double> panel_, product_;  // of the columns that are eliminated: L, and D Lᵀ
};

}  // namespace verne::nlp
