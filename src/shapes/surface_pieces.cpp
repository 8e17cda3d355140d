#include "shapes/surface_pieces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "shapes/drawn_mesh.h"
#include "spatial/convex_cover.h"
#include "verne/base/error.h"

namespace verne {

namespace {

constexpr std::size_t kMostDrawn = 20'000;    // triangles
constexpr std::size_t kMostOfSolid = 20'000;  // triangles of what may be convex
constexpr double kFlat = 1e-6;                // of a part's size: corners that are no farther beyond a face are on it
constexpr double kThickerSolids = 1e-4;       // m
constexpr std::size_t kMostSolidCorners = 64;

using Corners3 = std::array<std::uint32_t, 3>;

double size_of(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

/// Vertices at the same place are one; triangles of no area are none.
struct Welded {
  std::vector<Vec3<double>> points;
  std::vector<Corners3> triangles;
};

Welded welded(const Mesh& mesh, const Vec3<double>& scale) {
  Welded all;
  std::map<std::array<float, 3>, std::uint32_t> places;
  std::vector<std::uint32_t> vertex;
  for (std::size_t k = 0; k + 2 < mesh.positions.size(); k += 3) {
    const std::array<float, 3> at{mesh.positions[k] + 0.0F, mesh.positions[k + 1] + 0.0F, mesh.positions[k + 2] + 0.0F};
    const auto [place, is_new] = places.try_emplace(at, static_cast<std::uint32_t>(all.points.size()));
    if (is_new) all.points.push_back({scale.x * double(at[0]), scale.y * double(at[1]), scale.z * double(at[2])});
    vertex.push_back(place->second);
  }
  for (std::size_t k = 0; k + 2 < mesh.triangles.size(); k += 3) {
    const Corners3 c{vertex[mesh.triangles[k]], vertex[mesh.triangles[k + 1]], vertex[mesh.triangles[k + 2]]};
    if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) all.triangles.push_back(c);
  }
  return all;
}

using Edge = std::pair<std::uint32_t, std::uint32_t>;

Edge edge_of(const Corners3& c, std::size_t i) {
  return std::minmax(c[i], c[(i + 1) % 3]);
}

/// Numbers of triangles, for each part that hangs together by edges of two triangles.
std::vector<std::vector<std::uint32_t>> parts_of(const Welded& mesh) {
  std::map<Edge, std::vector<std::uint32_t>> at_edge;
  for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
    for (std::size_t i = 0; i < 3; ++i) at_edge[edge_of(mesh.triangles[k], i)].push_back(k);
  }
  std::vector<std::uint32_t> root(mesh.triangles.size());
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&](std::uint32_t k) {
    while (root[k] != k) k = root[k] = root[root[k]];
    return k;
  };
  for (const auto& [edge, both] : at_edge) {
    if (both.size() == 2) root[find(both[1])] = find(both[0]);
  }
  std::map<std::uint32_t, std::size_t> number;
  std::vector<std::vector<std::uint32_t>> parts;
  for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
    const auto [part, is_new] = number.try_emplace(find(k), parts.size());
    if (is_new) parts.emplace_back();
    parts[part->second].push_back(k);
  }
  return parts;
}

/// Edges with an odd number of triangles: something leads inside there.
std::size_t open_edges(const Welded& mesh, const std::vector<std::uint32_t>& part) {
  std::map<Edge, int> uses;
  for (const std::uint32_t k : part) {
    for (std::size_t i = 0; i < 3; ++i) ++uses[edge_of(mesh.triangles[k], i)];
  }
  return static_cast<std::size_t>(std::ranges::count_if(uses, [](const auto& use) { return use.second % 2 != 0; }));
}

