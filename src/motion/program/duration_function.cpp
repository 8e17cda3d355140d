#include "motion/program/duration_function.h"

#include <algorithm>

namespace verne {

std::vector<nlp::Entry> DurationFunction::jacobian_pattern() const {
  std::vector<nlp::Entry> pattern;
  for (int s = 0; s < curve_.basis.spans(); ++s) pattern.push_back({0, curve_.timing(curve_.group[s])});
  return pattern;
}

void DurationFunction::evaluate(std::span<const double> x, std::span<double> values) {
  values[0] = curve_.duration(x);
}

void DurationFunction::jacobian(std::span<const double>, std::span<double> entries) {
  std::copy(curve_.fraction.begin(), curve_.fraction.end(), entries.begin());
}

}  // namespace verne
