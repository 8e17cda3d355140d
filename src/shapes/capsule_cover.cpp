#include "shapes/capsule_cover.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace verne {

namespace {

using Point = Vec3<double>;

constexpr int kDirections = 60;                 // of axes that are tried at first
constexpr double kTurns[] = {0.2, 0.07, 0.02};  // rad, by which the best is turned then
constexpr int kCircleSteps = 60;                // towards the middle of a circle around points
constexpr int kProbes = 400;                    // directions in which thickness is measured

double length(const Point& v) {
  return std::sqrt(dot(v, v));
}

/// Evenly about all directions.
std::vector<Point> directions(int count) {
  std::vector<Point> all;
  for (int k = 0; k < count; ++k) {
    const double z = 1 - (2 * k + 1.0) / count, r = std::sqrt(1 - z * z);
    const double angle = k * std::numbers::pi * (3 - std::sqrt(5.0));
    all.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  return all;
}

/// A rotation whose third column is an axis.
Mat3<double> frame_of(const Point& z) {
  const Point other = std::abs(z.x) < 0.7 ? Point{1, 0, 0} : Point{0, 1, 0};
  const Point along = cross(other, z);
  const Point x = along * (1 / length(along));
  return Mat3<double>::columns(x, cross(z, x), z);
}

double volume(const FittedCapsule& c) {
  return std::numbers::pi * c.radius * c.radius * (2 * c.half + 4 * c.radius / 3);
}

/// With a given axis: a circle around the points as seen along it, by steps towards the farthest, and a line that is
/// as short as the caps allow.
FittedCapsule around(const std::vector<Point>& points, const Point& axis) {
  const Mat3<double> R = frame_of(axis);
  std::vector<Point> seen;
  for (const Point& p : points) seen.push_back(transpose_times(R, p));
  Point middle = seen.front();
  const auto farthest = [&] {
    return *std::ranges::max_element(seen, {}, [&](const Point& p) {
      return (p.x - middle.x) * (p.x - middle.x) + (p.y - middle.y) * (p.y - middle.y);
    });
  };
  for (int k = 1; k <= kCircleSteps; ++k) {
    const Point far = farthest();
    middle.x += (far.x - middle.x) / (k + 1), middle.y += (far.y - middle.y) / (k + 1);
  }
  const Point far = farthest();
  FittedCapsule found;
  found.radius = std::hypot(far.x - middle.x, far.y - middle.y) * (1 + 1e-12);
  double low = 1e300, high = -1e300;
  for (const Point& p : seen) {
    const double beside = std::hypot(p.x - middle.x, p.y - middle.y);
    const double cap = std::sqrt(std::max(0.0, found.radius * found.radius - beside * beside));
    low = std::min(low, p.z + cap), high = std::max(high, p.z - cap);
  }
  if (low > high) low = high = (low + high) / 2;  // a sphere reaches both ends
  middle.z = (low + high) / 2;
  found.half = (high - low) / 2;
  found.X = {R, R * middle};
  return found;
}

/// Points that are farthest in many directions: the others change little.
std::vector<Point> outer_points(const std::vector<Point>& points) {
  if (points.size() <= kProbes) return points;
  std::vector<Point> outer;
  for (const Point& n : directions(kProbes)) {
    outer.push_back(*std::ranges::max_element(points, {}, [&](const Point& p) { return dot(n, p); }));
  }
  return outer;
}

FittedCapsule smallest_around(const std::vector<Point>& points) {
  const std::vector<Point> outer = outer_points(points);
  Point best{0, 0, 1};
  double least = 1e300;
  const auto look = [&](const Point& axis) {
    const double size = volume(around(outer, axis));
    if (size < least) least = size, best = axis;
  };
  for (const Point& axis : directions(kDirections)) {
    if (axis.z >= 0) look(axis);
  }
  for (const double turn : kTurns) {
    const Mat3<double> R = frame_of(best);
    for (int k = 0; k < 8; ++k) {
      const double angle = k * std::numbers::pi / 4;
      const Point axis = R * Point{turn * std::cos(angle), turn * std::sin(angle), 1};
      look(axis * (1 / length(axis)));
    }
  }
  return around(points, best);
}

/// How far it reaches beyond the hull of points, in many directions.
double thickness(const FittedCapsule& capsule, const std::vector<Point>& points) {
  const std::vector<Point> outer = outer_points(points);
  double most = 0;
  for (const Point& n : directions(kProbes)) {
    double reach = -1e300;
    for (const Point& p : outer) reach = std::max(reach, dot(n, p));
    const double own = dot(n, capsule.X.p) + std::abs(dot(n, capsule.X.R.column(2))) * capsule.half + capsule.radius;
    most = std::max(most, own - reach);
  }
  return most;
}

/// Some of a mesh's triangles, and the capsule around them.
struct Part {
  std::vector<std::size_t> triangles;
  FittedCapsule capsule;
  double thicker = 0;
};

class Cover {
 public:
  Cover(const Mesh& mesh, const Vec3<double>& scale) : mesh_(mesh) {
    for (std::size_t k = 0; k + 2 < mesh.positions.size(); k += 3) {
      points_.push_back({scale.x * double(mesh.positions[k]), scale.y * double(mesh.positions[k + 1]),
                         scale.z * double(mesh.positions[k + 2])});
    }
  }

  CapsuleCover of(double tolerance, std::size_t most) const {
    std::vector<std::size_t> all(mesh_.triangle_count());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<Part> parts{fitted(std::move(all))};
    while (parts.size() < most) {
      const auto worst = std::ranges::max_element(parts, {}, &Part::thicker);
      if (worst->thicker <= tolerance || worst->triangles.size() < 2) break;
      std::vector<std::size_t> half = split(*worst);
      *worst = fitted(std::move(worst->triangles));
      parts.push_back(fitted(std::move(half)));
    }
    CapsuleCover cover;
    for (const Part& part : parts) {
      cover.capsules.push_back(part.capsule);
      cover.thicker = std::max(cover.thicker, part.thicker);
    }
    return cover;
  }

 private:
  const Point& corner(std::size_t triangle, std::size_t k) const { return points_[mesh_.triangles[3 * triangle + k]]; }
  Point middle(std::size_t triangle) const {
    return (corner(triangle, 0) + corner(triangle, 1) + corner(triangle, 2)) * (1.0 / 3);
  }

  Part fitted(std::vector<std::size_t> triangles) const {
    std::vector<Point> points;
    for (const std::size_t t : triangles) {
      for (std::size_t k = 0; k < 3; ++k) points.push_back(corner(t, k));
    }
    Part part{std::move(triangles), smallest_around(points), 0};
    part.thicker = thickness(part.capsule, points);
    return part;
  }

  /// Takes one half away, across the longest side of a box around the middles of triangles.
  std::vector<std::size_t> split(Part& part) const {
    Point low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const std::size_t t : part.triangles) {
      const Point p = middle(t);
      for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
    }
    int axis = 0;
    for (int i = 1; i < 3; ++i) {
      if (high[i] - low[i] > high[axis] - low[axis]) axis = i;
    }
    const auto count = static_cast<std::ptrdiff_t>(part.triangles.size() / 2);
    const double at = (low[axis] + high[axis]) / 2;
    auto cut = std::partition(part.triangles.begin(), part.triangles.end(),
                              [&](std::size_t t) { return middle(t)[axis] < at; });
    if (cut == part.triangles.begin() || cut == part.triangles.end()) cut = part.triangles.begin() + count;
    std::vector<std::size_t> taken(cut, part.triangles.end());
    part.triangles.erase(cut, part.triangles.end());
    return taken;
  }

  const Mesh& mesh_;
  std::vector<Point> points_;
};

}  // namespace

CapsuleCover cover_by_capsules(const Mesh& mesh, const Vec3<double>& scale, double tolerance, std::size_t most) {
  if (mesh.triangles.empty()) return {};
  return Cover(mesh, scale).of(tolerance, most);
}

}  // namespace verne
