#include "output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "interrupt.h"
#include "verne/base/error.h"

namespace verne::cli {

namespace {

/// A terminal, a pipe, /dev/null: nothing to be put in place by renaming.
bool is_special_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

Output::Output(const std::string& path) : path_(path == "-" ? "standard output" : path) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    fail();
  }
  if (is_special_file(path)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = path + ".tmp-" + std::to_string(::getpid());
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (descriptor_ < 0) fail();
}

Output::~Output() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Output::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      check_interrupt();
      continue;
    }
    if (written < 0 && errno == EPIPE) throw ClosedPipe{};
    if (written < 0) fail();
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Output::finish() {
  if (temporary_.empty()) return;
  if (::fsync(descriptor_) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  temporary_.clear();
}

void Output::fail() const {
  throw EnvironmentError(path_ + ": cannot be written: " + std::strerror(errno));
}

void print(std::string_view text) {
  Output("-").write(text);
}

}  // namespace verne::cli
