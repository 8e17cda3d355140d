/// A folder that a run of `verne predict` writes its results into, and owns.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace verne::cli {

class ResultFolder {
 public:
  /// Makes the folder and proves that it can be written. Throws EnvironmentError.
  explicit ResultFolder(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  /// Names of the files and folders of rows that were written so far, in order.
  const std::set<std::string>& written() const { return written_; }
  /// Writes a file whole; returns its path.
  std::string write(const std::string& name, const std::string& text);
  /// The folder of a row of a sweep.
  ResultFolder row(std::size_t index);

  /// Once the new files are whole: takes away those that an earlier run left and this one did not write, which would
  /// pass for results of this one. Does nothing in a folder that held no results of ours.
  void remove_stale() const;

 private:
  std::filesystem::path path_;
  bool had_results_;
  std::set<std::string> written_;
};

}  // namespace verne::cli
