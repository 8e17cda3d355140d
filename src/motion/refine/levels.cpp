#include "motion/refine/levels.h"

#include <algorithm>
#include <cmath>

namespace verne {

namespace {

constexpr double kCostSettled = 1e-5;      // relative change of the cost at which halving ends
constexpr double kUsualGap = 2e-3;         // that is aimed at where the task does not say
constexpr double kMostWork = 6;            // times that of the first solve, where the task does not say
constexpr double kIterationsAhead = 26;    // of a next level and its end
constexpr double kMostForEquations = 300;  // the same, as long as equations along the way do not hold: no motion else
constexpr int kMostSteps = 8;
constexpr double kHalved = 2, kMostFiner = 4;
constexpr double kOnceMore = 1.01;  // as fine as before, with knots where the last level shows the switches
constexpr double kFirstForEquations = 3, kLeastForEquations = 1.25;
constexpr double kFarOff = 2.5;       // times the gap that is aimed at: what is affordable will do
constexpr double kSurely = 1.1;       // times as fine as the estimate says
constexpr double kMisfitOrder = 3.5;  // power of the length of spans with which equations are missed between nodes

}  // namespace

std::optional<double> estimated_gap(const std::vector<Level>& levels) {
  if (levels.size() < 2 || levels.back().cost == 0) return std::nullopt;
  const Level& last = levels.back();
  double gap = 0;
  for (auto level = levels.begin(); level != levels.end() - 1; ++level) {
    const double finer = last.fineness / level->fineness;  // the error falls with the square of that
    gap = std::max(gap, std::abs(level->cost - last.cost) / (finer * finer - 1));
  }
  return gap / std::abs(last.cost);
}

double gap_to_reach(const RefineSpec& refine) {
  return refine.gap.value_or(kUsualGap);
}

double finer_by(const RefineSpec& refine, const std::vector<Level>& levels, int steps, double gap, double misfit) {
  if (steps >= refine.knots.value_or(kMostSteps)) return 1;
  const bool misses = misfit > 1;
  if (steps == 0) return misses && !refine.knots ? kFirstForEquations : kHalved;
  const double cost = levels.back().cost;
  if (refine.knots) {
    const double change = std::abs(levels[levels.size() - 2].cost - cost);
    return misses || change > kCostSettled * std::abs(cost) ? kHalved : 1;
  }
  const double too_far = gap / gap_to_reach(refine);
  if (too_far <= 1 && !misses) return 1;
  const double most = refine.gap && steps > 1 ? kMostFiner : kHalved;
  const double finer = misses ? std::clamp(kSurely * std::pow(misfit, 1 / kMisfitOrder), kLeastForEquations, kMostFiner)
                              : std::min(kSurely * std::sqrt(too_far), most);
  if (refine.gap) return finer;

  double left = (misses ? kMostForEquations : kMostWork) * levels.front().work;
  for (const Level& level : levels) left -= level.work;
  const double affordable = left / (kIterationsAhead * levels.back().size);
  const double least = misses ? kLeastForEquations : too_far > kFarOff ? kOnceMore : finer;
  return affordable >= least ? std::min(affordable, finer) : 1;
}

}  // namespace verne
