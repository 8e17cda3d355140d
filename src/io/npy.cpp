#include "io/npy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "io/number.h"
#include "verne/base/error.h"
#include "verne/base/text.h"
#include "verne/io/file.h"

namespace verne {

static_assert(std::endian::native == std::endian::little);  // as are numbers in files

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// What NumPy aligns the numbers to.
constexpr std::size_t kAlignment = 64;
/// Headers of arrays of numbers take a hundred bytes.
constexpr std::size_t kLargestHeader = 1 << 16;

/// The text behind `'key':` of a header, up to the end of its value.
std::string value_of(const std::string& header, const std::string& key) {
  const std::size_t at = header.find("'" + key + "'");
  const std::size_t colon = at == std::string::npos ? at : header.find(':', at);
  if (colon == std::string::npos) return "";
  const std::size_t begin = header.find_first_not_of(' ', colon + 1);
  if (begin == std::string::npos) return "";
  const bool list = header[begin] == '(' || header[begin] == '[';
  const std::size_t end = header.find_first_of(list ? ")]" : ",}", begin);
  return header.substr(begin, end == std::string::npos ? end : end - begin + (list ? 1 : 0));
}

/// `(3, 7)` or `(5,)`; nothing for what is no such text.
std::vector<std::size_t> axes_of(const std::string& shape) {
  std::vector<std::size_t> axes;
  std::size_t number = 0;
  bool digits = false;
  for (const char c : shape) {
    if (c >= '0' && c <= '9') {
      if (number > (std::numeric_limits<std::size_t>::max() - 9) / 10) return {};
      number = 10 * number + static_cast<std::size_t>(c - '0');
      digits = true;
    } else if (digits) {
      axes.push_back(number);
      number = 0, digits = false;
    }
  }
  return axes;
}

}  // namespace

NpyReader::NpyReader(const std::string& path) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) fail(std::string("cannot be opened: ") + std::strerror(errno));
  try {
    read_header();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

NpyReader::~NpyReader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

NpyReader::NpyReader(NpyReader&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      begin_(other.begin_),
      rows_(other.rows_),
      columns_(other.columns_) {}

void NpyReader::fail(const std::string& text) const {
  throw InputError({Diagnostic{path_, 0, text}});
}

void NpyReader::read_header() {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail(std::string("cannot be read: ") + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail("is no regular file: arrays are read from files on a disk");
  const auto size = static_cast<std::size_t>(status.st_size);
  unsigned char start[12] = {};
  const std::size_t known = std::min(size, sizeof(start));
  read_bytes(0, known, start);
  if (known < 10 || std::memcmp(start, kMagic.data(), kMagic.size()) != 0) {
    fail("is no array of NumPy (.npy): expected one that numpy.save wrote");
  }
  const int version = start[6];
  if (version < 1 || version > 3) {
    fail("has version " + std::to_string(version) + " of the .npy format: expected 1, 2 or 3");
  }
  std::size_t length = start[8] + (std::size_t{start[9]} << 8);
  if (version > 1) length += (std::size_t{start[10]} << 16) + (std::size_t{start[11]} << 24);
  begin_ = (version == 1 ? 10 : 12) + length;
  if (length > kLargestHeader || begin_ > size) fail("is cut off in its header, or damaged");
  std::string header(length, ' ');
  read_bytes(begin_ - length, length, header.data());
  parse(header);
  const std::size_t numbers = rows_ * columns_;
  const std::size_t wanted = begin_ + sizeof(double) * numbers;
  if (size == wanted) return;
  fail((size < wanted ? "is cut off: " : "has more than its array: ") + std::string("expected ") +
       std::to_string(wanted) + " bytes for " + std::to_string(rows_) + " x " + std::to_string(columns_) +
       " numbers, found " + std::to_string(size));
}

void NpyReader::parse(const std::string& header) {
  const std::string type = value_of(header, "descr"), order = value_of(header, "fortran_order");
  if (type != "'<f8'") {
    fail((type.empty() ? "says no type" : "holds " + escaped(type)) +
         ": expected float64 ('<f8'), as array.astype(float) gives it");
  }
  if (order != "False") {
    fail(order == "True" ? "is in Fortran order: expected C order, as numpy.ascontiguousarray gives it"
                         : "says no order: expected 'fortran_order': False");
  }
  const std::string shape = value_of(header, "shape");
  const std::vector<std::size_t> axes = axes_of(shape);
  if (axes.size() != 2) fail("has shape " + escaped(shape) + ": expected two axes, a row for each state");
  rows_ = axes[0], columns_ = axes[1];
  const std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double) / 2;
  if (columns_ > 0 && rows_ > most / columns_) fail("has shape " + escaped(shape) + ", more than any file holds");
}

void NpyReader::read_bytes(std::size_t first, std::size_t count, void* out) const {
  auto* to = static_cast<char*>(out);
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(first));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) fail("has become shorter while it was read");
    first += static_cast<std::size_t>(got), count -= static_cast<std::size_t>(got), to += got;
  }
}

void NpyReader::read(std::size_t first, std::size_t count, double* out) const {
  const std::size_t numbers = count * columns_;
  read_bytes(begin_ + sizeof(double) * first * columns_, sizeof(double) * numbers, out);
  bool finite = true;  // NaN and infinity times zero are NaN
  for (std::size_t i = 0; i < numbers; ++i) finite &= out[i] * 0.0 == 0.0;
  if (finite) return;
  for (std::size_t i = 0; i < numbers; ++i) {
    if (std::isfinite(out[i])) continue;
    fail("[" + std::to_string(first + i / columns_) + ", " + std::to_string(i % columns_) +
         "]: expected a finite number, found " + (std::isnan(out[i]) ? "nan" : "infinity"));
  }
}

NpyWriter::NpyWriter(const std::string& path, const std::vector<std::size_t>& shape)
    : file_(std::make_unique<NewFile>(path)) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (";
  for (const std::size_t axis : shape) header += std::to_string(axis) + ", ";
  if (shape.size() > 1) header.erase(header.size() - 2);
  header += "), }";
  const std::size_t before = kMagic.size() + 4;
  const std::size_t whole = (before + header.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  header.append(whole - before - header.size() - 1, ' ');
  header += '\n';
  std::string text(kMagic);
  text += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  file_->write(text + header);
}

NpyWriter::~NpyWriter() = default;
NpyWriter::NpyWriter(NpyWriter&&) noexcept = default;

void NpyWriter::write(std::span<const double> numbers) {
  file_->write({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

void NpyWriter::finish() {
  file_->finish();
}

}  // namespace verne
