/// Places that are too far away, or too far apart, for a model. docs/theory/motion.md, section 7.
#pragma once

#include <optional>

#include "verne/motion/solution.h"

namespace verne {

/// A frame or contact that is to be where the links that carry it do not reach, or two that are to be at the same time
/// where the links between them do not: the worst where there are several; nothing where there is none.
std::optional<Conflict> out_of_reach(const Task& task);

}  // namespace verne
