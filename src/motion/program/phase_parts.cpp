#include "motion/program/phase_parts.h"

namespace verne {

PhaseParts::PhaseParts(const CurveVariables& curve, const std::vector<PhaseSpec>& phases) : curve_(curve) {
  for (int k = 0; k < static_cast<int>(phases.size()); ++k) {
    const std::optional<Interval>& part = phases[k].duration.part;
    if (!part) continue;
    rows_.push_back({phases[k].name, k, 1, part->lower});
    rows_.push_back({phases[k].name, k, -1, part->upper});
  }
}

double PhaseParts::slope(const Row& row, int phase) const {
  return row.sign * ((phase == row.phase ? 1 : 0) - row.part * curve_.duration_by_timing(phase));
}

std::vector<nlp::Entry> PhaseParts::jacobian_pattern() const {
  std::vector<nlp::Entry> pattern;
  for (int row = 0; row < rows(); ++row) {
    for (int g = 0; g < curve_.groups; ++g) pattern.push_back({row, curve_.timing(g)});
  }
  return pattern;
}

void PhaseParts::evaluate(std::span<const double> x, std::span<double> values) {
  for (int row = 0; row < rows(); ++row) {
    values[row] = 0;
    for (int g = 0; g < curve_.groups; ++g) values[row] += slope(rows_[row], g) * x[curve_.timing(g)];
  }
}

void PhaseParts::jacobian(std::span<const double>, std::span<double> entries) {
  std::size_t at = 0;
  for (const Row& row : rows_) {
    for (int g = 0; g < curve_.groups; ++g) entries[at++] = slope(row, g);
  }
}

}  // namespace verne
