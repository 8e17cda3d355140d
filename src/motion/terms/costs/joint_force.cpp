#include "motion/terms/costs/cost_type.h"
#include "motion/terms/weighted_square.h"

namespace verne {

extern const CostType kJointForceCost{
    .name = "joint_force",
    .integrand = "Σ \\|F\\|², the force through each moving joint",
    .keys = {{joints_key()}},
    .of_joints = true,
    .needs = needs_efforts,
    .determines = [](const CostSpec&, int) { return true; },
    .read = [](const CostReading& from, CostSpec& cost) { cost.scale = read_joint_factors(from); },
    .add =
        [](const Task&, const CostSpec& cost, ChannelLayout& channels, CostTerms& terms) {
          for_each_scaled(cost, [&](int i) {
            for (int k = 0; k < 3; ++k) {
              terms.push_back(std::make_unique<WeightedSquare>(channels.wrench(i) + k, cost.scale[i]));
            }
          });
        },
};

}  // namespace verne
