#include "simulate/ode_method.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace verne {

int OdeProblem::evaluate(double t, std::span<const double> y, std::span<double> out) {
  ++rates;
  try {
    rate(t, y, out);
  } catch (...) {
    thrown = std::current_exception();
    return -1;
  }
  return std::all_of(out.begin(), out.end(), [](double x) { return std::isfinite(x); }) ? 0 : 1;
}

int OdeProblem::project(double t, std::span<double> y) {
  try {
    return projection(t, y) ? 0 : 1;
  } catch (...) {
    thrown = std::current_exception();
    return -1;
  }
}

int OdeProblem::measure(double t, std::span<const double> y, std::span<double> values) {
  try {
    watched(t, y, values);
  } catch (...) {
    thrown = std::current_exception();
    return -1;
  }
  return 0;
}

void OdeProblem::rethrow() {
  if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
}

/// The mean growth over the last iterations: of a pair of complex eigenvalues, lengths alternate.
double spectral_radius(OdeProblem& problem, double t, std::span<const double> y) {
  constexpr int kIterations = 24, kFirst = 12;  // those before lead to the direction that grows most
  constexpr double kDifference = 1e-7;
  const auto length = [](std::span<const double> x) {
    double sum = 0;
    for (const double value : x) sum += value * value;
    return std::sqrt(sum);
  };
  const std::size_t n = y.size();
  const double by = kDifference * (1 + length(y));
  std::vector<double> here(n), there(n), moved(n), x(n);
  const auto evaluated = [&](std::span<const double> at, std::span<double> out) {
    const int outcome = problem.evaluate(t, at, out);
    problem.rethrow();
    return outcome == 0;
  };
  if (!evaluated(y, here)) return std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < n; ++i) x[i] = 1 + 0.1 * static_cast<double>(i % 7);
  double growth = 0;
  for (int k = 0; k < kIterations; ++k) {
    const double size = length(x);
    if (!(size > 0)) return 0;
    for (std::size_t i = 0; i < n; ++i) moved[i] = y[i] + by / size * x[i];
    if (!evaluated(moved, there)) return std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < n; ++i) x[i] = (there[i] - here[i]) / by;
    if (k >= kFirst) growth += std::log(length(x));
  }
  return std::exp(growth / (kIterations - kFirst));
}

}  // namespace verne
