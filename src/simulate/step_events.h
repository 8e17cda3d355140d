/// Where functions that are watched change their signs along a step, whose states in between can be had.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "simulate/integrator.h"

namespace verne {

class StepEvents {
 public:
  /// Goes to a time within the step, and writes the functions there. Returns whether that is possible.
  using Probe = std::function<bool(double t, std::span<double> values)>;

  void watch(std::span<const Integrator::Crossing> directions) { directions_ = {directions.begin(), directions.end()}; }
  bool any() const { return !directions_.empty(); }
  std::size_t count() const { return directions_.size(); }

  /// The functions where a step starts. One that is zero has no sign to change.
  void begin_step(std::span<const double> values) { start_ = {values.begin(), values.end()}; }
  /// Whether a function has changed its sign since then, in its direction.
  bool crossed(std::span<const double> values) const;
  void tell(std::span<const double> values, std::span<int> crossed) const;
  /// The time right behind the first change that is seen between `from`, where the step begins, and `to`, where the
  /// functions are `values`. Goes there, and leaves the functions of that time in `values`. Nothing where a probe
  /// fails.
  std::optional<double> locate(double from, double to, std::span<double> values, const Probe& probe) const;

 private:
  bool crossed(std::size_t k, double value) const;
  double guess(double lower, double upper, std::span<const double> at_lower, std::span<const double> at_upper,
               double weight) const;

  std::vector<Integrator::Crossing> directions_;
  std::vector<double> start_;
};

}  // namespace verne
