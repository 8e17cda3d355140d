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
  VERNE_API double reach() const;
};

/// The distance of two bodies from each other, m; where it is more than `enough`, something between both. Where skins
/// overlap it is negative, by how deep; where cores do it is the lowest that skins alone can make it.
VERNE_API double distance(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b,
                          const Transform<double>& X_WB, double enough);

/// A direction in the world and by how much a body is beyond another one along it: they are at least that far apart.
struct Separation {
  double distance = 0;           ///< m; negative where skins overlap
  Vec3<double> normal{0, 0, 0};  ///< of length one, from B to A; zero where cores overlap
};
/// Of all directions the one along which A is farthest beyond B, to rounding; where it is more than `enough`, any such.
VERNE_API Separation separation(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b,
                                const Transform<double>& X_WB, double enough);

/// As separation(), but what is asked is only whether they are more than `enough` apart, more than `least`, or neither:
/// a distance between both may be any such that is less than the true one. `first`: a direction that may separate them,
/// as it did a moment ago.
VERNE_API Separation separation_within(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b,
                                       const Transform<double>& X_WB, double least, double enough,
                                       const Vec3<double>& first);

/// How far a body reaches in a direction of length one, from the world's origin.
VERNE_API double support(const ConvexBody& body, const Transform<double>& X_WB, const Vec3<double>& direction);

/// Not less than the depth by which bodies overlap, and close to it: the least way in one of many directions that takes
/// them apart. 0 where they do not.
VERNE_API double overlap(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b,
                         const Transform<double>& X_WB);

/// The corners of a core whose hull, with the returned skin around it, holds the body: cylinders as prisms.
struct Corners {
  std::vector<Vec3<double>> points;  ///< in the body's axes
  double skin = 0;                   ///< m
};
VERNE_API Corners corners_of(const ConvexBody& body);

}  // namespace verne
