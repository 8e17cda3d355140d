#include "base/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "verne/base/error.h"

namespace verne {

namespace {

[[noreturn]] void refuse_file(const std::string& path, const std::string& why) {
  throw InputError({Diagnostic{path, 0, why}});
}

/// An open file that closes itself.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path, int flags = 0)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags)) {}
  ~Descriptor() {
    if (is_open()) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  int number_;
};

/// What is open at `path`: no folder.
mode_t kind_of(const Descriptor& file, const std::string& path) {
  if (!file.is_open()) refuse_file(path, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) refuse_file(path, std::string("cannot be read: ") + std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse_file(path, "is a folder, expected a file");
  return status.st_mode & S_IFMT;
}

std::string contents_of(const Descriptor& file, const std::string& path, std::size_t most) {
  std::string text;
  char chunk[1 << 16];
  while (true) {
    const ssize_t count = ::read(file.number(), chunk, sizeof(chunk));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse_file(path, std::string("cannot be read: ") + std::strerror(errno));
    if (count == 0) return text;
    text.append(chunk, static_cast<std::size_t>(count));
    if (text.size() > most) refuse_file(path, "is larger than " + std::to_string(most >> 20) + " MB");
  }
}

}  // namespace

std::string read_any_file(const std::string& path, std::size_t most) {
  const Descriptor file(path);
  kind_of(file, path);
  return contents_of(file, path, most);
}

std::string read_regular_file(const std::string& path, std::size_t most) {
  const Descriptor file(path, O_NONBLOCK);  // which does not wait for who would write to a pipe
  if (kind_of(file, path) != S_IFREG) refuse_file(path, "is a pipe or a device, expected a file");
  return contents_of(file, path, most);
}

}  // namespace verne
