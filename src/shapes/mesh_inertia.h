/// What a body weighs whose surface is a mesh.
#pragma once

#include <functional>
#include <optional>

#include "shapes/mesh.h"
#include "verne/base/small_matrix.h"

namespace verne {

/// Of density one: per volume, or per area where all mass is in the surface.
struct MeshInertia {
  double size = 0;         ///< volume or area
  Vec3<double> centre;     ///< of mass
  Sym3<double> inertia{};  ///< about the centre
};

enum class MeshMass {
  shell,
  /// Volumes between triangles and a point add up with their signs: exact where the surface is closed.
  exact,
  /// As MuJoCo does by default: all of them count as positive, first about the middle of the surface, from which the
  /// centre follows, then about the centre. Exact for bodies all of whose surface is seen from there.
  positive,
};

/// Of the mesh with its vertices moved by `place`. Nothing for one that has no size.
VERNE_API std::optional<MeshInertia> mesh_inertia(const Mesh& mesh, MeshMass kind,
                                                  const std::function<Vec3<double>(const Vec3<double>&)>& place);

}  // namespace verne
