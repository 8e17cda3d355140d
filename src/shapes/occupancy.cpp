#include "shapes/occupancy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "verne/base/error.h"
#include "verne/base/text.h"

namespace verne {

namespace {

constexpr int kDepth = 16;                           // of OctoMap's trees
constexpr std::int32_t kMiddle = 1 << (kDepth - 1);  // the cell with the origin as its lowest corner
constexpr double kLargestCell = 1e4;                 // m
constexpr std::size_t kMostLines = 100;              // of a head

// ---- OctoMap ------------------------------------------------------------------------------------------------------

/// The tree behind the head, node after node.
class OctomapTree {
 public:
  OctomapTree(const std::string& bytes, std::size_t at, std::size_t colour, OccupancyMap& map)
      : bytes_(bytes), at_(at), colour_(colour), map_(map) {}

  /// Two bits for each child: 01 free, 10 occupied, 11 with children of its own; the first child has the lowest.
  void read_binary(std::array<std::int32_t, 3> low, int depth) {
    if (depth >= kDepth) throw InputError("has a tree that is deeper than 16");
    const unsigned low_bits = byte(), bits = low_bits | byte() << 8U;
    for (unsigned k = 0; k < 8; ++k) {
      if ((bits >> 2 * k & 3U) == 2U) add(child(low, depth, k), depth + 1);
    }
    for (unsigned k = 0; k < 8; ++k) {
      if ((bits >> 2 * k & 3U) == 3U) read_binary(child(low, depth, k), depth + 1);
    }
  }
  /// The logarithm of the odds, colours, and which children there are.
  void read_full(std::array<std::int32_t, 3> low, int depth) {
    const std::uint32_t word = byte() | byte() << 8U | byte() << 16U | byte() << 24U;
    const auto odds = std::bit_cast<float>(word);
    for (std::size_t k = 0; k < colour_; ++k) byte();
    const unsigned children = byte();
    if (children == 0 && odds >= 0) add(low, depth);
    if (children != 0 && depth >= kDepth) throw InputError("has a tree that is deeper than 16");
    for (unsigned k = 0; k < 8; ++k) {
      if (children >> k & 1U) read_full(child(low, depth, k), depth + 1);
    }
  }

 private:
  unsigned byte() {
    if (at_ >= bytes_.size()) throw InputError("is cut off");
    return static_cast<unsigned char>(bytes_[at_++]);
  }
  static std::array<std::int32_t, 3> child(std::array<std::int32_t, 3> low, int depth, unsigned k) {
    const std::int32_t half = 1 << (kDepth - depth - 1);
    for (std::size_t i = 0; i < 3; ++i) low[i] += k >> i & 1U ? half : 0;
    return low;
  }
  void add(std::array<std::int32_t, 3> low, int depth) {
    map_.cells.push_back({low, 1 << (kDepth - depth)});
    if (map_.cells.size() > kMostOccupiedCells) throw InputError("has too many occupied cells");
  }

