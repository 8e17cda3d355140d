/// Certified bounds of a curve and its derivatives: on each span the curve is a polynomial, and a polynomial lies in
/// the hull of its Bézier points (docs/theory/trajectories.md, section 5).
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "verne/trajectory/trajectory.h"

namespace verne {
namespace {

/// Bézier points of a polynomial, first and last of which are values that it takes.
using Bezier = std::vector<double>;

/// (9) Those of a coordinate on a span: point k is the curve's blossom with k arguments at the span's end and the
/// others at its start. All its weights lie in 0…1, so that rounding does not grow.
Bezier bezier_points(const Eigen::Ref<const Eigen::VectorXd>& control_points, const double* knots) {
  const int p = static_cast<int>(control_points.size()) - 1;
  const double start = knots[p], end = knots[p + 1];
  Bezier bezier(p + 1);
  for (int k = 0; k <= p; ++k) {
    Eigen::VectorXd points = control_points;
    for (int level = 1; level <= p; ++level) {
      const double t = level <= k ? end : start;
      for (int i = p; i >= level; --i) {
        const double share = (t - knots[i]) / (knots[i + p + 1 - level] - knots[i]);
        points[i] = (1 - share) * points[i - 1] + share * points[i];
      }
    }
    bezier[k] = points[p];
  }
  return bezier;
}

void differentiate(Bezier& points, double length) {
  const double factor = static_cast<double>(points.size() - 1) / length;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) points[k] = factor * (points[k + 1] - points[k]);
  points.pop_back();
}

/// (10) de Casteljau at the middle: `points` keeps the first half, the second is returned.
Bezier split(Bezier& points) {
  const std::size_t n = points.size();
  Bezier second(n);
  for (std::size_t level = 0; level < n; ++level) {
    second[n - 1 - level] = points[n - 1];
    for (std::size_t i = n - 1; i > level; --i) points[i] = 0.5 * points[i - 1] + 0.5 * points[i];
  }
  return second;
}

/// An upper bound of all polynomials that is at most `tolerance` above a value that one of them takes.
double upper_bound(std::vector<Bezier> open, double tolerance) {
  double taken = -std::numeric_limits<double>::infinity(), bound = taken;
  for (const Bezier& points : open) taken = std::max({taken, points.front(), points.back()});
  while (!open.empty()) {
    Bezier points = std::move(open.back());
    open.pop_back();
    const double hull = *std::max_element(points.begin(), points.end());
    if (hull <= taken + tolerance) {
      bound = std::max(bound, hull);
    } else {
      open.push_back(split(points));
      taken = std::max(taken, points.back());
      open.push_back(std::move(points));
    }
  }
  return bound;
}

}  // namespace

std::pair<double, double> Trajectory::range(int order, int coordinate, double tolerance) const {
  const int p = basis_.degree();
  if (order < 0 || order > p || coordinate < 0 || coordinate >= coordinates() || !(tolerance >= 0)) {
    throw std::invalid_argument("Trajectory: no range of order " + std::to_string(order) + " of coordinate " +
                                std::to_string(coordinate) + " within " + std::to_string(tolerance));
  }
  const std::vector<double> knots = basis_.knots(lengths());
  std::vector<Bezier> spans, mirrored;
  double rounding = 0;
  for (int span = 0; span < basis_.spans(); ++span) {
    const int first = basis_.first_control_point(span);
    const auto points = control_points().col(coordinate).segment(first, p + 1);
    Bezier bezier = bezier_points(points, knots.data() + first);
    // Some p roundings of the largest point, which differences double and enlarge by p / length.
    double error = 8 * p * std::numeric_limits<double>::epsilon() * points.cwiseAbs().maxCoeff();
    const double length = knots[first + p + 1] - knots[first + p];
    for (int d = 0; d < order; ++d) {
      error *= 2 * static_cast<double>(p - d) / length;
      differentiate(bezier, length);
    }
    if (!std::all_of(bezier.begin(), bezier.end(), [](double x) { return std::isfinite(x); })) {
      throw std::invalid_argument("Trajectory: no range of order " + std::to_string(order) + " of coordinate " +
                                  std::to_string(coordinate) + ": it is not finite");
    }
    rounding = std::max(rounding, error);
    mirrored.push_back(bezier);
    for (double& point : mirrored.back()) point = -point;
    spans.push_back(std::move(bezier));
  }
  const double reach = std::max(tolerance, rounding);
  return {-upper_bound(std::move(mirrored), reach) - rounding, upper_bound(std::move(spans), reach) + rounding};
}

}  // namespace verne
