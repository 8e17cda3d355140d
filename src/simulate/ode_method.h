/// What an Integrator integrates, and what each of its methods does.
#pragma once

#include <exception>
#include <span>
#include <vector>

#include "simulate/integrator.h"

namespace verne {

/// The functions of an Integrator, called as SUNDIALS wants it: they return 0, or 1 where a shorter step may do, or −1
/// where they threw; what they threw is kept.
struct OdeProblem {
  int evaluate(double t, std::span<const double> y, std::span<double> out);
  int project(double t, std::span<double> y);
  int measure(double t, std::span<const double> y, std::span<double> values);
  void rethrow();

  int size;
  Integrator::Tolerances tolerances;
  Integrator::Rate rate;
  Integrator::Projection projection{};
  Integrator::Watched watched{};
  std::vector<Integrator::Crossing> directions{};  ///< of the functions that are watched
  std::vector<int> crossed{};                      ///< which of them crossed zero in the last advance(), and how
  long rates = 0;                                  ///< that were evaluated
  std::exception_ptr thrown{};
};

/// A method that takes steps.
class OdeMethod {
 public:
  enum class Outcome { reached, event, paused, failed };
  virtual ~OdeMethod() = default;
  /// As Integrator::watch() and start(), which have told the problem.
  virtual void watch() = 0;
  virtual void start(double t, std::span<const double> y) = 0;
  /// As Integrator::advance(), but pauses after so many steps.
  virtual Outcome advance(double end, long steps) = 0;
  virtual double time() const = 0;
  virtual std::span<const double> state() const = 0;
  /// Steps that were taken in all.
  virtual long steps() const = 0;
};

/// The modulus of the largest eigenvalue of ∂rate/∂y, by the power method on differences; not finite where a rate is
/// not.
double spectral_radius(OdeProblem& problem, double t, std::span<const double> y);

}  // namespace verne
