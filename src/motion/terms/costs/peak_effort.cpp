#include "motion/terms/costs/peak_effort.h"

#include <algorithm>

#include "motion/terms/costs/cost_type.h"

namespace verne {

extern const CostType kPeakEffortCost{
    .name = "peak_effort",
    .integrand =
        "no integral: the largest \\|τ\\| of all joints and times, in N m or N. `normalize: true` divides each τ "
        "by its effort limit, so that 1 is full use of a drive: which motion gets along with the smallest drives",
    .keys = {{{"normalize", flag(), "`normalize`"}, joints_key()}},
    .value = CostType::Value::peak,
    .bounds_haste = true,
    .needs = needs_efforts,
    .read =
        [](const CostReading& from, CostSpec& cost) {
          read_effort_factors(from, 1, cost);
          bool any = false, driven = false;
          for (std::size_t i = 0; i < from.joints.count(); ++i) {
            any |= cost.scale[i] > 0;
            if (!from.joints.actuated(i)) cost.scale[i] = 0;
            driven |= cost.scale[i] > 0;
          }
          if (any && !driven) {
            from.map.reader("joints").error(from.map.line(), "expected at least one joint that is driven");
          }
        },
};

LimitTerms peak_limits(const Task& task, ChannelLayout& channels) {
  LimitTerms terms;
  int peak = 0;
  for (const CostSpec& cost : task.costs) {
    if (type_of(cost).value != CostType::Value::peak) continue;
    for_each_scaled(cost, [&](int i) {
      LimitName name{kPeakEffortLimit, std::string(task.model.dof_names()[i]), effort_unit(task.model, i)};
      terms.push_back(std::make_unique<PeakLimit>(std::move(name), channels.tau(i), cost.scale[i], peak, cost.peak));
    });
    ++peak;
  }
  return terms;
}

Interval effort_range(const Task& task, int dof) {
  Interval range = task.limits.effort[dof];
  for (const CostSpec& cost : task.costs) {
    if (type_of(cost).value != CostType::Value::peak || cost.scale[dof] == 0) continue;
    range.lower = std::max(range.lower, -cost.peak / cost.scale[dof]);
    range.upper = std::min(range.upper, cost.peak / cost.scale[dof]);
  }
  return range;
}

}  // namespace verne
