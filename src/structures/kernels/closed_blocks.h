/// Where kernels write derivatives of mechanisms with loops or contacts held.
#pragma once

#include "dynamics/kernel_table.h"

namespace verne {

/// What is not wanted has a dq of null.
template <class T>
struct ClosedBlocks {
  Blocks<T> found;     ///< of the independent accelerations, or of the torques of a motion
  Blocks<T> tree{};    ///< of all accelerations of the tree
  Blocks<T> loops{};   ///< of the wrenches of loops and contacts, 6 rows, one after the other
  Blocks<T> joints{};  ///< of those of joints
};

}  // namespace verne
