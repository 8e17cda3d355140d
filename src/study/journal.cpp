#include "study/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "base/regular_file.h"
#include "verne/base/error.h"

namespace verne {

namespace {

constexpr char kMagic[] = "verne-study-journal/1\n";
constexpr std::size_t kMagicSize = sizeof(kMagic) - 1, kRecordHead = 2 * sizeof(std::uint32_t);
constexpr auto kFlushTime = std::chrono::milliseconds(250);
constexpr std::size_t kLargestJournal = std::size_t{1} << 40;

[[noreturn]] void fail(const std::string& path) {
  throw EnvironmentError(path + ": " + std::strerror(errno));
}

std::uint32_t checksum(std::string_view record) {
  return static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(record.data()), static_cast<uInt>(record.size())));
}

std::string framed_record(std::string_view record) {
  const std::uint32_t head[] = {static_cast<std::uint32_t>(record.size()), checksum(record)};
  std::string out(reinterpret_cast<const char*>(head), kRecordHead);
  return out += record;
}

/// The record that `bytes` begin with; nothing when it is not whole.
std::optional<std::string_view> first_record(std::string_view bytes) {
  std::uint32_t head[2];
  if (bytes.size() < kRecordHead) return std::nullopt;
  std::memcpy(head, bytes.data(), kRecordHead);
  if (bytes.size() - kRecordHead < head[0]) return std::nullopt;
  const std::string_view record = bytes.substr(kRecordHead, head[0]);
  return checksum(record) == head[1] ? std::optional(record) : std::nullopt;
}

[[noreturn]] void refuse(const std::string& path) {
  throw InputError({{path, 0, "is no journal of a study, or its beginning is damaged: use another folder"}});
}

std::string_view header_in(const std::string& contents, const std::string& path) {
  if (!contents.starts_with(kMagic)) refuse(path);
  const auto header = first_record(std::string_view(contents).substr(kMagicSize));
  if (!header) refuse(path);
  return *header;
}

/// A beginning that was cut off before the header was whole: nothing is lost with it.
bool barely_begun(const std::string& contents) {
  const std::string_view magic(kMagic);
  return contents.size() <= kMagicSize ? magic.starts_with(contents)
                                       : contents.starts_with(magic) && contents.size() < kMagicSize + kRecordHead;
}

}  // namespace

Journal::Journal(const std::string& path, const std::string& header) : path_(path) {
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) fail(path);
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw EnvironmentError(path + ": another process is computing this study");
  }
  try {
    const std::string contents = read_regular_file(path, kLargestJournal);
    barely_begun(contents) ? begin(header) : load(contents);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

Journal::~Journal() {
  ::close(file_);
}

void Journal::begin(const std::string& header) {
  if (::ftruncate(file_, 0) != 0) fail(path_);
  header_ = header;
  buffer_ = kMagic + framed_record(header);
  flush();
}

void Journal::load(const std::string& contents) {
  header_ = header_in(contents, path_);
  std::size_t end = kMagicSize + kRecordHead + header_.size();
  while (const auto record = first_record(std::string_view(contents).substr(end))) {
    records_.emplace_back(*record);
    end += kRecordHead + record->size();
  }
  dropped_ = contents.size() - end;
  if (dropped_ > 0 && ::ftruncate(file_, static_cast<off_t>(end)) != 0) fail(path_);
}

void Journal::append(std::string_view record) {
  buffer_ += framed_record(record);
}

void Journal::flush_in_time() {
  if (!buffer_.empty() && std::chrono::steady_clock::now() - flushed_ >= kFlushTime) flush();
}

void Journal::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t count = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path_);
    done += static_cast<std::size_t>(count);
  }
  if (done > 0 && ::fdatasync(file_) != 0 && errno != EINVAL && errno != EROFS) fail(path_);
  buffer_.clear();
  flushed_ = std::chrono::steady_clock::now();
}

std::optional<std::string> journal_header(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  return std::string(header_in(read_regular_file(path, kLargestJournal), path));
}

}  // namespace verne
