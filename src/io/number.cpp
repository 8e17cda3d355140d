#include "io/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "verne/base/text.h"
#include "verne/io/json_writer.h"

namespace verne {

namespace {

constexpr std::size_t kLongestQuote = 60;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string format_number(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

std::string format_numbers(const Vec3<double>& v, const char* separator) {
  return format_number(v.x) + separator + format_number(v.y) + separator + format_number(v.z);
}

std::optional<std::string> normalise_quaternion(double* xyzw) {
  const double length = std::hypot(std::hypot(xyzw[0], xyzw[1]), std::hypot(xyzw[2], xyzw[3]));
  if (length == 0) return "the quaternion has length zero";
  if (!(std::abs(length - 1) <= kUnitTolerance)) {
    return "expected a quaternion of length 1, found length " + format_number(length);
  }
  for (int i = 0; i < 4; ++i) xyzw[i] /= length;
  return std::nullopt;
}

std::string in_quotes(std::string_view text) {
  if (text.size() <= kLongestQuote) return "'" + escaped(text) + "'";
  std::size_t size = 0;  // ends between characters
  for (std::size_t next = 0; next <= kLongestQuote; next += first_character(text.substr(next)).bytes.size())
    size = next;
  return "'" + escaped(text.substr(0, size)) + "...'";
}

bool require_utf8(std::string_view text, Diagnostics& diagnostics) {
  const std::size_t position = find_invalid_utf8(text);
  if (position == std::string_view::npos) return true;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n');
  diagnostics.error(static_cast<int>(line), "expected UTF-8 text, found the byte " + escaped(text.substr(position, 1)));
  return false;
}

}  // namespace verne
