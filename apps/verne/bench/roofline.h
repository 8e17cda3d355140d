/// How near algorithms come to what the processor can do at best.
#pragma once

#include <string>
#include <vector>

#include "bench_cases.h"
#include "peaks.h"

namespace verne::cli {

struct RooflineRow {
  std::string algorithm;
  double operations = 0, bytes = 0;                        ///< for one state
  double single_ns = 0, batch_ns = 0, large_batch_ns = 0;  ///< for one state
};

struct Roofline {
  std::string instruction_set;
  int batch_states = 0, large_batch_states = 0;
  Peaks peaks;
  std::vector<RooflineRow> rows;
};

/// Of the widest instruction set, one core: batches of setup.batch_states, which stay in caches, and of many, which do
/// not.
Roofline measure_roofline(const Model& model, BenchSetup setup, double seconds);

std::string roofline_table(const Roofline& roofline);
std::string roofline_json(const Roofline& roofline);

}  // namespace verne::cli
