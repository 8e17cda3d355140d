#include "study/kept_solutions.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

#include "verne/base/error.h"
#include "verne/io/file.h"

namespace verne {

namespace fs = std::filesystem;

fs::path solution_folder(int point) {
  char name[16];
  std::snprintf(name, sizeof(name), "%06d", point);
  return fs::path("points") / name;
}

double KeptSolutions::threshold() const {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  if (most_ == 0) return -kNone;
  return static_cast<int>(best_.size()) < most_ ? kNone : best_.rbegin()->first;
}

void KeptSolutions::learn(int point, double cost) {
  best_.emplace(cost, point);
  if (best_.size() > static_cast<std::size_t>(most_)) best_.erase(std::prev(best_.end()));
}

void KeptSolutions::offer(int point, const std::string& solution) {
  const fs::path folder = folder_ / solution_folder(point);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw EnvironmentError(folder.string() + ": " + error.message());
  write_text_file((folder / "solution.json").string(), solution);
}

std::vector<int> KeptSolutions::points() const {
  std::vector<int> points;
  for (const auto& [cost, point] : best_) points.push_back(point);
  std::sort(points.begin(), points.end());
  return points;
}

void KeptSolutions::finish() {
  std::set<std::string> wanted;
  for (const auto& [cost, point] : best_) wanted.insert(solution_folder(point).filename().string());
  std::error_code error;
  std::vector<fs::path> others;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "points", error)) {
    if (!wanted.contains(entry.path().filename().string())) others.push_back(entry.path());
  }
  for (const fs::path& folder : others) {
    for (const char* const name : {"solution.json", "report.html"}) fs::remove(folder / name, error);
    fs::remove(folder, error);  // unless it holds something that is not ours
  }
}

}  // namespace verne
