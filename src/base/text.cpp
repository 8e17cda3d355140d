#include "verne/base/text.h"

namespace verne {

namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// As the first byte of a character says; 0 when there is no such first byte.
std::size_t size_by_first_byte(unsigned first) {
  if (first < 0x80) return 1;
  if (first < 0xC0) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF8 ? 4 : 0;
}

/// The least code that needs so many bytes: a longer form of a smaller one is not UTF-8.
constexpr char32_t kLeastCode[] = {0, 0, 0x80, 0x800, 0x10000};

bool is_unicode(char32_t code) {
  return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

void append_hex(std::string& text, unsigned value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789abcdef"[(value >> shift) & 15];
}

}  // namespace

bool Utf8Character::is_control() const {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool line_end = code == 0x2028 || code == 0x2029;
  const bool direction = code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                         (code >= 0x2066 && code <= 0x2069);
  return valid && (control || line_end || direction);
}

Utf8Character first_character(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  const std::size_t size = size_by_first_byte(first);
  const Utf8Character no_character{text.substr(0, 1), first, false};
  if (size == 0 || size > text.size()) return no_character;
  char32_t code = size == 1 ? first : first & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte_at(text, i) & 0xC0) != 0x80) return no_character;
    code = code << 6 | (byte_at(text, i) & 0x3F);
  }
  if (code < kLeastCode[size] || !is_unicode(code)) return no_character;
  return {text.substr(0, size), code, true};
}

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t position = 0;
  while (position < text.size()) {
    const Utf8Character character = first_character(text.substr(position));
    if (!character.valid) return position;
    position += character.bytes.size();
  }
  return std::string_view::npos;
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string shown;
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    text.remove_prefix(character.bytes.size());
    if (!character.valid) {
      shown += "\\x";
      append_hex(shown, character.code, 2);
    } else if (character.is_control() && kept.find(character.bytes) == std::string_view::npos) {
      shown += "\\u";
      append_hex(shown, character.code, 4);
    } else {
      shown += character.bytes;
    }
  }
  return shown;
}

}  // namespace verne
