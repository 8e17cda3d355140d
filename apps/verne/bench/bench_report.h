/// Timings as tables and as JSON.
#pragma once

#include <string>
#include <vector>

#include "stopwatch.h"

namespace verne::cli {

struct BenchRow {
  std::string algorithm, library;
  bool batch = false;
  std::string instruction_set;  ///< "" for other libraries
  double ns_per_state = 0;
  Latency latency;  ///< single calls only
  int joints = 0;   ///< of a synthetic chain, or its four-bars; else 0
};

/// An array of rows, one a line.
std::string bench_json(const std::vector<BenchRow>& rows);
/// A line for each algorithm: Verne, the other libraries, and how many times faster Verne is.
std::string model_table(const std::vector<BenchRow>& rows);
/// A block for each algorithm: its cost over the number of joints.
/// `of`: what there are so many of.
std::string chain_table(const std::vector<BenchRow>& rows, const std::string& of);

}  // namespace verne::cli
