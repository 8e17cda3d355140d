#include "io/number.h"

#include <charconv>
#include <cmath>

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
  std::string shown = "'";
  for (const char c : text.substr(0, kLongestQuote)) {
    const auto byte = static_cast<unsigned char>(c);
    shown += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return shown + (text.size() > kLongestQuote ? "...'" : "'");
}

}  // namespace verne
