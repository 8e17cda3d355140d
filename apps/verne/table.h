/// Text in aligned columns.
#pragma once

#include <string>
#include <vector>

namespace verne::cli {

class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// One cell a column; what would break the line or steer the terminal is made visible.
  void add_row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// Title and rows, each indented by `indent`. Columns without any content are left out. Where standard output is a
  /// terminal that is too narrow, columns continue below, behind the one that tells the rows apart: the first that is
  /// text.
  std::string text(const std::string& indent = "  ") const;

 private:
  /// Which of the columns that are shown stand beside each other.
  std::vector<std::vector<std::size_t>> parts(const std::vector<std::size_t>& shown,
                                              const std::vector<std::size_t>& widths, std::size_t indent) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace verne::cli
