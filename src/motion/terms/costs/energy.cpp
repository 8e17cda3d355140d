#include "motion/terms/costs/energy.h"

#include "motion/terms/costs/cost_type.h"

namespace verne {

/// It determines no freedom: it does not depend on when work is done.
extern const CostType kEnergyCost{
    .name = "energy",
    .integrand =
        "Σ \\|τ v\\|, the size of the power. What is minimized is smooth, Σ (√((τ v)² + s²) − s); what is "
        "reported is the motion's own",
    .keys =
        {{{"smoothing", positive(kLargestWeight, "W"),
           "`smoothing` s in W, default a hundredth of the largest power of a joint in the first guess (that of the "
           "task, whatever `guess` says), and then less and less until both agree to the gap of `refine`"},
          joints_key()}},
    .smoothed = true,
    .needs = needs_efforts,
    .read =
        [](const CostReading& from, CostSpec& cost) {
          cost.scale = read_freedom_factors(from);
          cost.smoothing = from.map.real("smoothing", cost.smoothing);
        },
    .add =
        [](const Task&, const CostSpec& cost, ChannelLayout& channels, CostTerms& terms) {
          for_each_scaled(cost, [&](int i) {
            terms.push_back(std::make_unique<PowerCost>(channels.tau(i), channels.v(i), cost.scale[i], cost.smoothing));
          });
        },
};

}  // namespace verne
