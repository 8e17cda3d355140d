#include "ergonomics/repeated_fatigue.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/load_term.h"
#include "motion/terms/weighted_square.h"

namespace verne {

namespace {

/// factor · load^power, with the load as a part of the strength in this direction, of whose sign per_effort is.
void add_load(int effort, double per_effort, double factor, int power, CostTerms& terms) {
  const auto function = [factor, power](const auto& x) {
    const auto load = smooth_load(x);
    auto product = load * factor;
    for (int k = 1; k < power; ++k) product *= load;
    return product;
  };
  terms.push_back(std::make_unique<LoadTerm<decltype(function)>>(effort, per_effort, function));
}

void read_effort(const CostReading& from, CostSpec& cost) {
  const YamlNode* normalize = from.map.find("normalize");
  cost.each_way = normalize && is_word(*normalize, "each_way");
  if (cost.each_way) {
    read_limited_factors(from, cost);
    cost.order = from.map.integer("power", cost.order);
    return;
  }
  if (normalize && !is_word(*normalize, "true") && !is_word(*normalize, "false")) {
    return from.map.reader("normalize").expected("true, false or each_way", *normalize);
  }
  read_effort_factors(from, 2, cost);
  if (from.map.find("power")) from.map.reader("power").error(from.map.line(), "needs normalize: each_way");
}

void add_effort(const Task& task, const CostSpec& cost, ChannelLayout& channels, CostTerms& terms) {
  for_each_scaled(cost, [&](int i) {
    if (!cost.each_way) {
      terms.push_back(std::make_unique<WeightedSquare>(channels.tau(i), cost.scale[i]));
      return;
    }
    const Interval& limit = task.limits.effort[i];
    for (const double strength : {limit.upper, limit.lower}) {  // none of what has no drive
      if (strength != 0 && std::isfinite(strength)) {
        add_load(channels.tau(i), 1 / strength, cost.scale[i], cost.order, terms);
      }
    }
  });
}

}  // namespace

extern const CostType kEffortCost{
    .name = "effort",
    .integrand = "Σ τ²",
    .keys = {{{"normalize", either({flag(), word("each_way")}),
               "`normalize: true` divides each τ by its effort limit (the larger of both signs), `each_way` by that of "
               "its own sign, as of muscles that bend a joint and those that stretch it (rounded off by a hundredth of "
               "it near zero)"},
              {"power", whole(2, 10), "with `each_way`, `power` p: Σ \\|τ/limit\\|^p (default 2)"},
              joints_key()}},
    .bounds_haste = true,
    .needs = needs_efforts,
    .determines = counts_freedom,
    .read = read_effort,
    .add = add_effort,
};

}  // namespace verne
