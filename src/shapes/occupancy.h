/// What is occupied in a map of cells, from depth cameras as a rule: OctoMap's files, arrays of NumPy; as few boxes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "spatial/convex_pieces.h"

namespace verne {

/// Cubes along the axes of the map. `edge` is in cells of the smallest size, places are the lowest corners in them.
struct OccupiedCell {
  std::array<std::int32_t, 3> at;
  std::int32_t edge = 1;
};

struct OccupancyMap {
  double resolution = 0;         ///< m: edge of the smallest cells
  Vec3<double> origin{0, 0, 0};  ///< of cell 0 0 0: its lowest corner
  std::vector<OccupiedCell> cells;
};

/// OctoMap's `.bt` and `.ot` (trees `OcTree` and `ColorOcTree`): cells that are occupied; what is unknown is free.
/// Throws InputError without a file's name.
VERNE_API OccupancyMap read_octomap(const std::string& bytes);
/// An array `[x][y][z]` of a `.npy` file, of booleans, bytes or floats, C order: cells above `occupied` are occupied.
VERNE_API OccupancyMap read_voxels(const std::string& bytes, double resolution, const Vec3<double>& origin,
                                   double occupied);

constexpr std::size_t kMostOccupiedCells = 5'000'000;

/// Cells that fill boxes together, as these. Throws InputError where nothing is occupied or too much is.
VERNE_API std::vector<ConvexPiece> boxes_of(const OccupancyMap& map);
/// Their faces.
VERNE_API DrawnSurface drawn_boxes(const std::vector<ConvexPiece>& boxes);

}  // namespace verne