  const std::string& bytes_;
  std::size_t at_, colour_;
  OccupancyMap& map_;
};

std::optional<double> number_after(const std::string& line, const std::string& word) {
  if (!line.starts_with(word + " ")) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(line.c_str() + word.size(), &end);
  return std::isfinite(value) && end != line.c_str() + word.size() ? std::optional(value) : std::nullopt;
}

// ---- NumPy --------------------------------------------------------------------------------------------------------

/// The text between a key of the head and what ends its value.
std::string value_of(const std::string& head, const std::string& key, char end) {
  const std::size_t at = head.find("'" + key + "':");
  if (at == std::string::npos) throw InputError("is no array of NumPy: it has no " + key);
  const std::size_t begin = head.find_first_not_of(' ', at + key.size() + 3), stop = head.find(end, begin);
  if (begin == std::string::npos || stop == std::string::npos) throw InputError("has a head that is cut off");
  return head.substr(begin, stop - begin);
}

std::array<std::size_t, 3> shape_of(const std::string& head) {
  std::string text = value_of(head, "shape", ')');
  std::ranges::replace(text, ',', ' ');
  std::array<std::size_t, 3> shape{};
  char rest = 0;
  const int count = std::sscanf(text.c_str(), "(%zu %zu %zu %c", &shape[0], &shape[1], &shape[2], &rest);
  constexpr std::size_t kMost = 100'000;
  if (count != 3 || std::ranges::any_of(shape, [](std::size_t n) { return n == 0 || n > kMost; })) {
    throw InputError("expected an array of three axes x y z, found shape " + text + ")");
  }
  return shape;
}

template <typename T>
double number_at(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return static_cast<double>(value);
}

// ---- Boxes --------------------------------------------------------------------------------------------------------

struct CellBox {
  std::array<std::int32_t, 3> low, edges;
};

/// Boxes that are the same but for where they are along an axis, and touch there, become one.
void merge_along(std::size_t axis, std::vector<CellBox>& boxes) {
  const std::size_t b = (axis + 1) % 3, c = (axis + 2) % 3;
  const auto key = [&](const CellBox& box) {
    return std::tuple(box.low[b], box.low[c], box.edges[b], box.edges[c], box.low[axis]);
  };
  std::ranges::sort(boxes, {}, key);
  std::vector<CellBox> merged;
  for (const CellBox& box : boxes) {
    CellBox* const last = merged.empty() ? nullptr : &merged.back();
    if (last && last->low[b] == box.low[b] && last->low[c] == box.low[c] && last->edges[b] == box.edges[b] &&
        last->edges[c] == box.edges[c] && last->low[axis] + last->edges[axis] == box.low[axis]) {
      last->edges[axis] += box.edges[axis];
    } else {
      merged.push_back(box);
    }
  }
  boxes = std::move(merged);
}

}  // namespace

OccupancyMap read_octomap(const std::string& bytes) {
  OccupancyMap map;
  std::size_t at = 0;
  std::string id;
  bool binary = false, first = true;
  for (std::size_t k = 0; k < kMostLines; ++k) {
    const std::size_t end = bytes.find('\n', at);
    if (end == std::string::npos || end - at > 1000) break;
    const std::string line = bytes.substr(at, end - at);
    at = end + 1;
    if (std::exchange(first, false)) {
      binary = line.starts_with("# Octomap OcTree binary file");
      if (!binary && !line.starts_with("# Octomap OcTree file")) throw InputError("is no file of OctoMap");
    } else if (line.starts_with("id ")) {
      id = line.substr(3);
    } else if (const auto resolution = number_after(line, "res")) {
      map.resolution = *resolution;
    } else if (line == "data") {
      const bool colours = id == "ColorOcTree";
      if (id != "OcTree" && !colours)
        throw InputError("holds a tree " + escaped(id) + ", expected OcTree or ColorOcTree");
      if (!(map.resolution > 0)) throw InputError("has no resolution (`res`)");
      map.origin = Vec3<double>{1, 1, 1} * (-kMiddle * map.resolution);
      OctomapTree tree(bytes, at, colours ? 3 : 0, map);
      if (at == bytes.size()) return map;  // nothing is known
      if (binary) {
        tree.read_binary({0, 0, 0}, 0);
      } else {
        tree.read_full({0, 0, 0}, 0);
      }
      return map;
    }
  }
  throw InputError("is no file of OctoMap: it has no `data`");
}

OccupancyMap read_voxels(const std::string& bytes, double resolution, const Vec3<double>& origin, double occupied) {
  if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY")) throw InputError("is no array of NumPy (.npy)");
  const auto byte = [&](std::size_t k) { return std::size_t{static_cast<unsigned char>(bytes[k])}; };
  const bool longer = bytes[6] > 1;
  const std::size_t head_begin = longer ? 12 : 10;
  const std::size_t size =
      longer ? byte(8) | byte(9) << 8U | byte(10) << 16U | byte(11) << 24U : byte(8) | byte(9) << 8U;
  if (size > bytes.size() - head_begin) throw InputError("is cut off");
  const std::string head = bytes.substr(head_begin, size), type = value_of(head, "descr", ',');
  if (value_of(head, "fortran_order", ',') != "False") throw InputError("expected C order, found Fortran's");
  const std::array<std::size_t, 3> shape = shape_of(head);
  using Read = double (*)(const std::string&, std::size_t);
  const std::map<std::string, std::pair<std::size_t, Read>> kTypes{{"'|b1'", {1, number_at<std::uint8_t>}},
                                                                   {"'|u1'", {1, number_at<std::uint8_t>}},
                                                                   {"'|i1'", {1, number_at<std::int8_t>}},
                                                                   {"'<f4'", {4, number_at<float>}},
                                                                   {"'<f8'", {8, number_at<double>}}};
  const auto known = kTypes.find(type);
  if (known == kTypes.end()) throw InputError("expected booleans, bytes or floats, found " + escaped(type));
  const auto [width, read] = known->second;
  const std::size_t begin = head_begin + size;
  if (bytes.size() - begin != shape[0] * shape[1] * shape[2] * width) {
    throw InputError("is shorter or longer than it says");
  }
  OccupancyMap map{resolution, origin, {}};
  std::size_t at = begin;
  for (std::size_t x = 0; x < shape[0]; ++x) {
    for (std::size_t y = 0; y < shape[1]; ++y) {
      for (std::size_t z = 0; z < shape[2]; ++z, at += width) {
        if (!(read(bytes, at) > occupied)) continue;
        map.cells.push_back({{std::int32_t(x), std::int32_t(y), std::int32_t(z)}, 1});
        if (map.cells.size() > kMostOccupiedCells) throw InputError("has too many occupied cells");
      }
    }
  }
  return map;
}

std::vector<ConvexPiece> boxes_of(const OccupancyMap& map) {
  if (map.cells.empty()) throw InputError("has no cell that is occupied");
  if (!(map.resolution < kLargestCell)) throw InputError("has cells of more than ten kilometres");
  std::vector<CellBox> boxes;
  for (const OccupiedCell& cell : map.cells) boxes.push_back({cell.at, {cell.edge, cell.edge, cell.edge}});
  for (const std::size_t axis : {2, 1, 0}) merge_along(axis, boxes);
  std::vector<ConvexPiece> pieces;
  for (const CellBox& box : boxes) {
    ConvexPiece piece;
    piece.body.core = ConvexBody::Core::box;
    for (int i = 0; i < 3; ++i) {
      const auto k = static_cast<std::size_t>(i);
      piece.body.half[i] = box.edges[k] * map.resolution / 2;
      piece.at[i] = map.origin[i] + (box.low[k] + box.edges[k] / 2.0) * map.resolution;
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

DrawnSurface drawn_boxes(const std::vector<ConvexPiece>& boxes) {
  static constexpr std::uint32_t kFaces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  DrawnSurface surface;
  for (const ConvexPiece& box : boxes) {
    const auto first = static_cast<std::uint32_t>(surface.positions.size() / 3);
    for (int k = 0; k < 8; ++k) {
      for (int i = 0; i < 3; ++i) {
        surface.positions.push_back(static_cast<float>(box.at[i] + (k >> i & 1 ? 1 : -1) * box.body.half[i]));
      }
    }
    for (const auto& face : kFaces) {
      for (const std::uint32_t corner : face) surface.triangles.push_back(first + corner);
    }
  }
  return surface;
}

}  // namespace verne
