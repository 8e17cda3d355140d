/// What the library's kernels do for one state: every operation, also with numbers that happen to be zero, which a
/// processor carries out like others.
#pragma once

#include <string>
#include <vector>

#include "verne/model/model.h"

namespace verne::cli {

struct KernelWork {
  std::string algorithm;  ///< as rows of the benchmark are called
  double operations = 0;  ///< additions, multiplications, divisions, square roots; sines with their polynomials
  double bytes_read = 0;  ///< of a batch: the inputs
  double bytes_written = 0;
};

/// Of the algorithms that are counted, in the order of the benchmark's rows; those with M⁻¹ where the model has one.
std::vector<KernelWork> kernel_work(const Model& model);

}  // namespace verne::cli
