#include <algorithm>
#include <array>

#include "io/number.h"
#include "motion/terms/costs/cost_type.h"

namespace verne {

extern const CostType kTimeCost, kEffortCost, kEffortRateCost, kPeakEffortCost, kJointForceCost, kCompressionCost,
    kEnergyCost, kSmoothnessCost, kReferenceCost, kDiscomfortCost, kSteadinessCost, kGroundRateCost, kFatigueCost;

std::span<const CostType* const> costs_in_files() {
  static constexpr std::array<const CostType*, 13> kAll{
      &kTimeCost,        &kEffortCost,     &kEffortRateCost, &kPeakEffortCost, &kJointForceCost,
      &kCompressionCost, &kEnergyCost,     &kSmoothnessCost, &kReferenceCost,  &kDiscomfortCost,
      &kSteadinessCost,  &kGroundRateCost, &kFatigueCost};
  return kAll;
}

const CostType& cost_type(const std::string& name) {
  std::vector<std::string> names;
  for (const CostType* type : costs_in_files()) {
    if (type->name == name) return *type;
    names.emplace_back(type->name);
  }
  throw InputError("there is no cost " + in_quotes(name) + suggestion(name, names));
}

bool has_cost(const Task& task, bool (*of_kind)(const CostSpec& cost)) {
  return std::any_of(task.costs.begin(), task.costs.end(),
                     [&](const CostSpec& cost) { return of_kind(cost) && cost.weight > 0; });
}

}  // namespace verne
