#include "motion/terms/costs/cost_type.h"
#include "motion/terms/own_terms.h"

namespace verne {

extern const CostType kOwnCost{
    .kind = CostKind::own,
    .name = "own",
    .integrand = "a term from code",
    .determines = counts_freedom,
    .add = [](const Task& task, const CostSpec& cost, ChannelLayout& channels,
              CostTerms& terms) { terms.push_back(OwnTerm::cost(cost, task, channels)); },
};

extern const CostType kOwnCostAtEnd{
    .kind = CostKind::own_at,
    .name = "own",
    .integrand = "a term from code, at the start or the end",
    .value = CostType::Value::at_end,
};

}  // namespace verne
