/// How tired muscles are after all repetitions, as a cost: docs/work.md.
#include "motion/terms/costs/cost_type.h"

namespace verne {

extern const CostType kFatigueCost{
    .name = "fatigue",
    .integrand =
        "no integral: Σ T², with T the part of the strength that is tired after all repetitions (`repeat`), of "
        "the muscles that turn each joint either way",
    .keys = {{joints_key()}},
    .value = CostType::Value::fatigue,
    .bounds_haste = true,
    .needs = needs_efforts,
    .read = [](const CostReading& from, CostSpec& cost) { cost.scale = read_freedom_factors(from); },
};

}  // namespace verne
