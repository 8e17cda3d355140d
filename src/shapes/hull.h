/// The smallest convex body around a mesh.
#pragma once

#include "shapes/mesh.h"

namespace verne {

/// Nothing where all vertices lie in a plane.
VERNE_API std::optional<Mesh> convex_hull(const Mesh& mesh);

}  // namespace verne
