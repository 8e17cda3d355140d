/// The whole solutions of the best points: files in a folder of their own.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace verne {

/// Where the solution of a point is kept, seen from the study's folder.
std::filesystem::path solution_folder(int point);

class KeptSolutions {
 public:
  /// Of `most` points at most, in `folder`/points.
  KeptSolutions(const std::string& folder, int most) : folder_(folder), most_(most) {}

  /// Solutions whose cost is not above this are wanted; it only ever falls.
  double threshold() const;
  /// A point has succeeded. Among equal costs the first points are the best.
  void learn(int point, double cost);
  /// Writes a solution, before its point counts as done.
  void offer(int point, const std::string& solution);
  /// Those that are kept, in order.
  std::vector<int> points() const;
  /// Takes away those that are not among the best.
  void finish();

 private:
  std::filesystem::path folder_;
  int most_;
  std::set<std::pair<double, int>> best_;
};

}  // namespace verne
