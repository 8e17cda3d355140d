/// Singular configurations that a simulated motion goes through.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "simulate/motion_equations.h"

namespace verne {

/// Times at which a motion entered nearly singular configurations, or leapt over singular ones.
class Passages {
 public:
  /// Goes on from a state in which other equations may hold than before.
  void restart(double t, const std::vector<double>& y, MotionEquations& motion);
  /// Looks at the state that `motion` projected last. A step may be tried again: what was found beyond the time where
  /// it ends then did not happen.
  void see(double t, MotionEquations& motion);

  const std::vector<double>& times() const { return times_; }

 private:
  struct Regular {
    double t;
    Eigen::MatrixXd equations;
  };

  std::vector<double> times_;
  std::vector<Regular> regular_;  ///< the last states that were not nearly singular
  bool was_singular_ = false;
};

}  // namespace verne
