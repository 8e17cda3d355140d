/// Capsules that hold a surface: few, and as thin as they can easily be found.
#pragma once

#include <vector>

#include "shapes/mesh.h"
#include "verne/base/export.h"
#include "verne/spatial/transform.h"

namespace verne {

/// A line along z with a skin.
struct FittedCapsule {
  Transform<double> X = Transform<double>::identity();  ///< of its middle
  double radius = 0, half = 0;                          ///< half of the line's length; zero: a sphere
};

struct CapsuleCover {
  std::vector<FittedCapsule> capsules;
  double thicker = 0;  ///< m: how far they reach beyond the triangles that they are for, about
};

/// Every triangle is in one of them, whole. Parts are halved until none reaches farther beyond its own than
/// `tolerance`, or there are `most`.
VERNE_API CapsuleCover cover_by_capsules(const Mesh& mesh, const Vec3<double>& scale, double tolerance,
                                         std::size_t most);

}  // namespace verne