/// No corner of it is beyond any of its faces.
bool is_convex(const Welded& mesh, const std::vector<std::uint32_t>& part, const std::vector<Vec3<double>>& corners) {
  if (part.size() > kMostOfSolid) return false;
  Vec3<double> middle{0, 0, 0};
  for (const Vec3<double>& p : corners) middle += p * (1.0 / static_cast<double>(corners.size()));
  double size = 0;
  for (const Vec3<double>& p : corners) size = std::max(size, size_of(p - middle));
  return std::ranges::all_of(part, [&](std::uint32_t k) {
    const Corners3& c = mesh.triangles[k];
    const Vec3<double>& a = mesh.points[c[0]];
    Vec3<double> n = cross(mesh.points[c[1]] - a, mesh.points[c[2]] - a);
    const double area = size_of(n);
    if (!(area > 1e-12 * size * size)) return true;  // faces beside it say the same
    n = n * ((dot(n, middle - a) > 0 ? -1 : 1) / area);
    return std::ranges::all_of(corners, [&](const Vec3<double>& p) { return dot(n, p - a) <= kFlat * size; });
  });
}

std::vector<Vec3<double>> corners_of(const Welded& mesh, const std::vector<std::uint32_t>& part) {
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t k : part) numbers.insert(numbers.end(), mesh.triangles[k].begin(), mesh.triangles[k].end());
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
  std::vector<Vec3<double>> corners;
  for (const std::uint32_t k : numbers) corners.push_back(mesh.points[k]);
  return corners;
}

ConvexBody solid(const std::vector<Vec3<double>>& corners) {
  if (corners.size() > kMostSolidCorners) return cover(corners, kThickerSolids, kMostSolidCorners);
  ConvexBody body;
  body.core = ConvexBody::Core::points, body.points = corners;
  return body;
}

void add_triangles(const Welded& mesh, const std::vector<std::uint32_t>& part, std::vector<ConvexPiece>& pieces) {
  for (const std::uint32_t k : part) {
    ConvexPiece piece;
    piece.body.core = ConvexBody::Core::points;
    for (const std::uint32_t corner : mesh.triangles[k]) piece.body.points.push_back(mesh.points[corner]);
    pieces.push_back(std::move(piece));
  }
}

}  // namespace

DrawnSurface drawn_surface(const Mesh& mesh, const Vec3<double>& scale) {
  DrawnMesh drawn = drawn_mesh(mesh);
  simplify(drawn, kMostDrawn, kMostDrawn);
  DrawnSurface surface;
  for (std::size_t k = 0; k < drawn.positions.size(); ++k) {
    const std::size_t i = k % 3;
    surface.positions.push_back(
        static_cast<float>(scale[static_cast<int>(i)] * (drawn.low[i] + drawn.step[i] * drawn.positions[k])));
  }
  for (const DrawnPart& part : drawn.parts) {
    surface.triangles.insert(surface.triangles.end(), part.fine.begin(), part.fine.end());
  }
  return surface;
}

SurfacePieces surface_pieces(const Mesh& mesh, const Vec3<double>& scale) {
  if (mesh.triangle_count() > kMostPieceTriangles) {
    throw InputError("has " + std::to_string(mesh.triangle_count()) + " triangles, " +
                     std::to_string(kMostPieceTriangles) + " are the most: make it simpler, or say `as: hull`");
  }
  const Welded all = welded(mesh, scale);
  if (all.triangles.empty()) throw InputError("has no triangle of any size");
  SurfacePieces found;
  std::vector<ConvexPiece> open, solids, closed;
  for (const std::vector<std::uint32_t>& part : parts_of(all)) {
    const std::size_t edges = open_edges(all, part);
    found.open_edges += edges;
    const std::vector<Vec3<double>> corners = corners_of(all, part);
    if (edges == 0 && is_convex(all, part, corners)) {
      solids.push_back({solid(corners)});
      found.thicker = std::max(found.thicker, solids.back().body.skin);
    } else {
      add_triangles(all, part, edges > 0 ? open : closed);
    }
  }
  found.solids = solids.size(), found.triangles = open.size() + closed.size();
  std::ranges::move(open, std::back_inserter(solids));
  const std::size_t first_of_shell = solids.size();
  std::ranges::move(closed, std::back_inserter(solids));
  found.pieces = std::make_shared<ConvexPieces>(std::move(solids), first_of_shell, drawn_surface(mesh, scale));
  return found;
}

}  // namespace verne
