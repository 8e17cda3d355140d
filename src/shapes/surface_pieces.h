/// Meshes as convex pieces: closed parts that are convex as what they are, all else triangle by triangle.
#pragma once

#include <memory>
#include <string>

#include "shapes/mesh.h"
#include "spatial/convex_pieces.h"

namespace verne {

struct SurfacePieces {
  std::shared_ptr<const ConvexPieces> pieces;
  std::size_t solids = 0;      ///< convex parts
  std::size_t triangles = 0;   ///< that are not of these
  std::size_t open_edges = 0;  ///< of an odd number of triangles: parts that have some have no inside
  double thicker = 0;          ///< m: by how much convex parts may be larger than they are
};

constexpr std::size_t kMostPieceTriangles = 300'000;

/// Scaled axis by axis. Throws InputError that says why where the mesh has too many triangles, or none of any size.
VERNE_API SurfacePieces surface_pieces(const Mesh& mesh, const Vec3<double>& scale);

/// Few enough triangles for a picture.
VERNE_API DrawnSurface drawn_surface(const Mesh& mesh, const Vec3<double>& scale);

}  // namespace verne
