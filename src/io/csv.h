/// Tables of text with commas between cells, as RFC 4180 has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verne/base/export.h"

namespace verne {

/// A text as a cell: in quotes where it holds commas, quotes or ends of lines, or begins or ends with a blank.
VERNE_API std::string csv_cell(std::string_view text);

/// Reads records one by one. Lines end in LF, CR LF or CR; empty ones and a byte order mark are passed over; blanks
/// around a cell do not count unless they are in quotes. Throws InputError with file and line.
class VERNE_API CsvReader {
 public:
  /// `text` must outlive the reader.
  CsvReader(std::string_view text, std::string file);

  /// The cells of the next record; false when there are no more.
  bool next(std::vector<std::string>& cells);
  /// Of the file, where the record that next() gave last begins, from 1.
  int line() const { return line_; }

 private:
  /// Of the cell that begins here, up to the comma or the end of the line behind it.
  std::string take_cell();
  std::string take_quoted();
  bool at_end_of_record() const;
  void take_end_of_line();
  void take_blanks();
  [[noreturn]] void fail(int line, const std::string& why) const;

  std::string_view text_;
  std::string file_;
  int line_ = 0;
  int next_line_ = 1;
};

/// The first record, which says what the columns hold; nothing where there is none. Throws InputError where two columns
/// have one name.
VERNE_API std::vector<std::string> csv_header(CsvReader& reader, const std::string& file);

}  // namespace verne
