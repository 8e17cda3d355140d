/// Few points and a skin that hold many points: a hull whose corners are too many, from outside.
#pragma once

#include <vector>

#include "spatial/convex.h"

namespace verne {

/// A body of at most `most` of the points whose skin holds the others, by no more than `tolerance` where so many points
/// can do it. It reaches no farther than its skin beyond the hull of all.
VERNE_API ConvexBody cover(const std::vector<Vec3<double>>& points, double tolerance, std::size_t most);

}  // namespace verne
