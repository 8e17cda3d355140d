/// Formulas of variable order and step: CVODE of SUNDIALS [SUN22].
#pragma once

#include <memory>

#include "simulate/ode_method.h"

namespace verne {

class Multistep final : public OdeMethod {
 public:
  enum class Formulas { backward, adams };
  /// The problem is kept, and must stay where it is.
  Multistep(OdeProblem& problem, Formulas formulas);
  ~Multistep() override;

  /// Before the first start(), where the problem has a projection.
  void project();
  void watch() override;
  void start(double t, std::span<const double> y) override;
  Outcome advance(double end, long steps) override;
  double time() const override;
  std::span<const double> state() const override;
  long steps() const override;
  /// How long it is about to be; of steps that were cut to end somewhere, as long as they would have been.
  double next_step() const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace verne
