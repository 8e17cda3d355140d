#include "line_reader.h"

#include <algorithm>

#include "verne/base/error.h"

namespace verne::cli {

namespace {

constexpr std::size_t kReadSize = 1 << 16;

}  // namespace

bool LineReader::next(std::string& line) {
  std::size_t searched = begin_;
  std::size_t end = 0;
  while ((end = buffer_.find('\n', searched)) == std::string::npos) {
    const std::size_t seen = buffer_.size() - begin_;
    if (seen > longest_) break;
    if (!fill()) {
      if (seen == 0) return false;
      end = buffer_.size();  // the last line need not have an end
      break;
    }
    searched = begin_ + seen;
  }
  if (std::min(end, buffer_.size()) - begin_ > longest_) {
    throw InputError({Diagnostic{
        name(), line_number_ + 1,
        "the line is longer than " + std::to_string(longest_) + " bytes, more than a state of this model needs"}});
  }
  line.assign(buffer_, begin_, end - begin_);
  begin_ = std::min(end + 1, buffer_.size());
  ++line_number_;
  return true;
}

bool LineReader::is_ready() const {
  return buffer_.find('\n', begin_) != std::string::npos || input_.is_ready();
}

bool LineReader::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t size = buffer_.size();
  buffer_.resize(size + kReadSize);
  const std::size_t count = input_.read(buffer_.data() + size, kReadSize);
  buffer_.resize(size + count);
  return count > 0;
}

}  // namespace verne::cli
