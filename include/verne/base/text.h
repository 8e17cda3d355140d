/// Text that comes from elsewhere: whether it is UTF-8, and how it can be shown without steering a terminal.
#pragma once

#include <string>
#include <string_view>

#include "verne/base/export.h"

namespace verne {

/// One character of UTF-8 text. A byte that begins none is one by itself, and not valid.
struct VERNE_API Utf8Character {
  std::string_view bytes;  ///< its bytes in the text
  char32_t code = 0;       ///< of Unicode
  bool valid = false;      ///< false: a byte that is not UTF-8

  /// A control character, the end of a line, or a mark that turns the direction of writing. All lie below 0x10000.
  bool is_control() const;
};

/// The first character of `text`, which is not empty.
VERNE_API Utf8Character first_character(std::string_view text);

/// Where `text` ceases to be UTF-8; npos when it is.
VERNE_API std::size_t find_invalid_utf8(std::string_view text);

/// `text` for people: characters that steer (see above), except those in `kept`, become `\u001b`, and bytes that are
/// not UTF-8 become `\xff`.
VERNE_API std::string escaped(std::string_view text, std::string_view kept = "");

}  // namespace verne
