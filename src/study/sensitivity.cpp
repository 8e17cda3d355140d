#include "verne/study/sensitivity.h"

#include <cmath>
#include <stdexcept>

namespace verne {

namespace {

void require_results(const SamplePoints& points, std::span<const double> results, std::size_t together) {
  if (results.size() == static_cast<std::size_t>(points.count()) && results.size() % together == 0) return;
  throw std::invalid_argument("sensitivity: as many results as the sample has points are expected");
}

/// Mean and variance of what the two independent samples of the used rows gave.
struct Spread {
  double sum = 0, squares = 0;
  int count = 0;
  void add(double x) { sum += x, squares += x * x, ++count; }
  double mean() const { return sum / count; }
  double variance() const { return squares / count - mean() * mean(); }
};

}  // namespace

std::vector<SobolIndices> sobol_indices(const SamplePoints& points, std::span<const double> results) {
  const auto dimensions = static_cast<std::size_t>(points.parameters), block = dimensions + 2;
  require_results(points, results, block);
  std::vector<SobolIndices> indices;
  for (std::size_t c = 0; c < dimensions; ++c) {
    SobolIndices of;
    Spread spread;
    double first = 0, total = 0, offset = 0;
    for (std::size_t r = 0; r < results.size(); r += block) {
      const double a = results[r], b = results[r + 1], ab = results[r + 2 + c];
      if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(ab)) continue;
      if (of.rows == 0) offset = a;  // near the mean: less is lost to rounding
      first += (b - offset) * (ab - a);
      total += 0.5 * (a - ab) * (a - ab);
      spread.add(a - offset), spread.add(b - offset);
      ++of.rows;
    }
    const double variance = of.rows > 0 ? spread.variance() : 0;
    of.first = variance > 0 ? first / of.rows / variance : 0;
    of.total = variance > 0 ? total / of.rows / variance : 0;
    indices.push_back(of);
  }
  return indices;
}

std::vector<MorrisMeasures> morris_measures(const SamplePoints& points, std::span<const double> results) {
  const auto dimensions = static_cast<std::size_t>(points.parameters), block = dimensions + 1;
  require_results(points, results, block);
  std::vector<Spread> effects(dimensions), sizes(dimensions);
  for (std::size_t k = 0; k + 1 < results.size(); ++k) {
    if ((k + 1) % block == 0) continue;  // the end of a path
    const auto from = points.shares(static_cast<int>(k)), to = points.shares(static_cast<int>(k + 1));
    for (std::size_t c = 0; c < dimensions; ++c) {
      if (from[c] == to[c]) continue;
      const double effect = (results[k + 1] - results[k]) / (to[c] - from[c]);
      if (std::isfinite(effect)) effects[c].add(effect), sizes[c].add(std::abs(effect));
    }
  }
  std::vector<MorrisMeasures> measures;
  for (std::size_t c = 0; c < dimensions; ++c) {
    const int count = effects[c].count;
    if (count == 0) {
      measures.push_back({});
      continue;
    }
    const double spread = count > 1 ? effects[c].variance() * count / (count - 1) : 0;
    measures.push_back({effects[c].mean(), sizes[c].mean(), std::sqrt(std::max(0.0, spread)), count});
  }
  return measures;
}

}  // namespace verne
