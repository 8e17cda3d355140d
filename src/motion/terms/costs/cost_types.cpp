#include <algorithm>
#include <array>

#include "motion/terms/costs/cost_type.h"

namespace verne {

extern const CostType kTimeCost, kEffortCost, kEffortRateCost, kPeakEffortCost, kJointForceCost, kEnergyCost,
    kSmoothnessCost, kReferenceCost, kDiscomfortCost, kSteadinessCost, kGroundRateCost, kOwnCost, kOwnCostAtEnd;

namespace {

/// All kinds of costs; the last two are from code.
constexpr std::array<const CostType*, 13> kCostTypes{
    &kTimeCost,       &kEffortCost,     &kEffortRateCost, &kPeakEffortCost, &kJointForceCost,
    &kEnergyCost,     &kSmoothnessCost, &kReferenceCost,  &kDiscomfortCost, &kSteadinessCost,
    &kGroundRateCost, &kOwnCost,        &kOwnCostAtEnd};
constexpr std::size_t kFromCode = 2;

}  // namespace

std::span<const CostType* const> costs_in_files() {
  return std::span(kCostTypes).first(kCostTypes.size() - kFromCode);
}

const CostType& type_of(const CostSpec& cost) {
  const auto is_it = [&](const CostType* type) { return type->kind == cost.kind; };
  return **std::find_if(kCostTypes.begin(), kCostTypes.end(), is_it);
}

}  // namespace verne
