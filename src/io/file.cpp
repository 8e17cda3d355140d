#include "verne/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "base/regular_file.h"
#include "verne/base/error.h"
#include "verne/base/text.h"

namespace verne {

namespace {

/// File systems allow 255 bytes; what is added to names needs some.
constexpr std::size_t kLongestName = 128;

/// Temporary names that are in use. Held while one comes or goes, so that abandon_new_files() misses none.
struct Unfinished {
  std::mutex mutex;
  std::set<std::string> names;
};
Unfinished& unfinished() {
  static Unfinished& all = *new Unfinished;  // lives to the very end: any thread may be writing then
  return all;
}

/// What stands at a path; nothing when there is nothing.
std::optional<mode_t> kind_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_mode & S_IFMT;
}

/// In the same folder. As much of the name as leaves room for what is added.
std::string temporary_name(const std::string& path) {
  static std::atomic<int> counter{0};
  const std::size_t name = path.rfind('/') + 1;  // npos + 1 is 0
  return path.substr(0, name) + path.substr(name).substr(0, kLongestName) + ".tmp-" + std::to_string(::getpid()) + "-" +
         std::to_string(counter++);
}

}  // namespace

std::string read_text_file(const std::string& path) {
  return read_any_file(path, kLargestFile);
}

NewFile::NewFile(const std::string& path) : path_(path) {
  const std::optional<mode_t> kind = kind_of(path);
  if (kind == S_IFDIR) {
    errno = EISDIR;
    fail();
  }
  if (kind && kind != S_IFREG) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = temporary_name(path);
    const std::lock_guard lock(unfinished().mutex);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) unfinished().names.insert(temporary_);
  }
  if (descriptor_ < 0) fail();
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (temporary_.empty()) return;
  const std::lock_guard lock(unfinished().mutex);
  if (unfinished().names.erase(temporary_) > 0) ::unlink(temporary_.c_str());
}

void NewFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void NewFile::finish() {
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail();
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) fail();
  if (temporary_.empty()) return;
  const std::lock_guard lock(unfinished().mutex);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  unfinished().names.erase(temporary_);
}

void NewFile::fail() const {
  throw EnvironmentError(path_ + ": cannot be written: " + std::strerror(errno));
}

void write_text_file(const std::string& path, std::string_view text) {
  NewFile file(path);
  file.write(text);
  file.finish();
}

void abandon_new_files() {
  unfinished().mutex.lock();  // and never unlocked
  for (const std::string& name : unfinished().names) ::unlink(name.c_str());
}

std::string file_name_for(std::string_view name) {
  std::string safe;
  while (!name.empty()) {
    const Utf8Character character = first_character(name);
    name.remove_prefix(character.bytes.size());
    if (safe.size() + character.bytes.size() > kLongestName) break;
    const bool leads_elsewhere = character.code == '/' || (character.code == '.' && safe.empty());
    if (leads_elsewhere || character.is_control() || !character.valid) {
      safe += '_';
    } else {
      safe += character.bytes;
    }
  }
  return safe;
}

}  // namespace verne
