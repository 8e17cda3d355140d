#include "verne/io/json_writer.h"

#include <charconv>
#include <cmath>

#include "verne/base/text.h"

namespace verne {

void append_number(std::string& text, double value) {
  char digits[32];  // the shortest form of a double has at most 24 characters
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  text.append(digits, end);
}

void append_quoted(std::string& text, std::string_view word) {
  text += '"';
  while (!word.empty()) {
    const char c = word.front();
    if (c >= 0x20 && c < 0x7F) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
      word.remove_prefix(1);
      continue;
    }
    // The escapes of escaped() are those of JSON; U+FFFD stands for what could not be read.
    const Utf8Character character = first_character(word);
    text += character.valid ? escaped(character.bytes) : "\\ufffd";
    word.remove_prefix(character.bytes.size());
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
    ++nulls_;
  }
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  text_ += "null";
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
  nulls_ = 0;
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
