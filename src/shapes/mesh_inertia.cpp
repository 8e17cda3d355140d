#include "shapes/mesh_inertia.h"

#include <array>
#include <cmath>

#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr double kLeastSize = 1e-15;  // as MuJoCo's smallest number

using Triangle = std::array<Vec3<double>, 3>;

struct Face {
  double area;
  Vec3<double> normal, middle;
};

Face face_of(const Triangle& t) {
  const Vec3<double> across = cross(t[1] - t[0], t[2] - t[0]);
  const double length = norm(across);
  return {length / 2, across * (length > 0 ? 1 / length : 0), (t[0] + t[1] + t[2]) * (1.0 / 3)};
}

std::vector<Triangle> placed_triangles(const Mesh& mesh,
                                       const std::function<Vec3<double>(const Vec3<double>&)>& place) {
  std::vector<Triangle> all;
  all.reserve(mesh.triangle_count());
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
    Triangle& t = all.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const float* const p = &mesh.positions[3 * std::size_t{mesh.triangles[i + k]}];
      t[k] = place({p[0], p[1], p[2]});
    }
  }
  return all;
}

/// What a triangle weighs: its area, or the pyramid between it and a point.
double size_of(const Face& face, const Vec3<double>& from, MeshMass kind) {
  if (kind == MeshMass::shell) return face.area;
  const double volume = dot(face.middle - from, face.normal) * face.area / 3;
  return kind == MeshMass::positive ? std::abs(volume) : volume;
}

/// Sums of weight times products of coordinates, from the corners of triangles and pyramids to the origin: of two
/// coordinates i, j over a simplex they are its size times (sum over pairs of corners, equal ones twice) / 12 or / 20.
double product(const Triangle& t, int i, int j) {
  double sum = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) sum += (a == b ? 2 : 1) * t[a][i] * t[b][j];
  }
  return sum;
}

}  // namespace

std::optional<MeshInertia> mesh_inertia(const Mesh& mesh, MeshMass kind,
                                        const std::function<Vec3<double>(const Vec3<double>&)>& place) {
  std::vector<Triangle> triangles = placed_triangles(mesh, place);
  Vec3<double> middle{0, 0, 0};  // of the surface
  double area = 0;
  for (const Triangle& t : triangles) {
    const Face face = face_of(t);
    area += face.area, middle += face.middle * face.area;
  }
  if (!(area > kLeastSize)) return std::nullopt;
  middle = middle * (1 / area);
  MeshInertia sum;
  for (const Triangle& t : triangles) {
    const Face face = face_of(t);
    const double size = size_of(face, middle, kind);
    sum.size += size;
    sum.centre += (kind == MeshMass::shell ? face.middle : face.middle * 0.75 + middle * 0.25) * size;
  }
  if (!(sum.size > kLeastSize)) return std::nullopt;
  sum.centre = sum.centre * (1 / sum.size);
  sum.size = 0;
  double products[3][3] = {};
  for (Triangle& t : triangles) {
    for (Vec3<double>& corner : t) corner = corner - sum.centre;
    const double size = size_of(face_of(t), {0, 0, 0}, kind), part = kind == MeshMass::shell ? 12 : 20;
    sum.size += size;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) products[i][j] += size / part * product(t, i, j);
    }
  }
  if (!(sum.size > kLeastSize)) return std::nullopt;
  const auto& p = products;
  sum.inertia = {p[1][1] + p[2][2], -p[0][1], -p[0][2], p[0][0] + p[2][2], -p[1][2], p[0][0] + p[1][1]};
  return sum;
}

}  // namespace verne
