#include "result_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "verne/base/error.h"

namespace verne::cli {

namespace fs = std::filesystem;

namespace {

/// Everything that a run may write beside the folders of rows.
constexpr std::array kFiles{"solution.json",     "timing.json",        "motion.csv", "motion.sto", "summary.txt",
                            "report.html",       "front.json",         "front.csv",  "stride.csv", "stride.mot",
                            "stride_ground.mot", "stride_moments.sto", "meshes.json"};

/// Our files begin with their format.
bool is_ours(const fs::path& file, const std::string& format) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;  // a pipe would let us wait
  const std::string expected = "{\"format\":\"" + format + "\"";
  std::string found(expected.size(), '\0');
  std::ifstream(file, std::ios::binary).read(found.data(), static_cast<std::streamsize>(found.size()));
  return found == expected;
}

bool has_results(const fs::path& folder) {
  return is_ours(folder / "solution.json", "verne-solution/1") || is_ours(folder / "front.json", "verne-front/1");
}

std::string row_name(std::size_t index) {
  return fmt::format("{:02}", index);
}

bool is_row_name(const std::string& name) {
  return name.size() >= 2 && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// What stands in the way of a file or folder would be found when all work has been done.
void require(const fs::path& path, bool folder) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status) || fs::is_symlink(status) || fs::is_directory(status) == folder) return;
  throw EnvironmentError(fmt::format("{}: {}", path.string(), folder ? "is no folder" : "is a folder"));
}

/// What cannot be removed stays: the results themselves are whole.
void remove_files(const fs::path& folder, const std::set<std::string>& kept) {
  std::error_code error;
  for (const char* name : kFiles) {
    if (!kept.contains(name)) fs::remove(folder / name, error);
  }
}

}  // namespace

ResultFolder::ResultFolder(const fs::path& path) : path_(path), had_results_(has_results(path)) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw EnvironmentError(fmt::format("{}: {}", path.string(), error.message()));
  NewFile probe((path / ".verne-probe").string());
  for (const char* const name : kFiles) require(path / name, false);
}

void ResultFolder::require_rows(std::size_t count) const {
  for (std::size_t k = 0; k < count; ++k) require(path_ / row_name(k), true);
}

std::string ResultFolder::write(const std::string& name, const std::string& text) {
  const std::string file = (path_ / name).string();
  unfinished_.push_back(std::make_unique<NewFile>(file));
  unfinished_.back()->write(text);
  written_.insert(name);
  return file;
}

void ResultFolder::finish() {
  for (const std::unique_ptr<NewFile>& file : unfinished_) file->finish();
  unfinished_.clear();
}

ResultFolder ResultFolder::row(std::size_t index) {
  written_.insert(row_name(index));
  const fs::path row = path_ / row_name(index);
  std::error_code error;
  if (fs::is_symlink(row, error)) fs::remove(row, error);  // results that were moved elsewhere stay as they are
  return ResultFolder(row);
}

void ResultFolder::remove_stale() const {
  if (!had_results_) return;
  remove_files(path_, written_);
  std::error_code error;
  std::vector<fs::path> stale_rows;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(error) && is_row_name(name) && !written_.contains(name) && has_results(entry.path())) {
      stale_rows.push_back(entry.path());
    }
  }
  for (const fs::path& row : stale_rows) {
    if (!fs::is_symlink(row, error)) remove_files(row, {});
    fs::remove(row, error);  // a link alone; a folder unless it holds something that is not ours
  }
}

}  // namespace verne::cli
