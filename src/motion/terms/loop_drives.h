/// Which coordinates of a mechanism with loops have efforts of their own.
#pragma once

#include <vector>

#include "verne/structures/mechanism.h"

namespace verne {

/// Freedoms of the tree whose efforts a motion of a mechanism tells, in ascending order: those with motors and, where
/// motors leave motions free that nothing drives, as many independent ones as hold these; their efforts are to be zero.
/// docs/theory/loop-motion.md, (3).
std::vector<int> drives_of(const Mechanism& mechanism);

}  // namespace verne
