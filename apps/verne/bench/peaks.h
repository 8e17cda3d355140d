/// What this processor can do at best, measured beside what is timed.
#pragma once

#include <string>

#include "stopwatch.h"

namespace verne::cli {

struct Peaks {
  double operations_per_ns = 0;  ///< fused multiply-adds count twice; without them, multiplications and additions
  double scalar_operations_per_ns = 0;  ///< one number at a time
  double bytes_per_ns = 0;              ///< read and written by a copy that no cache holds
};

/// Of one core, with an instruction set as batches name it.
Peaks measure_peaks(const std::string& instruction_set, Stopwatch& stopwatch, double seconds);

}  // namespace verne::cli
