#include "verne/io/json_writer.h"

#include <charconv>
#include <cmath>

namespace verne {

void append_number(std::string& text, double value) {
  char digits[32];  // the shortest form of a double has at most 24 characters
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  text.append(digits, end);
}

void append_quoted(std::string& text, std::string_view word) {
  static constexpr char kHex[] = "0123456789abcdef";
  text += '"';
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      text += "\\u00";
      text += kHex[byte >> 4];
      text += kHex[byte & 15];
    } else {
      text += c;
    }
  }
  text += '"';
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_quoted(text_, name);
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  separate();
  if (std::isfinite(number)) {
    append_number(text_, number);
  } else {
    text_ += "null";
  }
  return *this;
}

JsonWriter& JsonWriter::value(int number) {
  separate();
  text_ += std::to_string(number);
  return *this;
}

JsonWriter& JsonWriter::value(bool flag) {
  separate();
  text_ += flag ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view word) {
  separate();
  append_quoted(text_, word);
  return *this;
}

JsonWriter& JsonWriter::values(std::span<const double> numbers) {
  begin_array();
  for (const double number : numbers) value(number);
  return end_array();
}

JsonWriter& JsonWriter::rows(std::span<const double> entries, int columns) {
  begin_array();
  const auto width = static_cast<std::size_t>(columns);
  for (std::size_t i = 0; width > 0 && i + width <= entries.size(); i += width) values(entries.subspan(i, width));
  return end_array();
}

void JsonWriter::clear() {
  text_.clear();
  needs_comma_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
  return *this;
}

void JsonWriter::separate() {
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

}  // namespace verne
