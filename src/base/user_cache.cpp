#include "base/user_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "verne/base/error.h"

namespace verne {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_cache(const std::string& folder, const std::string& why) {
  throw EnvironmentError("cache " + folder + ": " + why);
}

/// What is loaded from here runs as the user: nobody else may have put it there.
void open_cache(const std::string& folder) {
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) refuse_cache(folder, std::strerror(errno));
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0) refuse_cache(folder, std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) refuse_cache(folder, "is no folder");
  if (status.st_uid != geteuid()) refuse_cache(folder, "belongs to somebody else");
  if ((status.st_mode & 077) != 0) refuse_cache(folder, "others can enter it; make it yours alone with chmod 700");
}

/// Goes away with all that is in it.
class WorkFolder {
 public:
  explicit WorkFolder(const std::string& cache) : path_(cache + "/new-XXXXXX") {
    if (!mkdtemp(path_.data())) refuse_cache(cache, std::strerror(errno));
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Eight bytes at a time.
std::uint64_t hash_of(const std::string& text, std::uint64_t hash) {
  const auto add = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9FB21C651E98DF25U;  // odd: no two hashes become one
    hash ^= hash >> 32U;
  };
  for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
    add(word);
  }
  add(text.size());
  return hash;
}

/// Nothing where it cannot be read.
std::string contents_of(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

/// What ends a file that is whole: a fingerprint of its name and of all before it.
std::string seal_of(const std::string& entry, const std::string& contents) {
  return "\nverne " + fingerprint(entry + "\n" + contents) + "\n";
}

/// The contents of an entry that is as it was made.
std::optional<std::string> unsealed(const std::string& path, const std::string& entry) {
  std::string contents = contents_of(path);
  const std::size_t size = seal_of(entry, "").size();
  if (contents.size() <= size) return std::nullopt;
  const std::string seal = contents.substr(contents.size() - size);
  contents.resize(contents.size() - size);
  if (seal != seal_of(entry, contents)) return std::nullopt;
  return contents;
}

/// Puts a seal at the end, and all of the file on the disk; returns what it held.
std::string sealed(const std::string& path, const std::string& entry) {
  std::string contents = contents_of(path);
  write_work_file(path, contents + seal_of(entry, contents));
  return contents;
}

}  // namespace

void write_work_file(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool whole = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  whole = whole && std::fflush(file) == 0 && fsync(fileno(file)) == 0;
  int error = errno;
  if (file && std::fclose(file) != 0 && whole) whole = false, error = errno;
  if (!whole) throw EnvironmentError(path + ": cannot be written: " + std::strerror(error));
}

std::string user_cache() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache && cache[0] == '/') return std::string(cache) + "/verne";
  const char* const home = std::getenv("HOME");
  if (home && home[0] == '/') return std::string(home) + "/.cache/verne";
  throw EnvironmentError("cache: neither XDG_CACHE_HOME nor HOME names a folder");
}

CacheEntry cached(const std::string& cache, const std::string& entry,
                  const std::function<void(const std::string& folder, const std::string& path)>& make) {
  open_cache(cache);
  const std::string path = cache + "/" + entry;
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode) || status.st_uid != geteuid())
      refuse_cache(cache, entry + " belongs to somebody else");
    if (std::optional<std::string> contents = unsealed(path, entry)) return {path, std::move(*contents)};
  }
  const WorkFolder work(cache);
  const std::string made = work.path() + "/" + entry;
  make(work.path(), made);
  std::string contents = sealed(made, entry);
  if (rename(made.c_str(), path.c_str()) != 0) refuse_cache(cache, std::strerror(errno));
  return {path, std::move(contents)};
}

std::string fingerprint(const std::string& text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const std::uint64_t seed : {0xCBF29CE484222325U, 0x9E3779B97F4A7C15U}) {
    const std::uint64_t hash = hash_of(text, seed);
    for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[(hash >> static_cast<unsigned>(shift)) & 15U];
  }
  return out;
}

}  // namespace verne
