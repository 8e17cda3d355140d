#include "input.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "interrupt.h"
#include "verne/base/error.h"
#include "verne/io/file.h"

namespace verne::cli {

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw InputError({Diagnostic{name, 0, why}});
}

}  // namespace

// Opening does not wait for the writer of a pipe: only read() does, which a signal ends.
Input::Input(const std::string& path)
    : name_(input_name(path)),
      descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (descriptor_ < 0) refuse(name_, std::string("cannot be opened: ") + std::strerror(errno));
}

Input::~Input() {
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

std::size_t Input::read(char* data, std::size_t size) {
  while (true) {
    wait_for_input(descriptor_);
    const ssize_t count = ::read(descriptor_, data, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EINTR || errno == EAGAIN) continue;
    refuse(name_,
           errno == EISDIR ? "is a folder, expected a file" : std::string("cannot be read: ") + std::strerror(errno));
  }
}

bool Input::is_ready() const {
  pollfd input{descriptor_, POLLIN, 0};
  return ::poll(&input, 1, 0) != 0;
}

std::string input_name(const std::string& path) {
  return path == "-" ? "stdin" : path;
}

std::string read_input(const std::string& path) {
  Input input(path);
  std::string text;
  char chunk[1 << 16];
  while (const std::size_t count = input.read(chunk, sizeof(chunk))) {
    text.append(chunk, count);
    if (text.size() > kLargestFile) refuse(input.name(), "is larger than 256 MB");
  }
  return text;
}

}  // namespace verne::cli
