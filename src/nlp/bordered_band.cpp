#include "nlp/bordered_band.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace verne::nlp {
namespace {

constexpr double kLeastPivot = 1e-30;  // relative to the largest entry

using Vector = Eigen::Map<Eigen::VectorXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;

void add(Inertia& sum, const Inertia& more) {
  sum.positive += more.positive;
  sum.negative += more.negative;
  sum.zero += more.zero;
}

}  // namespace

/// Eliminating a column fills those after it as far down as it reaches.
void BorderedBand::grow_monotonic(std::vector<int>& last) {
  for (std::size_t j = 1; j < last.size(); ++j) last[j] = std::max(last[j], last[j - 1]);
}

double BorderedBand::work(const std::vector<int>& last, int border) {
  std::vector<int> grown = last;
  grow_monotonic(grown);
  double sum = std::pow(border, 3) / 6;
  for (std::size_t j = 0; j < grown.size(); ++j) {
    const double height = grown[j] - static_cast<double>(j) + border;
    sum += height * height / 2;
  }
  return sum;
}

double BorderedBand::storage(const std::vector<int>& last, int border) {
  double widest = 0;
  for (std::size_t j = 0; j < last.size(); ++j) widest = std::max(widest, last[j] - static_cast<double>(j));
  return static_cast<double>(last.size()) * (widest + border) + border * static_cast<double>(border);
}

BorderedBand::BorderedBand(std::vector<int> last, int border)
    : band_(static_cast<int>(last.size())), border_(border), last_(std::move(last)) {
  grow_monotonic(last_);
  int tallest = 1;
  for (int j = 0; j < band_; j += kPanel) {
    const int end = std::min(j + kPanel, band_);
    tallest = std::max(tallest, last_[end - 1] - j + 1);
  }
  stride_ = tallest;  // a panel reaches beyond the band of its first column: room for these zeros
  first_border_ = static_cast<std::size_t>(band_) * (stride_ + 1);
  first_corner_ = first_border_ + static_cast<std::size_t>(band_) * border_;
  values_.resize(first_corner_ + static_cast<std::size_t>(border_) * border_);
  pivots_.resize(size());
  panel_.resize(static_cast<std::size_t>(tallest + border_) * kPanel);
  product_.resize(panel_.size());
}

Inertia BorderedBand::factor(std::span<const double> values) {
  std::copy(values.begin(), values.end(), values_.begin());
  const PanelKernels& kernels = panel_kernels();
  const double largest =
      values_.empty() ? 0 : ConstVector(values_.data(), static_cast<int>(values_.size())).lpNorm<Eigen::Infinity>();
  const double least = std::max(kLeastPivot * largest, std::numeric_limits<double>::min());
  Inertia inertia;
  for (int j = 0; j < band_; j += kPanel) {
    const int width = std::min(kPanel, band_ - j), below = last_[j + width - 1] - (j + width) + 1;
    const int in_band = width + below, rows = in_band + border_;
    for (int c = 0; c < width; ++c) {
      double* const column = panel_.data() + static_cast<std::size_t>(c) * rows;
      std::copy_n(&values_[slot(j + c, j + c)], in_band - c, column + c);
      std::copy_n(values_.data() + first_border_ + static_cast<std::size_t>(j + c) * border_, border_,
                  column + in_band);
    }
    add(inertia, kernels.factor_panel(panel_.data(), rows, rows, width, least, &pivots_[j]));
    for (int c = 0; c < width; ++c) {
      const double* const column = panel_.data() + static_cast<std::size_t>(c) * rows;
      for (int i = width; i < rows; ++i) {
        product_[static_cast<std::size_t>(i - width) * width + c] = column[i] * pivots_[j + c];
      }
      std::copy_n(column + c, in_band - c, &values_[slot(j + c, j + c)]);
      std::copy_n(column + in_band, border_,
                  values_.data() + first_border_ + static_cast<std::size_t>(j + c) * border_);
    }
    const double* const below_diagonal = panel_.data() + width;
    const double* const in_border = panel_.data() + in_band;
    if (below > 0) {
      const int next = j + width;
      kernels.subtract_product(&values_[slot(next, next)], static_cast<int>(stride_), below, below, below_diagonal,
                               rows, product_.data(), width, true);
      if (border_ > 0) {
        kernels.subtract_product(&values_[first_border_ + static_cast<std::size_t>(next) * border_], border_, border_,
                                 below, in_border, rows, product_.data(), width, false);
      }
    }
    if (border_ > 0) {
      kernels.subtract_product(&values_[first_corner_], border_, border_, border_, in_border, rows,
                               product_.data() + static_cast<std::size_t>(below) * width, width, true);
    }
  }
  for (int b = 0; b < border_; b += kPanel) {  // the corner, panel by panel in place
    const int width = std::min(kPanel, border_ - b), rows = border_ - b;
    double* const corner = &values_[first_corner_ + static_cast<std::size_t>(b) * border_ + b];
    add(inertia, kernels.factor_panel(corner, border_, rows, width, least, &pivots_[band_ + b]));
    for (int c = 0; c < width; ++c) {
      for (int i = width; i < rows; ++i) {
        product_[static_cast<std::size_t>(i - width) * width + c] =
            corner[i + static_cast<std::size_t>(c) * border_] * pivots_[band_ + b + c];
      }
    }
    if (rows == width) break;
    kernels.subtract_product(corner + width + static_cast<std::size_t>(width) * border_, border_, rows - width,
                             rows - width, corner + width, border_, product_.data(), width, true);
  }
  return inertia;
}

void BorderedBand::solve(std::span<double> x) const {
  Vector at_border(x.data() + band_, border_);
  for (int j = 0; j < band_; ++j) {
    const int below = last_[j] - j;
    Vector(x.data() + j + 1, below) -= x[j] * ConstVector(&values_[slot(j, j)] + 1, below);
    at_border -= x[j] * ConstVector(values_.data() + first_border_ + static_cast<std::size_t>(j) * border_, border_);
  }
  for (int j = band_; j < size(); ++j) {
    const int below = size() - j - 1;
    Vector(x.data() + j + 1, below) -= x[j] * ConstVector(&values_[slot(j, j)] + 1, below);
  }
  for (int j = 0; j < size(); ++j) x[j] /= pivots_[j];
  for (int j = size() - 1; j >= band_; --j) {
    const int below = size() - j - 1;
    x[j] -= ConstVector(&values_[slot(j, j)] + 1, below).dot(ConstVector(x.data() + j + 1, below));
  }
  for (int j = band_ - 1; j >= 0; --j) {
    const int below = last_[j] - j;
    x[j] -= ConstVector(&values_[slot(j, j)] + 1, below).dot(ConstVector(x.data() + j + 1, below)) +
            ConstVector(values_.data() + first_border_ + static_cast<std::size_t>(j) * border_, border_).dot(at_border);
  }
}

}  // namespace verne::nlp
