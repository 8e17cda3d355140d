#include "line_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "interrupt.h"
#include "verne/base/error.h"

namespace verne::cli {

namespace {

constexpr std::size_t kReadSize = 1 << 16;
/// A state of a thousand joints is a hundred kilobytes; an endless line must not eat the memory.
constexpr std::size_t kLongestLine = std::size_t{64} << 20;

}  // namespace

LineReader::LineReader(const std::string& path)
    : name_(path == "-" ? "stdin" : path),
      descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw InputError({Problem{name_, 0, std::string("cannot be opened: ") + std::strerror(errno)}});
}

LineReader::~LineReader() {
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

bool LineReader::next(std::string& line) {
  std::size_t searched = begin_;
  std::size_t end = 0;
  while ((end = buffer_.find('\n', searched)) == std::string::npos) {
    if (buffer_.size() - begin_ > kLongestLine) {
      throw InputError({Problem{name_, line_number_ + 1, "the line is longer than 64 MB"}});
    }
    const std::size_t seen = buffer_.size() - begin_;
    if (!fill()) {
      if (seen == 0) return false;
      end = buffer_.size();  // the last line need not have an end
      break;
    }
    searched = begin_ + seen;
  }
  line.assign(buffer_, begin_, end - begin_);
  begin_ = std::min(end + 1, buffer_.size());
  ++line_number_;
  return true;
}

bool LineReader::is_ready() const {
  if (buffer_.find('\n', begin_) != std::string::npos) return true;
  pollfd input{descriptor_, POLLIN, 0};
  return ::poll(&input, 1, 0) != 0;
}

bool LineReader::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t size = buffer_.size();
  buffer_.resize(size + kReadSize);
  while (true) {
    wait_for_input(descriptor_);
    const ssize_t count = ::read(descriptor_, buffer_.data() + size, kReadSize);
    if (count < 0 && errno == EINTR) continue;
    buffer_.resize(size + static_cast<std::size_t>(count < 0 ? 0 : count));
    if (count < 0) throw InputError({Problem{name_, 0, std::string("cannot be read: ") + std::strerror(errno)}});
    return count > 0;
  }
}

}  // namespace verne::cli
