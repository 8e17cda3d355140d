/// Durations that the limits of a joint do not allow. docs/theory/motion.md, section 7.
#pragma once

#include <optional>

#include "verne/motion/solution.h"

namespace verne {

/// How far a freedom has to get, and what it may do on the way; upwards.
struct Rise {
  double way = 0;                             ///< at least
  double first = kInfinity;                   ///< velocity that it begins with, at most
  double last = kInfinity;                    ///< velocity that it ends with, at most
  double fastest = kInfinity;                 ///< velocity on the way, at most
  double gain = kInfinity, loss = kInfinity;  ///< velocity that a second may give, and take
};
/// How far it gets in a time at most.
double farthest(const Rise& rise, double time);
/// The least time longer than `time`, which does not suffice, that does; infinite where none does.
double least_time_above(const Rise& rise, double time);

/// Two states that are farther apart than the limits of velocity and acceleration of a joint allow in the time between
/// them: the one that lacks most time; nothing where there is none.
std::optional<Conflict> too_short(const Task& task);

}  // namespace verne
