/// What can be timed: each algorithm for one state and for a batch, and the same in other libraries.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verne/model/model.h"

namespace verne::cli {

struct BenchCase {
  std::string algorithm, library;
  bool batch = false;
  std::string instruction_set;  ///< "" for other libraries
  int states_per_call = 1;
  /// Allocates all that is needed; the function returned makes so many calls on states that change from call to call.
  std::function<std::function<void(int calls)>()> prepare;
};

struct BenchSetup {
  int batch_states = 256;
  int threads = 1;
  bool gpu = false;       ///< code compiled for the model on a GPU
  bool compiled = false;  ///< beside the kernels, code compiled for the model
  /// Names of rows, stars standing for anything; all where there are none.
  std::vector<std::string> rows;
  bool takes(const std::string& algorithm) const;
};

/// Algorithm by algorithm: one state, batches from the narrowest instruction set to the widest, other libraries (where
/// they were built in and can express the model).
std::vector<BenchCase> bench_cases(const Model& model, const BenchSetup& setup);
/// Of a mechanism with loops, at closed states; among those of bench_cases().
std::vector<BenchCase> closed_bench_cases(const Model& model, const BenchSetup& setup);

}  // namespace verne::cli
