#include "verne/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "verne/base/error.h"

namespace verne {

namespace {

/// More than any model, task or recording needs; an endless device or a wrong file is noticed before memory runs out.
constexpr std::size_t kLargestFile = std::size_t{256} << 20;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw InputError({Problem{path, 0, why}});
}

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw EnvironmentError(path + ": " + what + ": " + std::strerror(errno));
}

/// An open file that closes itself.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  bool close() {
    const int number = number_;
    number_ = -1;
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

bool write_all(const Descriptor& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool is_special_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::string temporary_name(const std::string& path) {
  static std::atomic<int> counter{0};
  return path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

}  // namespace

std::string read_text_file(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  if (!file.is_open()) refuse(path, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) refuse(path, std::string("cannot be read: ") + std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse(path, "is a folder, expected a file");

  std::string text;
  char chunk[1 << 16];
  while (true) {
    const ssize_t count = ::read(file.number(), chunk, sizeof(chunk));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(path, std::string("cannot be read: ") + std::strerror(errno));
    if (count == 0) return text;
    text.append(chunk, static_cast<std::size_t>(count));
    if (text.size() > kLargestFile) refuse(path, "is larger than 256 MB");
  }
}

void write_text_file(const std::string& path, std::string_view text) {
  if (is_special_file(path)) {
    Descriptor file(path, O_WRONLY);
    if (!file.is_open() || !write_all(file, text) || !file.close()) fail(path, "cannot be written");
    return;
  }
  const std::string temporary = temporary_name(path);
  Descriptor file(temporary, O_WRONLY | O_CREAT | O_EXCL);
  if (!file.is_open()) fail(path, "cannot be written");
  const bool complete = write_all(file, text) && ::fsync(file.number()) == 0 && file.close();
  if (!complete || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
    fail(path, "cannot be written");
  }
}

}  // namespace verne
