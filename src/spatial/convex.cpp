#include "spatial/convex.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "verne/spatial/rotation.h"

namespace verne {

namespace {

using Point = Vec3<double>;

constexpr int kMostSteps = 100;
constexpr double kNeverLess = std::numeric_limits<double>::infinity();
constexpr double kSettled = 1e-12;      ///< of the squared distance: no support point is nearer by more
constexpr double kTouching = 1e-24;     ///< m²: cores that overlap
constexpr double kSurelyApart = 1e-12;  ///< m: farther than by rounding
constexpr double kFlatCorners = 1e-10;  ///< of the volume over edges: four corners in a plane

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
  const Point* best = body.points.data();
  double most = dot(*best, d);
  for (const Point& p : body.points) {
    const double along = dot(p, d);
    if (along > most) most = along, best = &p;
  }
  return *best;
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

/// Four corners in a plane, but for rounding.
bool is_flat(const Simplex& s) {
  const Point ab = s.corner[1] - s.corner[0], ac = s.corner[2] - s.corner[0], ad = s.corner[3] - s.corner[0];
  return std::abs(dot(cross(ab, ac), ad)) <= kFlatCorners * norm(ab) * norm(ac) * norm(ad);
}

/// Zero where it lies inside; else on the nearest of the faces. On which side of a face something is, rounding decides
/// where all four corners are in a plane, as those of faces that are parallel: nothing lies inside then.
Point nearest_on_tetrahedron(Simplex& s, bool apart) {
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  const Simplex whole = s;
  Point nearest{0, 0, 0};
  double least = -1;
  apart = apart || is_flat(whole);
  for (const auto& face : kFaces) {
    const Point &a = whole.corner[face[0]], &b = whole.corner[face[1]], &c = whole.corner[face[2]];
    const Point n = cross(b - a, c - a);
    if (!apart && -dot(n, a) * dot(n, whole.corner[face[3]] - a) > 0) continue;
    Simplex part;
    part.keep({a, b, c});
    const Point p = nearest_on_triangle(part);
    if (least >= 0 && dot(p, p) >= least) continue;
    nearest = p, least = dot(p, p), s = part;
  }
  return nearest;
}

/// `apart`: a direction is known along which A is beyond B, so that zero lies outside.
Point nearest_to_zero(Simplex& s, bool apart) {
  switch (s.count) {
    case 1:
      return s.corner[0];
    case 2:
      return nearest_on_line(s);
    case 3:
      return nearest_on_triangle(s);
    default:
      return nearest_on_tetrahedron(s, apart);
  }
}

/// What is known of the distance of two cores.
struct CoreDistance {
  double distance = 0;  // where it is more than enough, something between both
  double shown = 0;     // along `along`: they are at least that far apart
  Point along{0, 0, 0};
};

/// `first`: the direction that is looked along first. Ends where the distance is more than `enough`, or for certain
/// between `least` and that.
CoreDistance core_distance(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b,
                           const Transform<double>& X_WB, double least, double enough, const Point& first) {
  const auto lowest = [&](const Point& d) {  // the point of A − B that is farthest against d
    return X_WA * farthest(a, transpose_times(X_WA.R, -d)) - X_WB * farthest(b, transpose_times(X_WB.R, d));
  };
  Simplex simplex;
  simplex.keep({lowest(first)});
  Point v = simplex.corner[0];
  CoreDistance found;
  const double size_of_first = norm(first), shown_first = dot(v, first);
  if (shown_first > 0) found = {0, shown_first / size_of_first, first * (1 / size_of_first)};
  if (found.shown > enough) return {found.shown, found.shown, found.along};
  for (int k = 0; k < kMostSteps; ++k) {
    const double square = dot(v, v);
    if (square < kTouching) return {};
    const Point w = lowest(v);
    const double bound = dot(v, w), size = std::sqrt(square);  // over |v|: no point of A − B is nearer
    if (bound > found.shown * size) found.shown = bound / size, found.along = v * (1 / size);
    if (bound > 0 && bound * bound > enough * enough * square) return {found.shown, found.shown, found.along};
    if (found.shown > least && size <= enough) return {found.shown, found.shown, found.along};
    if (square - bound <= kSettled * square) break;
    simplex.corner[simplex.count++] = w;
    Simplex next = simplex;
    const Point nearer = nearest_to_zero(next, found.shown > kSurelyApart);
    if (next.count == 4) return {};
    if (dot(nearer, nearer) >= square) break;  // rounding
    simplex = next, v = nearer;
  }
  found.distance = norm(v);
  return found;
}

/// Directions that are looked along for the least way out: evenly over the sphere.
constexpr int kDirections = 200, kRefinements = 24;

/// By how much A has to move along n to be beyond B.
double way_out(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b, const Transform<double>& X_WB,
               const Point& n) {
  return support(a, X_WA, -n) + support(b, X_WB, n);
}

constexpr int kPrismSides = 16;

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
  return core_distance(a, X_WA, b, X_WB, kNeverLess, enough + skins, X_WA.p - X_WB.p).distance - skins;
}

Separation separation(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b,
                      const Transform<double>& X_WB, double enough) {
  const double skins = a.skin + b.skin;
  const CoreDistance cores = core_distance(a, X_WA, b, X_WB, kNeverLess, enough + skins, X_WA.p - X_WB.p);
  return {cores.shown - skins, cores.along};
}

Separation separation_within(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b,
                             const Transform<double>& X_WB, double least, double enough, const Vec3<double>& first) {
  const double skins = a.skin + b.skin;
  const bool known = dot(first, first) > 0;
  const CoreDistance cores =
      core_distance(a, X_WA, b, X_WB, least + skins, enough + skins, known ? first : X_WA.p - X_WB.p);
  return {cores.shown - skins, cores.along};
}

double support(const ConvexBody& body, const Transform<double>& X_WB, const Vec3<double>& direction) {
  return dot(X_WB * farthest(body, transpose_times(X_WB.R, direction)), direction) + body.skin;
}

double overlap(const ConvexBody& a, const Transform<double>& X_WA, const ConvexBody& b, const Transform<double>& X_WB) {
  Point best{0, 0, 1};
  double least = way_out(a, X_WA, b, X_WB, best);
  const auto look = [&](Point n) {
    const double size = norm(n);
    if (!(size > 0)) return;
    n = n * (1 / size);
    const double way = way_out(a, X_WA, b, X_WB, n);
    if (way < least) least = way, best = n;
  };
  for (const Transform<double>* X : {&X_WA, &X_WB}) {
    for (int i = 0; i < 3; ++i) look(X->R.column(i)), look(-X->R.column(i));
  }
  for (int k = 0; k < kDirections; ++k) {  // a spiral from pole to pole
    const double z = 1 - 2 * (k + 0.5) / kDirections, turn = M_PI * (3 - std::sqrt(5.0)) * k, r = std::sqrt(1 - z * z);
    look({r * std::cos(turn), r * std::sin(turn), z});
  }
  double step = 0.2;
  for (int k = 0; k < kRefinements; ++k, step *= 0.7) {
    const Point from = best;
    for (int i = 0; i < 3; ++i) {
      Point aside{0, 0, 0};
      aside[i] = step;
      look(from + aside), look(from - aside);
    }
  }
  return std::max(0.0, least);
}

Corners corners_of(const ConvexBody& body) {
  const Point& h = body.half;
  Corners corners{{}, body.skin};
  switch (body.core) {
    case ConvexBody::Core::point:
      corners.points = {{0, 0, 0}};
      break;
    case ConvexBody::Core::line:
      corners.points = {{0, 0, -h.z}, {0, 0, h.z}};
      break;
    case ConvexBody::Core::box:
      for (int k = 0; k < 8; ++k)
        corners.points.push_back({k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z});
      break;
    case ConvexBody::Core::cylinder: {
      for (int k = 0; k < 2 * kPrismSides; ++k) {
        const double turn = M_PI * (k / 2) / (kPrismSides / 2);
        corners.points.push_back({h.x * std::cos(turn), h.x * std::sin(turn), k % 2 ? h.z : -h.z});
      }
      corners.skin += h.x * (1 - std::cos(M_PI / kPrismSides));
      break;
    }
    case ConvexBody::Core::points:
      corners.points = body.points;
      break;
  }
  return corners;
}

}  // namespace verne
