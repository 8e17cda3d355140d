#include "io/csv.h"

#include <algorithm>

#include "io/number.h"
#include "verne/base/error.h"

namespace verne {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kWideMarks[] = {"\xFF\xFE", "\xFE\xFF"};  // of UTF-16

}  // namespace

std::string csv_cell(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool has_blanks = !text.empty() && (is_blank(text.front()) || is_blank(text.back()));
  const auto begins_with = [&](std::string_view mark) { return text.starts_with(mark); };
  const bool has_mark =
      begins_with(kByteOrderMark) || std::any_of(std::begin(kWideMarks), std::end(kWideMarks), begins_with);
  if (!has_blanks && !has_mark && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + '"';
}

CsvReader::CsvReader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  for (const std::string_view mark : kWideMarks) {
    if (text_.starts_with(mark)) fail(1, "the text is UTF-16: save it as UTF-8");
  }
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
}

bool CsvReader::next(std::vector<std::string>& cells) {
  cells.clear();
  while (!text_.empty()) {
    line_ = next_line_;
    const bool quoted = text_.front() == '"';
    cells.push_back(take_cell());
    while (!at_end_of_record()) {
      text_.remove_prefix(1);  // the comma
      cells.push_back(take_cell());
    }
    take_end_of_line();
    if (quoted || cells.size() > 1 || !cells[0].empty()) return true;
    cells.clear();
  }
  return false;
}

std::string CsvReader::take_cell() {
  take_blanks();
  if (text_.starts_with('"')) return take_quoted();
  const std::string_view cell = text_.substr(0, text_.find_first_of(",\r\n"));
  if (cell.find('"') != std::string_view::npos) {
    fail(next_line_,
         "quotes inside of " + in_quotes(cell) + ": a cell with quotes is in quotes, where each is written twice");
  }
  text_.remove_prefix(cell.size());
  return std::string(cell.substr(0, cell.find_last_not_of(" \t") + 1));
}

std::string CsvReader::take_quoted() {
  const int begin = next_line_;
  std::string cell;
  while (true) {
    text_.remove_prefix(1);
    const std::size_t end = text_.find('"');
    if (end == std::string_view::npos) fail(begin, "a cell begins with quotes that do not end");
    const std::string_view part = text_.substr(0, end);
    next_line_ += static_cast<int>(std::count(part.begin(), part.end(), '\n'));
    cell += part;
    text_.remove_prefix(end + 1);
    if (!text_.starts_with('"')) break;
    cell += '"';
  }
  take_blanks();
  if (!at_end_of_record() && text_.front() != ',') fail(next_line_, "text behind the quotes of " + in_quotes(cell));
  return cell;
}

bool CsvReader::at_end_of_record() const {
  return text_.empty() || text_.front() == '\r' || text_.front() == '\n';
}

void CsvReader::take_end_of_line() {
  if (text_.empty()) return;
  text_.remove_prefix(text_.starts_with("\r\n") ? 2 : 1);
  ++next_line_;
}

void CsvReader::take_blanks() {
  text_.remove_prefix(std::min(text_.find_first_not_of(" \t"), text_.size()));
}

void CsvReader::fail(int line, const std::string& why) const {
  throw InputError({Diagnostic{file_, line, why}});
}

std::vector<std::string> csv_header(CsvReader& reader, const std::string& file) {
  std::vector<std::string> names;
  reader.next(names);
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name || name->empty()) continue;
    throw InputError({Diagnostic{file, reader.line(), "there are two columns of " + in_quotes(*name)}});
  }
  return names;
}

}  // namespace verne
