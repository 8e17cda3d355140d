/// What is wrong with a task before anything is solved. docs/theory/motion.md, section 7.
#pragma once

#include <optional>

#include "verne/motion/solution.h"

namespace verne {

/// A state that is given completely and what it breaks of that which holds all the way: a zone, a frame, a limit of
/// effort. The worst where there are several; nothing where there is none.
std::optional<Conflict> broken_by_given_state(const Task& task);

}  // namespace verne
