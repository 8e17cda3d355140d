/// Convex bodies, and how far apart two of them are: the method of Gilbert, Johnson and Keerthi.
#pragma once

#include <vector>

#include "verne/base/export.h"
#include "verne/spatial/transform.h"

namespace verne {

/// A core with a skin of some thickness around it: a sphere is a point with a skin, a capsule a line.
struct ConvexBody {
  enum class Core { point, line, box, cylinder, points };
  Core core = Core::point;
  Vec3<double> half{0, 0, 0};        ///< box: of its edges; line: along z; cylinder: radius, radius, along z
  double skin = 0;                   ///< m
  std::vector<Vec3<double>> points;  ///< whose hull is the core

  /// No point of it is farther from its origin.
  double reach() const;
};

/// The distance of two bodies from each other, m; where it is more than `enough`, something between both. Where skins
/// overlap it is negative, by how deep; where cores do it is the lowest that skins alone can make it.
VERNE_API double distance(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b,
                          const Transform<double>& X_WB, double enough);

}  // namespace verne
