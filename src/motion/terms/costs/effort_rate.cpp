#include "motion/terms/costs/cost_type.h"
#include "motion/terms/squared_rate.h"

namespace verne {

extern const CostType kEffortRateCost{
    .name = "effort_rate",
    .integrand =
        "Σ τ̇², how fast efforts change. Jumps where phases meet, which only `jump` or contacts that set in make, "
        "are not counted",
    .keys = {{{"normalize", flag(), "`normalize: true` as for `effort`"}, joints_key()}},
    .of_effort_rates = true,
    .bounds_haste = true,
    .needs = needs_efforts,
    .determines = counts_freedom,
    .read = [](const CostReading& from, CostSpec& cost) { read_effort_factors(from, 2, cost); },
    .add =
        [](const Task&, const CostSpec& cost, ChannelLayout& channels, CostTerms& terms) {
          for_each_scaled(
              cost, [&](int i) { terms.push_back(std::make_unique<SquaredRate>(channels.tau(i), cost.scale[i])); });
        },
};

}  // namespace verne
