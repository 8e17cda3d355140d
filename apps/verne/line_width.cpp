#include "line_width.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "verne/base/text.h"

namespace verne::cli {

namespace {

/// Narrower terminals break lines by themselves.
constexpr std::size_t kNarrowest = 20;

/// Where the text behind the last gap of two blanks begins that lies in the first half: there the rest of the line
/// goes.
std::size_t hanging_indent(std::string_view line, std::size_t width) {
  const std::size_t text = std::min(line.find_first_not_of(' '), line.size());
  std::size_t place = std::string_view::npos;
  for (std::size_t gap = line.find("  ", text); gap != std::string_view::npos; gap = line.find("  ", gap)) {
    gap = std::min(line.find_first_not_of(' ', gap), line.size());
    const std::size_t column = width_of(line.substr(0, gap));
    if (column > width / 2) break;
    place = column;
  }
  return place != std::string_view::npos ? place : std::min(text + 2, width / 2);
}

void append_wrapped(std::string& out, std::string_view line, std::size_t width, std::size_t column) {
  const std::size_t indent = hanging_indent(line, width);
  while (column + width_of(line) > width) {
    std::size_t end = 0, fits = 0;  // of the words that fit
    while (true) {
      const std::size_t word = line.find_first_not_of(' ', end);
      if (word == std::string_view::npos) break;
      end = std::min(line.find(' ', word), line.size());
      if (fits > 0 && column + width_of(line.substr(0, end)) > width) break;
      fits = end;
    }
    const std::size_t rest = line.find_first_not_of(' ', fits);
    if (rest == std::string_view::npos) break;
    out += line.substr(0, fits);
    out += "\n" + std::string(indent, ' ');
    line.remove_prefix(rest);
    column = indent;
  }
  out += line;
}

}  // namespace

std::size_t columns_of(int descriptor) {
  if (::isatty(descriptor) != 1) return 0;
  winsize window{};
  const char* const wish = std::getenv("COLUMNS");
  const long wished = wish ? std::strtol(wish, nullptr, 10) : 0;
  if (wished > 0) return std::max(static_cast<std::size_t>(wished), kNarrowest);
  if (::ioctl(descriptor, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return 0;
  return std::max(std::size_t{window.ws_col}, kNarrowest);
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    if (text.front() == '\033') {
      text.remove_prefix(std::min(text.find('m'), text.size() - 1) + 1);
      continue;
    }
    text.remove_prefix(first_character(text).bytes.size());
    ++width;
  }
  return width;
}

std::string wrapped(std::string_view lines, std::size_t width, std::size_t begin) {
  if (width == 0) return std::string(lines);
  std::string out;
  while (true) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    append_wrapped(out, lines.substr(0, end), width, begin);
    if (end == lines.size()) return out;
    out += '\n';
    lines.remove_prefix(end + 1);
    begin = 0;
  }
}

}  // namespace verne::cli
