#include "simulate/step_events.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace verne {

namespace {

/// Of the time and the step: events are as close as this.
constexpr double kEventRounding = 100 * std::numeric_limits<double>::epsilon();
/// After so many guesses, whose functions jump or nearly do, intervals are halved.
constexpr int kGuesses = 20;

}  // namespace

bool StepEvents::crossed(std::size_t k, double value) const {
  const double start = start_[k];
  if (start == 0 || (start > 0 ? value > 0 : value < 0)) return false;
  return directions_[k] == Integrator::Crossing::either ||
         (directions_[k] == Integrator::Crossing::rising) == (start < 0);
}

bool StepEvents::crossed(std::span<const double> values) const {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (crossed(k, values[k])) return true;
  }
  return false;
}

void StepEvents::tell(std::span<const double> values, std::span<int> told) const {
  for (std::size_t k = 0; k < values.size(); ++k) told[k] = crossed(k, values[k]) ? (start_[k] > 0 ? -1 : 1) : 0;
}

/// The method of Illinois: where the line from end to end crosses zero first; the value at an end that stays counts
/// half, then a quarter, so that none stays for ever.
double StepEvents::guess(double lower, double upper, std::span<const double> at_lower, std::span<const double> at_upper,
                         double weight) const {
  double part = 0;  // from the upper end
  for (std::size_t k = 0; k < at_upper.size(); ++k) {
    if (crossed(k, at_upper[k])) part = std::max(part, at_upper[k] / (at_upper[k] - weight * at_lower[k]));
  }
  return upper - part * (upper - lower);
}

std::optional<double> StepEvents::locate(double from, double to, std::span<double> values, const Probe& probe) const {
  const double resolution = kEventRounding * (std::abs(to) + (to - from));
  std::vector<double> lower_values = start_, middle_values(values.size());
  double lower = from, upper = to, weight = 1;
  bool is_there = true, was_there = false;  // at the upper end
  for (int count = 0; upper - lower > resolution; ++count) {
    // A guess that rounding alone sets apart from an end is put where it ends the search.
    const double by_line = guess(lower, upper, lower_values, values, weight);
    const double middle = count < kGuesses ? std::clamp(by_line, lower + resolution / 2, upper - resolution / 2)
                                           : lower + (upper - lower) / 2;
    if (!probe(middle, middle_values)) return std::nullopt;
    was_there = std::exchange(is_there, crossed(middle_values));
    weight = count == 0 || was_there != is_there ? 1 : is_there ? weight / 2 : weight * 2;
    if (is_there) {
      upper = middle;
      std::copy(middle_values.begin(), middle_values.end(), values.begin());
    } else {
      lower = middle;
      lower_values = middle_values;
    }
  }
  if (!is_there && !probe(upper, values)) return std::nullopt;
  return upper;
}

}  // namespace verne
