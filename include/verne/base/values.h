/// Numbers in results and settings that cross the library's boundary.
///
/// Eigen's own vectors must not cross it: how they allocate depends on the compiler flags of whoever includes Eigen, so
/// that memory taken on one side cannot be given back on the other. These keep the standard library's vector and show
/// it as Eigen's.
#pragma once

#include <Eigen/Core>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace verne {

/// A vector.
class Values {
 public:
  Values() = default;
  /// From a list of numbers.
  Values(std::initializer_list<double> values) : values_(values) {}
  /// From a vector of the standard library, whose memory it takes over.
  Values(std::vector<double> values) : values_(std::move(values)) {}
  /// From any of Eigen's vectors.
  template <class Derived>
  Values(const Eigen::DenseBase<Derived>& x) : values_(static_cast<std::size_t>(x.size())) {
    eigen() = x.derived().reshaped();
  }

  /// As Eigen's vector, on the same memory.
  Eigen::Map<const Eigen::VectorXd> eigen() const { return {values_.data(), size()}; }
  /// As Eigen's vector, to write; valid until the size changes.
  Eigen::Map<Eigen::VectorXd> eigen() { return {values_.data(), size()}; }
  /// As a span.
  operator std::span<const double>() const { return values_; }
  /// As a span, to write.
  operator std::span<double>() { return values_; }

  /// How many entries there are.
  Eigen::Index size() const { return static_cast<Eigen::Index>(values_.size()); }
  /// New entries are zero.
  void resize(Eigen::Index size) { values_.resize(static_cast<std::size_t>(size)); }
  /// Entry k; not checked.
  double operator[](Eigen::Index k) const { return values_[static_cast<std::size_t>(k)]; }
  /// Entry k, to write; not checked.
  double& operator[](Eigen::Index k) { return values_[static_cast<std::size_t>(k)]; }
  /// The first entry.
  const double* data() const { return values_.data(); }
  /// The first entry, to write.
  double* data() { return values_.data(); }
  /// Iterates over the entries.
  auto begin() const { return values_.begin(); }
  /// Past the last entry.
  auto end() const { return values_.end(); }
  /// Whether sizes and all entries are the same.
  bool operator==(const Values&) const = default;

 private:
  std::vector<double> values_;
};

/// A matrix, column by column.
class Table {
 public:
  Table() = default;
  /// From any of Eigen's matrices.
  template <class Derived>
  Table(const Eigen::DenseBase<Derived>& x)
      : rows_(x.rows()), columns_(x.cols()), values_(static_cast<std::size_t>(x.size())) {
    eigen() = x.derived();
  }

  /// As Eigen's matrix, on the same memory.
  Eigen::Map<const Eigen::MatrixXd> eigen() const { return {values_.data(), rows_, columns_}; }
  /// As Eigen's matrix, to write.
  Eigen::Map<Eigen::MatrixXd> eigen() { return {values_.data(), rows_, columns_}; }

  /// Number of rows.
  Eigen::Index rows() const { return rows_; }
  /// Number of columns.
  Eigen::Index cols() const { return columns_; }
  /// One entry.
  double operator()(Eigen::Index row, Eigen::Index column) const { return eigen()(row, column); }
  /// The first entry of the first column.
  const double* data() const { return values_.data(); }
  /// Whether sizes and all entries are the same.
  bool operator==(const Table&) const = default;

 private:
  Eigen::Index rows_ = 0, columns_ = 0;
  std::vector<double> values_;
};

}  // namespace verne
