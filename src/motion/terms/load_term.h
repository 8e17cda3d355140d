/// A smooth function of what an effort asks for of the muscles that turn a joint one way.
#pragma once

#include "motion/terms/node_term.h"
#include "verne/base/dual.h"

namespace verne {

/// function(per_effort · effort), exactly differentiated twice. Input: the effort.
template <class Function>
class LoadTerm : public NodeTerm {
 public:
  LoadTerm(int effort, double per_effort, Function function)
      : NodeTerm({effort}), per_effort_(per_effort), function_(function) {}
  void value(const double* u, double* rows) const override { rows[0] = function_(per_effort_ * u[0]); }
  void jacobian(const double* u, double* J) const override {
    J[0] = function_(Dual<double>(per_effort_ * u[0], per_effort_)).slope;
  }
  void hessian(const double* u, const double* multipliers, double* H) const override {
    using D = Dual<double>;
    const Dual<D> x(D(per_effort_ * u[0], per_effort_), D(per_effort_));
    H[0] += multipliers[0] * function_(x).slope.slope;
  }

 private:
  double per_effort_;
  Function function_;
};

}  // namespace verne
