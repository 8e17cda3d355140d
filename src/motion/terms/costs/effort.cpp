#include "motion/terms/costs/cost_type.h"
#include "motion/terms/weighted_square.h"

namespace verne {

extern const CostType kEffortCost{
    .name = "effort",
    .integrand = "Σ τ²",
    .keys = {{{"normalize", flag(), "`normalize: true` divides each τ by its effort limit (the larger of both signs)"},
              joints_key()}},
    .bounds_haste = true,
    .needs = needs_efforts,
    .determines = counts_freedom,
    .read = [](const CostReading& from, CostSpec& cost) { read_effort_factors(from, 2, cost); },
    .add =
        [](const Task&, const CostSpec& cost, ChannelLayout& channels, CostTerms& terms) {
          for_each_scaled(
              cost, [&](int i) { terms.push_back(std::make_unique<WeightedSquare>(channels.tau(i), cost.scale[i])); });
        },
};

}  // namespace verne
