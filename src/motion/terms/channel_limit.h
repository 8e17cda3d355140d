/// The term of the simplest limits: one channel stays between bounds.
#pragma once

#include "motion/terms/node_term.h"

namespace verne {

/// lower ≤ u ≤ upper for one channel: position, velocity, acceleration, jerk, effort, a coordinate of a point.
class ChannelLimit : public LimitTerm {
 public:
  ChannelLimit(LimitName name, int channel, Interval bounds, double per_second = 0)
      : LimitTerm(std::move(name), {channel}), bounds_(bounds), per_second_(per_second) {}

  void value(const double* u, double* rows) const override { rows[0] = u[0]; }
  void jacobian(const double*, double* J) const override { J[0] = 1; }
  void hessian(const double*, const double*, double*) const override {}
  bool linear() const override { return true; }
  Interval bounds(int) const override { return bounds_; }
  double per_second() const override { return per_second_; }
  double measured(const double* u) const override { return u[0]; }
  Interval measured_bounds() const override { return bounds_; }

 private:
  Interval bounds_;
  double per_second_;
};

}  // namespace verne
