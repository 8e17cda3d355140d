/// Places that are too far apart for a model. docs/theory/motion.md, section 7.
#pragma once

#include <optional>

#include "verne/motion/solution.h"

namespace verne {

/// Two frames or contacts that are to be at the same time where the links between them do not reach: the worst pair
/// where there are several; nothing where there is none.
std::optional<Conflict> out_of_reach(const Task& task);

}  // namespace verne
