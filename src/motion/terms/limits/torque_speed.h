/// The term of drives that are weaker the faster they turn.
#pragma once

#include "motion/terms/node_term.h"

namespace verne {

/// |effort + slope velocity| ≤ stall: a line of a drive's torque–speed curve, for both directions. It is reported as
/// the effort that the drive would need at rest. Inputs: effort, velocity. docs/theory/motion.md, (7a).
class TorqueSpeedLimit : public LimitTerm {
 public:
  TorqueSpeedLimit(LimitName name, int effort, int velocity, const TorqueSpeedLine& line)
      : LimitTerm(std::move(name), {effort, velocity}), line_(line) {}

  void value(const double* u, double* rows) const override { rows[0] = u[0] + line_.slope * u[1]; }
  void jacobian(const double*, double* J) const override { J[0] = 1, J[1] = line_.slope; }
  void hessian(const double*, const double*, double*) const override {}
  bool linear() const override { return true; }
  Interval bounds(int) const override { return {-line_.stall, line_.stall}; }
  double measured(const double* u) const override { return u[0] + line_.slope * u[1]; }
  Interval measured_bounds() const override { return {-line_.stall, line_.stall}; }

 private:
  TorqueSpeedLine line_;
};

}  // namespace verne
