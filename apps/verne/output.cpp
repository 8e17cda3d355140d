#include "output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#include "interrupt.h"
#include "line_width.h"
#include "verne/base/error.h"
#include "verne/base/text.h"

namespace verne::cli {

namespace {

void write_to_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

Colours wanted_colours = Colours::automatic;
std::string failure;  // of standard output

bool has_colours(int descriptor) {
  if (wanted_colours != Colours::automatic) return wanted_colours == Colours::always;
  const char *const refused = std::getenv("NO_COLOR"), *const terminal = std::getenv("TERM");
  return !(refused && *refused) && !(terminal && std::strcmp(terminal, "dumb") == 0) && ::isatty(descriptor);
}

std::string coloured(std::string_view text, Tone tone) {
  static constexpr std::string_view kCodes[] = {"", "32", "33", "31"};
  return "\033[" + std::string(kCodes[static_cast<int>(tone)]) + "m" + std::string(text) + "\033[0m";
}

/// Colours the first word of each line that says how grave it is; names cannot, since `lines` are visible already.
std::string with_coloured_grades(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    const std::size_t error = line.find("error: "), warning = line.find("warning: ");
    const bool grave = error < warning;
    const std::size_t at = std::min(error, warning), size = grave ? 5 : 7;
    if (at == std::string_view::npos) {
      text += line;
    } else {
      text += line.substr(0, at);
      text += coloured(line.substr(at, size), grave ? Tone::bad : Tone::fair);
      text += line.substr(at + size);
    }
    lines.remove_prefix(line.size());
    if (lines.empty()) break;
    text += '\n';
    lines.remove_prefix(1);
  }
  return text;
}

/// As much of a line as the terminal has columns for, less one, which keeps the cursor on the line.
std::string_view cut_to_terminal(std::string_view line) {
  const std::size_t columns = columns_of(STDERR_FILENO);
  if (columns == 0) return line;
  std::size_t end = 0;
  for (std::size_t column = 1; column < columns && end < line.size(); ++column) {
    end += first_character(line.substr(end)).bytes.size();
  }
  return line.substr(0, end);
}

}  // namespace

void use_colours(Colours colours) {
  wanted_colours = colours;
}

Output::Output(const std::string& path) : path_(path == "-" ? "standard output" : path), descriptor_(STDOUT_FILENO) {
  if (path == "-") return;
  file_.emplace(path);
  descriptor_ = file_->descriptor();
}

void Output::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      check_interrupt();
      continue;
    }
    if (written < 0 && errno == EPIPE) throw ClosedPipe{};
    if (written < 0) throw EnvironmentError(path_ + ": cannot be written: " + std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Output::finish() {
  if (file_) file_->finish();
}

void print(std::string_view text) {
  static bool is_open = true;
  if (!is_open) return;
  try {
    Output("-").write(text);
  } catch (const ClosedPipe&) {
    is_open = false;
  } catch (const EnvironmentError& error) {
    is_open = false;
    failure = error.what();
  }
}

const std::string& output_failure() {
  return failure;
}

void show(std::string_view lines, Tone tone) {
  static std::size_t column = 0;  // where the cursor is
  std::string text = escaped(lines, "\n");
  if (tone != Tone::plain && has_colours(STDOUT_FILENO)) text = coloured(text, tone);
  text = wrapped(text, columns_of(STDOUT_FILENO), column);
  print(text);
  const std::size_t end = text.rfind('\n');
  column = end == std::string::npos ? column + width_of(text) : width_of(std::string_view(text).substr(end + 1));
}

void complain(std::string_view lines) {
  const std::string text = escaped(lines, "\n");
  write_to_stderr(wrapped(has_colours(STDERR_FILENO) ? with_coloured_grades(text) : text, columns_of(STDERR_FILENO)) +
                  "\n");
}

std::string line_about(Diagnostic problem, const char* severity) {
  static std::set<std::string> told;
  if (problem.file.starts_with('/') && !told.insert(problem.file).second) {
    problem.file = std::filesystem::path(problem.file).filename().string();
  }
  return to_string(problem, severity);
}

void show_progress(std::string_view line) {
  const std::string text = escaped(line);
  write_to_stderr("\r\033[K" + std::string(cut_to_terminal(text)));
}

}  // namespace verne::cli
