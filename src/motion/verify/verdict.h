/// May a motion be trusted? Everything that a task asks for, measured on the motion itself, and what follows for its
/// status. docs/theory/motion.md, section 9.
#pragma once

#include <string>
#include <vector>

#include "motion/verify/limit_check.h"
#include "verne/motion/solution.h"

namespace verne {

/// A quantity that is not what it was asked to be.
struct Finding {
  std::string name, unit;
  double time = 0, value = 0, bound = 0;
  double asked = 0;      ///< tolerance that the task asks for, in `unit`
  double tolerated = 0;  ///< error that is passed with a warning
  bool of_limit = false;
  double amount() const;
};

/// What was measured on a motion.
struct Measured {
  std::vector<LimitReport> limits;
  std::vector<EquationReport> equations;
  std::vector<FrameError> frames;
  std::vector<Finding> findings;  ///< what is not exact, worst first in terms of what is tolerated

  /// The largest error in units of what was asked for: above 1 it is too large.
  double misfit() const;
  /// The same of equations alone: between nodes only finer curves help, where limits may be tightened.
  double misfit_of_equations() const;
};

Measured measure(const Task& task, const Trajectory& trajectory, const std::vector<PlacedStage>& stages);

/// A success that the findings do not bear out becomes `not_verified`, with what is wrong as its message and among its
/// violations; one that is merely tolerated gets a warning as its message. What is no success is told what it fails at.
void judge(const Measured& measured, Solution& solution);

}  // namespace verne
