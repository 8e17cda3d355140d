#include "motion/terms/costs/cost_type.h"
#include "motion/terms/own_terms.h"

namespace verne {

const CostType kOwnCost{
    .name = "own",
    .integrand = "a term from code",
    .determines = counts_freedom,
    .add = [](const Task& task, const CostSpec& cost, ChannelLayout& channels,
              CostTerms& terms) { terms.push_back(OwnTerm::cost(cost, task, channels)); },
};

const CostType kOwnCostAtEnd{
    .name = "own",
    .integrand = "a term from code, at the start or the end",
    .value = CostType::Value::at_end,
};

}  // namespace verne
