/// Whole files in and out.
#pragma once

#include <string>
#include <string_view>

#include "verne/base/export.h"

namespace verne {

/// More than any model, task or solution needs; an endless device or a wrong file is noticed before memory runs out.
inline constexpr std::size_t kLargestFile = std::size_t{256} << 20;

/// The contents of a file. Throws InputError that names it when it is missing, a folder, unreadable or absurdly large.
VERNE_API std::string read_text_file(const std::string& path);

/// A file that takes its place when it is whole: written under a temporary name in the same folder, flushed to the disk
/// and renamed, so that whoever looks at the path sees the old contents or all of the new. What is not a regular file
/// (a terminal, a pipe) is written to directly. Everything throws EnvironmentError on failure.
class VERNE_API NewFile {
 public:
  /// Begins a file; its folder must be there.
  explicit NewFile(const std::string& path);
  /// Takes an unfinished file away.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// The open file, for the operating system's own functions.
  int descriptor() const { return descriptor_; }
  /// Appends to it.
  void write(std::string_view text);
  /// Puts it in its place.
  void finish();

 private:
  [[noreturn]] void fail() const;

  std::string path_, temporary_;
  int descriptor_ = -1;
};

/// The whole of a new file at once.
VERNE_API void write_text_file(const std::string& path, std::string_view text);

/// Takes away what is not finished yet, and lets nothing be begun or finished from then on: for a program that ends at
/// once while another thread may be writing.
VERNE_API void abandon_new_files();

/// A name that people gave to something, as the name of a file or folder: slashes and characters that steer a terminal
/// become `_`, and so does a dot at the beginning; what is too long is cut. Never leads out of a folder.
VERNE_API std::string file_name_for(std::string_view name);

}  // namespace verne
