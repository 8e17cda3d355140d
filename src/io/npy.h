/// Arrays of numbers in files of NumPy (.npy, versions 1 to 3 of
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html): float64, C order.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verne/base/export.h"

namespace verne {

class NewFile;

/// An array with a row for each state. Nothing of it is in memory but what is asked for.
class VERNE_API NpyReader {
 public:
  /// Throws InputError that names the file for what is not such an array: another type, order or number of axes, a file
  /// that is shorter or longer than it says.
  explicit NpyReader(const std::string& path);
  ~NpyReader();
  NpyReader(NpyReader&&) noexcept;
  NpyReader& operator=(NpyReader&&) = delete;

  const std::string& path() const { return path_; }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  /// So many rows from `first` on; threads may read side by side. Throws InputError when the file has become shorter,
  /// and for a number that is not finite.
  void read(std::size_t first, std::size_t count, double* out) const;

 private:
  void read_header();
  void parse(const std::string& header);
  void read_bytes(std::size_t first, std::size_t count, void* out) const;
  [[noreturn]] void fail(const std::string& text) const;

  std::string path_;
  int descriptor_ = -1;
  std::size_t begin_ = 0;  ///< of the numbers, in bytes
  std::size_t rows_ = 0, columns_ = 0;
};

/// A file that takes its place when it is whole (NewFile).
class VERNE_API NpyWriter {
 public:
  /// `shape` holds all axes, that of the states first.
  NpyWriter(const std::string& path, const std::vector<std::size_t>& shape);
  ~NpyWriter();
  NpyWriter(NpyWriter&&) noexcept;
  NpyWriter& operator=(NpyWriter&&) = delete;

  /// The next numbers, in C order.
  void write(std::span<const double> numbers);
  void finish();

 private:
  std::unique_ptr<NewFile> file_;
};

}  // namespace verne
