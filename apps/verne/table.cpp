#include "table.h"

#include <unistd.h>

#include <algorithm>

#include "line_width.h"
#include "verne/base/text.h"

namespace verne::cli {

void Table::add_row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = escaped(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::text(const std::string& indent) const {
  std::vector<std::size_t> widths, shown;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t widest = 0;
    for (const auto& row : rows_) widest = std::max(widest, width_of(row[i]));
    widths.push_back(std::max(widest, width_of(columns_[i].title)));
    if (widest > 0) shown.push_back(i);
  }
  std::string text;
  for (const std::vector<std::size_t>& part : parts(shown, widths, indent.size())) {
    if (!text.empty()) text += "\n";
    const auto add_line = [&](const auto& cell_of) {
      std::string line = indent;
      for (const std::size_t i : part) {
        const std::string& cell = cell_of(i);
        const std::string padding(widths[i] - width_of(cell), ' ');
        line += (columns_[i].align == Align::left ? cell + padding : padding + cell) + "  ";
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    };
    add_line([&](std::size_t i) -> const std::string& { return columns_[i].title; });
    for (const auto& row : rows_) add_line([&](std::size_t i) -> const std::string& { return row[i]; });
  }
  return text;
}

std::vector<std::vector<std::size_t>> Table::parts(const std::vector<std::size_t>& shown,
                                                   const std::vector<std::size_t>& widths, std::size_t indent) const {
  const std::size_t room = columns_of(STDOUT_FILENO);
  const auto width_with = [&](const std::vector<std::size_t>& part, std::size_t more) {
    std::size_t width = indent + widths[more];
    for (const std::size_t i : part) width += widths[i] + 2;
    return width;
  };
  const auto is_text = [&](std::size_t i) { return columns_[i].align == Align::left; };
  const auto text = std::find_if(shown.begin(), shown.end(), is_text),
             label = text != shown.end() ? text : shown.begin();
  std::vector<std::vector<std::size_t>> parts(1);
  for (const std::size_t i : shown) {
    const bool is_full = room > 0 && width_with(parts.back(), i) > room;
    if (is_full && label != shown.end() && i > *label && parts.back().back() > *label) parts.push_back({*label});
    parts.back().push_back(i);
  }
  return parts;
}

}  // namespace verne::cli
