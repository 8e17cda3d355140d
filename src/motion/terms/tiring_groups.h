/// The muscles that a cost or a limit `fatigue` looks at: docs/work.md.
#pragma once

#include <vector>

#include "ergonomics/repeated_fatigue.h"
#include "motion/terms/task_terms.h"

namespace verne {

/// LimitsSpec::sizes of what is tired before the motion begins: of muscles that push a freedom's way, and the others.
inline constexpr const char* kTiredUp = "tired_up";
inline constexpr const char* kTiredDown = "tired_down";

/// Those that turn a freedom one way, with a limit of effort that is their strength.
struct TiringGroup {
  int dof = 0;
  bool positive = true;
  double strength = 0;  ///< of somebody who is rested
  double begun = 0;     ///< what is tired before
  const FatigueRates* rates = nullptr;
  double limit = kInfinity;  ///< of what may be tired in the end

  /// The part of the strength that an effort asks for; negative where it is for the others.
  double load(double effort) const { return (positive ? effort : -effort) / strength; }
};
std::vector<TiringGroup> tiring_groups(const Task& task);
/// What a cost counts one by.
double factor_of(const CostSpec& cost, const TiringGroup& group);

Repetitions repetitions_of(const Task& task);
/// ∫ load dt and the time at rest of each, one behind the other.
IntegralTerms tiring_integrals(const std::vector<TiringGroup>& groups, ChannelLayout& channels);
LimitName fatigue_limit_name(const Task& task, const TiringGroup& group);

}  // namespace verne
