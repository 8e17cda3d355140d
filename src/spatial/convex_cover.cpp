#include "spatial/convex_cover.h"

#include <algorithm>
#include <queue>

namespace verne {

namespace {

/// Points that are farthest along the axes.
std::vector<Vec3<double>> extremes(const std::vector<Vec3<double>>& points) {
  std::vector<Vec3<double>> found;
  for (int i = 0; i < 3; ++i) {
    const auto along = [i](const Vec3<double>& a, const Vec3<double>& b) { return a[i] < b[i]; };
    const auto [low, high] = std::ranges::minmax_element(points, along);
    found.push_back(*low), found.push_back(*high);
  }
  return found;
}

}  // namespace

ConvexBody cover(const std::vector<Vec3<double>>& points, double tolerance, std::size_t most) {
  ConvexBody body;
  body.core = ConvexBody::Core::points;
  if (points.empty()) return body;
  body.points = extremes(points);
  const Transform<double> here = Transform<double>::identity();
  const auto beyond = [&](std::size_t k) {
    ConvexBody point;
    Transform<double> X = here;
    X.p = points[k];
    return distance(point, X, body, here, 1e9);
  };
  // How far points are from the hull only becomes less: what was found for fewer corners is a bound.
  std::priority_queue<std::pair<double, std::size_t>> farthest;
  for (std::size_t k = 0; k < points.size(); ++k) farthest.emplace(beyond(k), k);
  while (!farthest.empty() && farthest.top().first > tolerance && body.points.size() < most) {
    const std::size_t k = farthest.top().second;
    farthest.pop();
    const double now = beyond(k);
    if (!farthest.empty() && now < farthest.top().first) {
      farthest.emplace(now, k);
    } else {
      body.points.push_back(points[k]);
    }
  }
  double skin = 0;
  while (!farthest.empty() && farthest.top().first > skin) {
    skin = std::max(skin, beyond(farthest.top().second));
    farthest.pop();
  }
  body.skin = skin;
  return body;
}

}  // namespace verne
