/// Which limits are known to hold at the times that were looked at alone.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "verne/motion/solution.h"

namespace verne {

/// Kinds of limits that are measured densely between nodes, but not proven for all times, in the order of the limits.
inline std::vector<std::string> sampled_limits(const Solution& solution) {
  const Verification& v = solution.verification;
  const auto proven = [&](const std::string& kind) {
    return (kind == "position" && v.position_certified.value_or(false)) ||
           (kind == "velocity" && v.velocity_certified.value_or(false)) ||
           (kind == "acceleration" && v.acceleration_certified.value_or(false)) ||
           (kind == "jerk" && v.jerk_certified.value_or(false));
  };
  std::vector<std::string> kinds;
  for (const LimitUse& limit : solution.limits) {
    if (!proven(limit.kind) && std::ranges::find(kinds, limit.kind) == kinds.end()) kinds.push_back(limit.kind);
  }
  return kinds;
}

}  // namespace verne
