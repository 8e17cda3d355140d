#include "motion/limit_uses.h"

#include <algorithm>
#include <cmath>

namespace verne {

namespace {

/// Uses of limits, phase by phase: those that are the same in all phases become one.
std::vector<LimitUse> in_all_phases(std::vector<LimitUse> uses, std::size_t phases) {
  if (phases == 0) return uses;
  std::vector<LimitUse> out;
  for (const LimitUse& use : uses) {
    const auto same = [&](const LimitUse& other) {
      return other.kind == use.kind && other.of == use.of && other.bounds.lower == use.bounds.lower &&
             other.bounds.upper == use.bounds.upper;
    };
    const auto found = std::find_if(out.begin(), out.end(), same);
    if (static_cast<std::size_t>(std::count_if(uses.begin(), uses.end(), same)) < phases || found == out.end()) {
      out.push_back(use);
      continue;
    }
    found->phase.clear();
    found->utilisation = std::max(found->utilisation, use.utilisation);
    found->excess = std::max(found->excess, use.excess);
    found->active.insert(found->active.end(), use.active.begin(), use.active.end());
    found->multiplier += use.multiplier;
  }
  return out;
}

/// Adds what the multipliers say, (23), to the uses of a stage: of its limits at nodes, then of its means.
void add_prices(const StageFunctions& functions, const std::vector<MeanLimit>& means, double duration,
                const nlp::Point& point, std::size_t terms, LimitUse* uses) {
  const int rows = functions.limits ? functions.limits->rows() : 0;
  for (int row = 0; row < rows; ++row) {
    const int per_node = rows / functions.limits->nodes().count();
    uses[functions.limits->term_index(row % per_node)].multiplier +=
        std::abs(point.constraints[functions.limits_first_row + row]) * functions.limits->term_of_row(row).rate();
  }
  // The row of a mean, (16a), falls by 2 T / limit a unit of it where it is used.
  for (std::size_t m = 0; m < means.size(); ++m) {
    uses[terms + m].multiplier =
        std::abs(point.constraints[functions.means_first_row + static_cast<int>(m)]) * 2 * duration / means[m].limit;
  }
}

}  // namespace

std::vector<LimitUse> limit_uses(const Task& task, const std::vector<StageFunctions>& functions,
                                 const std::vector<PlacedStage>& stages, const std::vector<LimitReport>& reports,
                                 const Trajectory& curve, const nlp::Point& point) {
  std::vector<LimitUse> uses;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const auto& [here, spans] = stages[k].stage;
    const std::vector<MeanLimit> means = mean_limits(here);
    const std::size_t first = uses.size(), terms = functions[k].limits ? functions[k].limits->terms() : 0;
    const std::string phase = task.phases.empty() ? "" : task.phases[k].name;
    for (std::size_t t = first; t < first + terms + means.size(); ++t) {
      const LimitReport& r = reports[t];
      uses.push_back({r.name.kind, r.name.of, r.name.unit, r.bounds, r.utilisation, r.excess, r.active, 0, phase});
    }
    const double duration = curve.time({spans.end - 1, 1.0}) - curve.time({spans.first, 0.0});
    add_prices(functions[k], means, duration, point, terms, uses.data() + first);
  }
  return in_all_phases(std::move(uses), task.phases.size());
}

}  // namespace verne
