/// Meshes for pictures: positions of 16 bits, fewer triangles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "shapes/mesh.h"

namespace verne {

struct DrawnPart {
  std::optional<Vec3<double>> colour;
  std::vector<std::uint32_t> fine, coarse;  ///< three vertices a triangle
};

/// Vertex k is at low + step * positions[3 k …], axis by axis.
struct VERNE_API DrawnMesh {
  std::array<double, 3> low{}, step{};
  std::vector<std::uint16_t> positions;
  std::vector<DrawnPart> parts;

  std::size_t vertex_count() const { return positions.size() / 3; }
  std::size_t fine_count() const;    ///< triangles
  std::size_t coarse_count() const;  ///< triangles
  double diagonal() const;           ///< of its box
};

/// All triangles of the mesh that are more than a line once their vertices are rounded; equal vertices are one. Both
/// levels are the same.
VERNE_API DrawnMesh drawn_mesh(const Mesh& mesh);

/// At most so many triangles at rest and in motion, or a few more where that would tear the mesh apart. Vertices that
/// no triangle has are left out, and the others ordered as triangles come to them.
VERNE_API void simplify(DrawnMesh& mesh, std::size_t fine, std::size_t coarse);

}  // namespace verne
