/// The largest effort as a cost, and the limit that makes it so.
#pragma once

#include "motion/terms/task_terms.h"

namespace verne {

inline constexpr LimitKind kPeakEffortLimit{.name = "peak_effort"};

/// |scale · effort| ≤ s, the largest of all, which is a variable of the program and costs something: two rows,
/// ± scale · effort − s ≤ 0. docs/theory/motion.md, (16d).
class PeakLimit : public LimitTerm {
 public:
  /// `peak`: number of the variable; `known`: its value once the program is solved.
  PeakLimit(LimitName name, int effort, double scale, int peak, double known)
      : LimitTerm(std::move(name), {effort}, 2), scale_(scale), peak_(peak), known_(known) {}

  void value(const double* u, double* rows) const override { rows[0] = scale_ * u[0], rows[1] = -rows[0]; }
  void jacobian(const double*, double* J) const override { J[0] = scale_, J[1] = -scale_; }
  void hessian(const double*, const double*, double*) const override {}
  bool linear() const override { return true; }
  Interval bounds(int) const override { return {-kInfinity, 0}; }
  PartOfPeak part_of_peak() const override { return {peak_, share_}; }
  double measured(const double* u) const override { return u[0]; }
  Interval measured_bounds() const override { return {-known_ / scale_, known_ / scale_}; }
  double rate() const override { return scale_; }
  bool tightens_as_a_whole() const override { return true; }
  void tighten(double fraction) override { share_ -= fraction; }

 private:
  double scale_;
  int peak_;
  double known_, share_ = 1;
};

}  // namespace verne
