/// The two solvers of the library.
#pragma once

#include "verne/nlp/solver.h"

namespace verne::nlp {

/// Whether this build has Ipopt (VERNE_IPOPT; the Python wheel has not). Without it, run_ipopt throws EnvironmentError.
bool has_ipopt();
Attempt run_ipopt(Problem& problem, const Options& options, Point start, bool warm);
Attempt run_interior_point(Problem& problem, const Options& options, Point start, bool warm);

}  // namespace verne::nlp
