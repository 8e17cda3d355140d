#include "study/journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

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

JournalContents contents_in(const std::string& contents, const std::string& path) {
  JournalContents found{std::string(header_in(contents, path)), {}, 0};
  found.end = kMagicSize + kRecordHead + found.header.size();
  while (const auto record = first_record(std::string_view(contents).substr(found.end))) {
    found.records.emplace_back(*record);
    found.end += kRecordHead + record->size();
  }
  return found;
}

/// A beginning that was cut off before the header was whole: nothing is lost with it.
bool barely_begun(const std::string& contents) {
  const std::string_view magic(kMagic);
  return contents.size() <= kMagicSize ? magic.starts_with(contents)
                                       : contents.starts_with(magic) && contents.size() < kMagicSize + kRecordHead;
}

/// Locks are of the process (fcntl), so that children which outlive a killed parent for an instant do not keep them.
/// But a process gives up its lock by closing any descriptor of the file: this one therefore opens each journal once.
class OpenJournals {
 public:
  static OpenJournals& get() {
    static OpenJournals all;
    return all;
  }
  std::mutex mutex;  ///< is held by who calls what follows

  /// The descriptor of a journal that this process has open.
  std::optional<int> find(const std::string& path) const {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    const auto found = files_.find({status.st_dev, status.st_ino});
    return found == files_.end() ? std::nullopt : std::optional(found->second);
  }
  void add(int file) {
    struct stat status {};
    ::fstat(file, &status);
    files_[{status.st_dev, status.st_ino}] = file;
  }
  void close(int file) {
    std::erase_if(files_, [&](const auto& entry) { return entry.second == file; });
    ::close(file);
  }

 private:
  std::map<std::pair<dev_t, ino_t>, int> files_;
};

struct flock whole_file() {
  struct flock whole {};
  whole.l_type = F_WRLCK, whole.l_whence = SEEK_SET;
  return whole;
}

std::string read_from(int file, const std::string& path) {
  struct stat status {};
  if (::fstat(file, &status) != 0) fail(path);
  if (!S_ISREG(status.st_mode)) refuse(path);
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::pread(file, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path);
    if (count == 0) text.resize(done);  // it has become shorter
    done += static_cast<std::size_t>(count);
  }
  return text;
}

/// What is on the disk, whoever may be writing.
std::string journal_text(const std::string& path) {
  OpenJournals& open = OpenJournals::get();
  const std::lock_guard lock(open.mutex);
  const auto file = open.find(path);
  return file ? read_from(*file, path) : read_regular_file(path, kLargestJournal);
}

/// Opens a journal for this process alone.
int open_alone(const std::string& path) {
  OpenJournals& open = OpenJournals::get();
  const std::lock_guard lock(open.mutex);
  const auto refuse_use = [&] { throw EnvironmentError(path + ": another process is computing this study"); };
  if (open.find(path)) refuse_use();
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) fail(path);
  struct flock whole = whole_file();
  if (::fcntl(file, F_SETLK, &whole) != 0) {
    const int error = errno;
    ::close(file);
    if (error == EACCES || error == EAGAIN) refuse_use();
    throw EnvironmentError(path + ": " + std::strerror(error));
  }
  open.add(file);
  return file;
}

void close_journal(int file) {
  OpenJournals& open = OpenJournals::get();
  const std::lock_guard lock(open.mutex);
  open.close(file);
}

}  // namespace

Journal::Journal(const std::string& path, const std::string& header) : path_(path), file_(open_alone(path)) {
  try {
    const std::string contents = read_from(file_, path);
    barely_begun(contents) ? begin(header) : load(contents);
  } catch (...) {
    close_journal(file_);
    throw;
  }
}

Journal::~Journal() {
  close_journal(file_);
}

void Journal::begin(const std::string& header) {
  if (::ftruncate(file_, 0) != 0) fail(path_);
  header_ = header;
  buffer_ = kMagic + framed_record(header);
  flush();
}

void Journal::load(const std::string& contents) {
  JournalContents found = contents_in(contents, path_);
  header_ = std::move(found.header), records_ = std::move(found.records);
  dropped_ = contents.size() - found.end;
  if (dropped_ > 0 && ::ftruncate(file_, static_cast<off_t>(found.end)) != 0) fail(path_);
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

JournalContents read_journal(const std::string& path) {
  return contents_in(journal_text(path), path);
}

std::optional<std::string> journal_header(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  return std::string(header_in(journal_text(path), path));
}

bool is_being_written(const std::string& path) {
  OpenJournals& open = OpenJournals::get();
  const std::lock_guard lock(open.mutex);
  if (open.find(path)) return true;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  struct flock whole = whole_file();
  const bool asked = ::fcntl(file, F_GETLK, &whole) == 0;
  ::close(file);
  return asked && whole.l_type != F_UNLCK;
}

}  // namespace verne
