/// A folder that a run of `verne predict` writes its results into, and owns.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "verne/io/file.h"

namespace verne::cli {

class ResultFolder {
 public:
  /// Makes the folder and proves that it can be written, and that nothing stands where files go. Throws
  /// EnvironmentError.
  explicit ResultFolder(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  /// Names of the files and folders of rows that were written so far, in order.
  const std::set<std::string>& written() const { return written_; }
  /// Writes a file, which takes its place at finish(); returns its path.
  std::string write(const std::string& name, const std::string& text);
  /// All that was written takes its place, once there was room for all of it: files of two runs are not mixed.
  void finish();
  /// Proves that so many rows can have folders. Throws EnvironmentError.
  void require_rows(std::size_t count) const;
  /// The folder of a row of a sweep: one of our own, also where a link led elsewhere.
  ResultFolder row(std::size_t index);

  /// Once the new files are whole: takes away those that an earlier run left and this one did not write, which would
  /// pass for results of this one; of links to other places, the links. Does nothing in a folder that held no results
  /// of ours.
  void remove_stale() const;

 private:
  std::filesystem::path path_;
  bool had_results_;
  std::set<std::string> written_;
  std::vector<std::unique_ptr<NewFile>> unfinished_;
};

}  // namespace verne::cli
