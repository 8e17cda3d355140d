/// Which limits are known to hold at the times that were looked at alone.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "verne/motion/solution.h"

namespace verne {

/// Kinds of limits of what drives give and joints bear that are proven for all times.
inline std::set<std::string> proven_loads(const Verification& v) {
  std::set<std::string> proven;
  if (v.effort_certified.value_or(false)) proven.insert("effort");
  if (v.joint_force_certified.value_or(false)) proven.insert("joint_force");
  if (v.joint_moment_certified.value_or(false)) proven.insert("joint_moment");
  return proven;
}

/// Kinds of limits that are measured densely between nodes, but not proven for all times, in the order of the limits.
inline std::vector<std::string> sampled_limits(const Solution& solution) {
  const Verification& v = solution.verification;
  const auto proven = [&](const std::string& kind) {
    return (kind == "position" && v.position_certified.value_or(false)) ||
           (kind == "velocity" && v.velocity_certified.value_or(false)) ||
           (kind == "acceleration" && v.acceleration_certified.value_or(false)) ||
           (kind == "jerk" && v.jerk_certified.value_or(false)) || proven_loads(v).contains(kind);
  };
  std::vector<std::string> kinds;
  for (const LimitUse& limit : solution.limits) {
    if (!proven(limit.kind) && std::ranges::find(kinds, limit.kind) == kinds.end()) kinds.push_back(limit.kind);
  }
  return kinds;
}

}  // namespace verne
