/// JSON out, fast and exact.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "verne/base/export.h"

namespace verne {

/// Appends the shortest decimal that reads back as the same double.
VERNE_API void append_number(std::string& text, double value);

/// Appends `word` in double quotes with the escapes of JSON (which YAML shares), also of what would steer a terminal.
/// Bytes that are not UTF-8 become the replacement character.
VERNE_API void append_quoted(std::string& text, std::string_view word);

/// Builds JSON text from left to right; commas are put where they belong. NaN and infinities, which JSON does not have,
/// become null. Nesting is the caller's duty.
class VERNE_API JsonWriter {
 public:
  /// Begins `{`.
  JsonWriter& begin_object() { return open('{'); }
  /// Ends `}`.
  JsonWriter& end_object() { return close('}'); }
  /// Begins `[`.
  JsonWriter& begin_array() { return open('['); }
  /// Ends `]`.
  JsonWriter& end_array() { return close(']'); }
  /// The name of the value that comes next.
  JsonWriter& key(std::string_view name);

  /// One value.
  ///@{
  JsonWriter& value(double number);
  JsonWriter& value(int number);
  JsonWriter& value(bool flag);
  JsonWriter& value(std::string_view word);
  JsonWriter& value(const char* word) { return value(std::string_view(word)); }
  ///@}
  /// What nobody knows: not one of the numbers that became null.
  JsonWriter& null();
  /// A flat array, and an array of rows of `columns` entries each from row-major entries.
  JsonWriter& values(std::span<const double> numbers);
  /// An array of rows of `columns` entries each, from row-major entries.
  JsonWriter& rows(std::span<const double> entries, int columns);

  /// What was written so far.
  const std::string& text() const { return text_; }
  /// How many numbers became null.
  int nulls() const { return nulls_; }
  /// Starts over, keeping the memory.
  void clear();

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  std::string text_;
  bool needs_comma_ = false;
  int nulls_ = 0;
};

}  // namespace verne
