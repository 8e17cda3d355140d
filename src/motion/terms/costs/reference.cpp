#include "motion/terms/costs/cost_type.h"
#include "motion/terms/weighted_square.h"

namespace verne {

extern const CostType kReferenceCost{
    .name = "reference",
    .integrand = "Σ (q − posture)² over the joints that `posture` names",
    .keys = {{{.name = "posture", .form = per_joint(number()), .meaning = "`posture`, required", .required = true}}},
    .determines = counts_freedom,
    .read =
        [](const CostReading& from, CostSpec& cost) {
          cost.scale.assign(from.joints.count(), 0);
          cost.target.assign(from.joints.count(), 0);
          const YamlNode* posture = from.map.require("posture");
          if (!posture) return;
          const auto read = [&](const YamlReader& in, const YamlNode& value, std::size_t dof) {
            const auto number = in.number(value, false, from.joints.unit(dof, NodeQuantity::position));
            cost.scale[dof] = 1;
            cost.target[dof] = number.value_or(0);
            return number.has_value();
          };
          for_each_value(*posture, from.map.reader("posture"), from.joints, read);
        },
    .add =
        [](const Task&, const CostSpec& cost, ChannelLayout& channels, CostTerms& terms) {
          for_each_scaled(cost, [&](int i) {
            terms.push_back(std::make_unique<WeightedSquare>(channels.q(i), cost.scale[i], cost.target[i]));
          });
        },
};

}  // namespace verne
