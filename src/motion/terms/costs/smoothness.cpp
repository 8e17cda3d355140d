#include "motion/terms/costs/cost_type.h"
#include "motion/terms/weighted_square.h"

namespace verne {

extern const CostType kSmoothnessCost{
    .name = "smoothness",
    .integrand = "Σ a² or Σ jerk²",
    .keys = {{{"of", words({"acceleration", "jerk"}), "`of`: `acceleration` (default) or `jerk`"}, joints_key()}},
    .bounds_haste = true,
    .needs = [](const CostSpec& cost) { return cost.order >= 3 ? Needs::jerk : Needs::acceleration; },
    .determines = counts_freedom,
    .read =
        [](const CostReading& from, CostSpec& cost) {
          cost.scale = read_freedom_factors(from);
          cost.order = 2 + from.map.word_of("of", 0);
        },
    .add =
        [](const Task&, const CostSpec& cost, ChannelLayout& channels, CostTerms& terms) {
          for_each_scaled(cost, [&](int i) {
            terms.push_back(
                std::make_unique<WeightedSquare>(cost.order == 2 ? channels.a(i) : channels.jerk(i), cost.scale[i]));
          });
        },
};

}  // namespace verne
