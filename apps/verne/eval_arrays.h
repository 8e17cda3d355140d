/// `verne eval --states`: states from arrays of NumPy, results into such.
#pragma once

#include <string>

#include "verne/structures/system.h"

namespace verne::cli {

struct ArrayOptions {
  std::string states;  ///< q.npy,v.npy,a.npy
  std::string want, output;
  int threads = 1;
};

/// All results take their places when all are whole. Throws InputError for what is wrong with any of the files.
void evaluate_arrays(const System& system, const ArrayOptions& options);

}  // namespace verne::cli
