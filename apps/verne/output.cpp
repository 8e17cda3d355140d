#include "output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "interrupt.h"
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

}  // namespace

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
  Output("-").write(text);
}

void show(std::string_view lines) {
  print(visible(lines, "\n"));
}

void complain(std::string_view lines) {
  write_to_stderr(visible(lines, "\n") + "\n");
}

void show_progress(std::string_view line) {
  write_to_stderr("\r\033[K" + visible(line));
}

}  // namespace verne::cli
