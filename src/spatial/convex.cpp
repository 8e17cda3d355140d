#include "spatial/convex.h"

#include <algorithm>
#include <cmath>

#include "verne/spatial/rotation.h"

namespace verne {

namespace {

using Point = Vec3<double>;

constexpr int kMostSteps = 100;
constexpr double kSettled = 1e-12;   ///< of the squared distance: no support point is nearer by more
constexpr double kTouching = 1e-24;  ///< m²: cores that overlap

/// The point of a core that is farthest along d, in the body's axes.
Point farthest(const ConvexBody& body, const Point& d) {
  const Point& h = body.half;
  switch (body.core) {
    case ConvexBody::Core::point:
      return {0, 0, 0};
    case ConvexBody::Core::line:
      return {0, 0, std::copysign(h.z, d.z)};
    case ConvexBody::Core::box:
      return {std::copysign(h.x, d.x), std::copysign(h.y, d.y), std::copysign(h.z, d.z)};
    case ConvexBody::Core::cylinder: {
      const double across = std::hypot(d.x, d.y), scale = across > 0 ? h.x / across : 0;
      return {scale * d.x, scale * d.y, std::copysign(h.z, d.z)};
    }
    case ConvexBody::Core::points:
      break;
  }
  const auto along = [&](const Point& p, const Point& q) { return dot(p, d) < dot(q, d); };
  return *std::max_element(body.points.begin(), body.points.end(), along);
}

/// Corners of A − B around the point of it that is nearest to zero.
struct Simplex {
  Point corner[4];
  int count = 0;

  void keep(std::initializer_list<Point> corners) {
    std::copy(corners.begin(), corners.end(), corner), count = static_cast<int>(corners.size());
  }
};

Point nearest_on_line(Simplex& s) {
  const Point a = s.corner[0], b = s.corner[1], ab = b - a;
  const double t = -dot(a, ab), length = dot(ab, ab);
  if (t <= 0) return s.keep({a}), a;
  if (t >= length) return s.keep({b}), b;
  return a + ab * (t / length);
}

Point nearest_on_edge(Simplex& s, const Point& a, const Point& b) {
  s.keep({a, b});
  return nearest_on_line(s);
}

/// By the regions of a triangle: corners, edges, its inside.
Point nearest_on_triangle(Simplex& s) {
  const Point a = s.corner[0], b = s.corner[1], c = s.corner[2], ab = b - a, ac = c - a;
  const double a_ab = -dot(a, ab), a_ac = -dot(a, ac), b_ab = -dot(b, ab), b_ac = -dot(b, ac), c_ab = -dot(c, ab),
               c_ac = -dot(c, ac);
  if (a_ab <= 0 && a_ac <= 0) return s.keep({a}), a;
  if (b_ab >= 0 && b_ac <= b_ab) return s.keep({b}), b;
  if (a_ab * b_ac - b_ab * a_ac <= 0 && a_ab >= 0 && b_ab <= 0) return nearest_on_edge(s, a, b);
  if (c_ac >= 0 && c_ab <= c_ac) return s.keep({c}), c;
  if (c_ab * a_ac - a_ab * c_ac <= 0 && a_ac >= 0 && c_ac <= 0) return nearest_on_edge(s, a, c);
  if (b_ab * c_ac - c_ab * b_ac <= 0 && b_ac - b_ab >= 0 && c_ab - c_ac >= 0) return nearest_on_edge(s, b, c);
  const Point n = cross(ab, ac);
  const double size = dot(n, n);
  if (!(size > 0)) return nearest_on_edge(s, a, b);  // three corners in a line
  return n * (dot(n, a) / size);
}

/// Zero where it lies inside; else on the nearest of the faces that it lies beyond.
Point nearest_on_tetrahedron(Simplex& s) {
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  const Simplex whole = s;
  Point nearest{0, 0, 0};
  double least = -1;
  for (const auto& face : kFaces) {
    const Point &a = whole.corner[face[0]], &b = whole.corner[face[1]], &c = whole.corner[face[2]];
    const Point n = cross(b - a, c - a);
    if (-dot(n, a) * dot(n, whole.corner[face[3]] - a) > 0) continue;
    Simplex part;
    part.keep({a, b, c});
    const Point p = nearest_on_triangle(part);
    if (least >= 0 && dot(p, p) >= least) continue;
    nearest = p, least = dot(p, p), s = part;
  }
  return nearest;
}

Point nearest_to_zero(Simplex& s) {
  switch (s.count) {
    case 1:
      return s.corner[0];
    case 2:
      return nearest_on_line(s);
    case 3:
      return nearest_on_triangle(s);
    default:
      return nearest_on_tetrahedron(s);
  }
}

/// Of the cores; where it is more than `enough`, something between both.
double core_distance(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b,
                     const Transform<double>& X_WB, double enough) {
  const auto lowest = [&](const Point& d) {  // the point of A − B that is farthest against d
    return X_WA * farthest(a, transpose_times(X_WA.R, -d)) - X_WB * farthest(b, transpose_times(X_WB.R, d));
  };
  Simplex simplex;
  simplex.keep({lowest(X_WA.p - X_WB.p)});
  Point v = simplex.corner[0];
  for (int k = 0; k < kMostSteps; ++k) {
    const double square = dot(v, v);
    if (square < kTouching) return 0;
    const Point w = lowest(v);
    const double bound = dot(v, w);  // over |v|: no point of A − B is nearer
    if (bound > 0 && bound * bound > enough * enough * square) return bound / std::sqrt(square);
    if (square - bound <= kSettled * square) break;
    simplex.corner[simplex.count++] = w;
    Simplex next = simplex;
    const Point nearer = nearest_to_zero(next);
    if (next.count == 4) return 0;
    if (dot(nearer, nearer) >= square) break;  // rounding
    simplex = next, v = nearer;
  }
  return norm(v);
}

}  // namespace

double ConvexBody::reach() const {
  if (core == Core::cylinder) return std::hypot(half.x, half.z) + skin;
  double farthest_point = core == Core::points ? 0 : norm(half);
  for (const Vec3<double>& p : points) farthest_point = std::max(farthest_point, norm(p));
  return farthest_point + skin;
}

double distance(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b, const Transform<double>& X_WB,
                double enough) {
  const double skins = a.skin + b.skin;
  return core_distance(a, X_WA, b, X_WB, enough + skins) - skins;
}

}  // namespace verne
