#include "motion/terms/tiring_groups.h"

#include <cmath>

#include "motion/terms/costs/cost_type.h"
#include "motion/terms/load_term.h"

namespace verne {

extern const LimitKind kFatigueLimit;
extern const CostType kFatigueCost;

namespace {

double size_of(const LimitsSpec& limits, const char* key, int dof, double otherwise) {
  const auto found = limits.sizes.find(key);
  const auto i = static_cast<std::size_t>(dof);
  return found == limits.sizes.end() || i >= found->second.size() ? otherwise : found->second[i];
}

}  // namespace

double factor_of(const CostSpec& cost, const TiringGroup& group) {
  return cost.scale[static_cast<std::size_t>(group.dof)];
}

std::vector<TiringGroup> tiring_groups(const Task& task) {
  std::vector<TiringGroup> groups;
  for (int dof = 0; dof < task.model.nv(); ++dof) {
    const double limit = size_of(task.limits, kFatigueLimit.name, dof, kInfinity);
    bool counts = limit < kInfinity;
    for (const CostSpec& cost : task.costs) {
      counts |= &type_of(cost) == &kFatigueCost && cost.scale[static_cast<std::size_t>(dof)] > 0;
    }
    const Interval& effort = task.limits.effort[static_cast<std::size_t>(dof)];
    const std::string name(task.model.dof_names()[dof]);
    for (const bool positive : {true, false}) {
      const double left = positive ? effort.upper : -effort.lower;
      if (!counts || !(left > 0) || !std::isfinite(left)) continue;
      const double begun = size_of(task.limits, positive ? kTiredUp : kTiredDown, dof, 0);
      groups.push_back({dof, positive, left / (1 - begun), begun, &rates_of(name.c_str(), positive), limit});
    }
  }
  return groups;
}

Repetitions repetitions_of(const Task& task) {
  if (!task.work.repeat) return {};
  return {static_cast<double>(task.work.repeat->times), task.work.repeat->rest, task.work.repeat->every};
}

IntegralTerms tiring_integrals(const std::vector<TiringGroup>& groups, ChannelLayout& channels) {
  IntegralTerms out;
  const auto add = [&](const TiringGroup& group, auto function) {
    out.terms.push_back(
        std::make_unique<LoadTerm<decltype(function)>>(channels.tau(group.dof), group.load(1), function));
    out.weights.push_back(1);
    out.integral.push_back(out.integrals++);
    out.names.push_back(group.rates->group);
  };
  for (const TiringGroup& group : groups) {
    add(group, [](const auto& x) { return smooth_load(x); });
    add(group, [](const auto& x) { return smooth_rest(x); });
  }
  return out;
}

LimitName fatigue_limit_name(const Task& task, const TiringGroup& group) {
  return {kFatigueLimit, std::string(task.model.dof_names()[group.dof]) + (group.positive ? " (+)" : " (-)"), ""};
}

}  // namespace verne
