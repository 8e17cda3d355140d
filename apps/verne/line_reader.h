/// Lines of a file or of standard input, without waiting for more than is needed.
#pragma once

#include "input.h"

namespace verne::cli {

class LineReader {
 public:
  /// Refuses lines of more than `longest` bytes. Throws InputError when the file cannot be opened.
  LineReader(const std::string& path, std::size_t longest) : input_(path), longest_(longest) {}

  /// The next line, without its end; false when there are no more. Throws InputError when a line is too long.
  bool next(std::string& line);
  /// Whether next() would return at once, as far as can be told: data has come, or the input has ended.
  bool is_ready() const;

  /// Of the line that next() gave last, from 1.
  int line_number() const { return line_number_; }
  /// For messages.
  const std::string& name() const { return input_.name(); }

 private:
  /// Reads more; false at the end.
  bool fill();

  Input input_;
  std::size_t longest_;
  std::string buffer_;
  std::size_t begin_ = 0;  ///< of what is not yet given out
  int line_number_ = 0;
};

}  // namespace verne::cli
