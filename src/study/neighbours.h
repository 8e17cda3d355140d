/// Which point each point starts from.
#pragma once

#include <vector>

#include "verne/study/sample.h"

namespace verne {

/// For more points, the time to find neighbours would be felt.
inline constexpr int kMostWithNeighbours = 20000;

/// A tree over all points, as the parent of each; −1 for the root, the point nearest to the centre of all ranges. The
/// parent is the nearest of all that are nearer to the centre: the tree is shallow, so that many can be computed at
/// once.
std::vector<int> parents_of(const SamplePoints& points);

}  // namespace verne
