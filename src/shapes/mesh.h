/// Triangles that stand for the surface of a body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/base/small_matrix.h"

namespace verne {

struct MeshPart {
  std::optional<Vec3<double>> colour;  ///< red, green, blue, each 0 to 1, where the file gives one
  std::size_t triangles = 0;
};

struct Mesh {
  std::vector<float> positions;          ///< x y z of each vertex
  std::vector<std::uint32_t> triangles;  ///< three vertices each, part by part
  std::vector<MeshPart> parts;

  std::size_t vertex_count() const { return positions.size() / 3; }
  std::size_t triangle_count() const { return triangles.size() / 3; }
};

/// As bytes, and back. Nothing where the bytes are not those of a mesh: cut off, vertices that do not exist, positions
/// that are no numbers.
VERNE_API std::string bytes_of(const Mesh& mesh);
VERNE_API std::optional<Mesh> mesh_from(const std::string& bytes);

}  // namespace verne
