/// The methods behind solve().
#pragma once

#include "verne/nlp/solve.h"

namespace verne::nlp {

struct Attempt {
  Status status = Status::failed;
  std::string message;
  Point point;  ///< the multipliers of fixed variables are not set
  std::vector<Iteration> history;
  double function_seconds = 0;
  bool hopeless = false;  ///< failed for a reason that another method would share
};

/// `start`: x within bounds and multipliers, which count where `warm`. Something is free.
/// Whether this build has Ipopt (VERNE_IPOPT; the Python wheel has not). Without it, run_ipopt throws EnvironmentError.
bool has_ipopt();
Attempt run_ipopt(Problem& problem, const Options& options, Point start, bool warm);
Attempt run_interior_point(Problem& problem, const Options& options, Point start, bool warm);

}  // namespace verne::nlp
