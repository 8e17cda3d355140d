#include "motion/terms/costs/discomfort.h"

#include "motion/terms/costs/cost_type.h"

namespace verne {

extern const CostType kDiscomfortCost{
    .name = "discomfort",
    .integrand =
        "Σ r² + r⁴/2 + r⁶/3, with r the distance from the middle of a joint's range, 1 at its ends: what "
        "ligaments would say; joints without limits of position have none",
    .keys = {{joints_key()}},
    .determines = counts_freedom,
    .read =
        [](const CostReading& from, CostSpec& cost) {
          const std::vector<Interval>& position = from.limits.position;
          cost.scale = read_freedom_factors(from);
          cost.target.assign(from.joints.count(), 0);
          cost.half.assign(from.joints.count(), 1);
          for (std::size_t i = 0; i < from.joints.count(); ++i) {
            const double middle = (position[i].lower + position[i].upper) / 2, half = position[i].upper - middle;
            if (std::isfinite(half) && half > 0) {
              cost.target[i] = middle, cost.half[i] = half;
            } else {
              cost.scale[i] = 0;
            }
          }
        },
    .add =
        [](const Task&, const CostSpec& cost, ChannelLayout& channels, CostTerms& terms) {
          for_each_scaled(cost, [&](int i) {
            terms.push_back(std::make_unique<Discomfort>(channels.q(i), cost.scale[i], cost.target[i], cost.half[i]));
          });
        },
};

}  // namespace verne
