/// What is timed on a GPU.
#pragma once

#include <vector>

#include "bench_cases.h"

namespace verne::cli {

/// Rows `NAME_gpu`, of states that lie in the memory of the device, and one with uploads and downloads.
void add_gpu_cases(const Model& model, std::vector<BenchCase>& cases);

}  // namespace verne::cli
