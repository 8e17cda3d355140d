#include "study/neighbours.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace verne {

namespace {

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

}  // namespace

std::vector<int> parents_of(const SamplePoints& points) {
  const std::vector<double> centre(static_cast<std::size_t>(points.parameters), 0.5);
  std::vector<double> from_centre;
  for (int k = 0; k < points.count(); ++k) from_centre.push_back(distance(points.shares(k), centre));
  std::vector<int> order(from_centre.size()), parents(from_centre.size(), -1);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return from_centre[static_cast<std::size_t>(a)] < from_centre[static_cast<std::size_t>(b)];
  });
  for (std::size_t k = 1; k < order.size(); ++k) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t other = 0; other < k; ++other) {
      const double apart = distance(points.shares(order[k]), points.shares(order[other]));
      if (apart >= nearest) continue;
      nearest = apart;
      parents[static_cast<std::size_t>(order[k])] = order[other];
    }
  }
  return parents;
}

}  // namespace verne
