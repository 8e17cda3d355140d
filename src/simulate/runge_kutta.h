/// Steps of an explicit Runge–Kutta method of order eight with error control: ERKStep of ARKODE [SUN22].
#pragma once

#include <memory>

#include "simulate/ode_method.h"

namespace verne {

/// One step knows nothing of those before: it starts anew, where rates jump, at no cost.
class RungeKutta final : public OdeMethod {
 public:
  /// The problem is kept, and must stay where it is.
  explicit RungeKutta(OdeProblem& problem);
  ~RungeKutta() override;

  void watch() override;
  void start(double t, std::span<const double> y) override;
  /// Pauses sooner where the problem is stiff.
  Outcome advance(double end, long steps) override;
  double time() const override;
  std::span<const double> state() const override;
  long steps() const override;

  /// How many rates each unit of time took in the steps before the last pause, if stability bounded them, else 0.
  double cost_of_stiffness() const;
  /// The same, if stability alone bounds steps and the largest eigenvalue has this modulus.
  static double cost_by_stability(double spectral_radius);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace verne
