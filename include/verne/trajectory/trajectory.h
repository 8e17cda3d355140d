/// A motion of several coordinates as one B-spline curve over time.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "verne/base/export.h"
#include "verne/trajectory/spline_basis.h"

namespace verne {

/// A place on a trajectory: `fraction` (0…1) of `span`.
struct Place {
  int span = 0;         ///< counted from 0
  double fraction = 0;  ///< of the span's length
};

/// Immutable; time runs from 0 to duration().
class Trajectory {
 public:
  /// `control_points`: one row per control point, one column per coordinate. Throws std::invalid_argument when sizes do
  /// not fit or a length is not positive.
  VERNE_API Trajectory(SplineBasis basis, const Eigen::Ref<const Eigen::VectorXd>& lengths,
                       const Eigen::Ref<const Eigen::MatrixXd>& control_points);

  /// The basis that the curve is written in.
  const SplineBasis& basis() const { return basis_; }
  /// Lengths of the spans, s.
  Eigen::Map<const Eigen::VectorXd> lengths() const { return {lengths_.data(), basis_.spans()}; }
  /// One row per control point, one column per coordinate.
  Eigen::Map<const Eigen::MatrixXd> control_points() const {
    return {control_points_.data(), basis_.control_points(), coordinates_};
  }
  /// Number of coordinates.
  int coordinates() const { return coordinates_; }
  /// The sum of all lengths, s.
  VERNE_API double duration() const;

  /// Where a time lies, and the time of a place. Times outside are clamped; a breakpoint belongs to the span after it.
  VERNE_API Place place(double time) const;
  /// The time of a place.
  VERNE_API double time(const Place& place) const;

  /// The `order`-th time derivative (0…3) of all coordinates. Where it jumps, at breakpoints that count several times,
  /// the place's span decides.
  VERNE_API void evaluate(const Place& place, int order, Eigen::Ref<Eigen::VectorXd> out) const;
  /// The `order`-th time derivative of all coordinates at a place.
  Eigen::VectorXd at(const Place& place, int order = 0) const {
    Eigen::VectorXd out(coordinates_);
    evaluate(place, order, out);
    return out;
  }
  /// The `order`-th time derivative of all coordinates at a time.
  Eigen::VectorXd at(double time, int order = 0) const { return at(place(time), order); }

  /// The same curve with a knot more in `place`'s span (at its fraction, inside the span) or, at fraction 0, with the
  /// span's first breakpoint counted once more. Throws std::invalid_argument at the ends of the curve, where fraction
  /// is not in [0, 1), and where the breakpoint counts `degree` times already.
  VERNE_API Trajectory with_knot(const Place& place) const;

  /// The same curve on spans first … end − 1 alone; time begins with the first. Throws std::invalid_argument where
  /// there are no such spans.
  VERNE_API Trajectory piece(int first, int end) const;

  /// Bounds of a derivative (order 0 … degree) of one coordinate over the whole duration that certainly hold, rounding
  /// included: hulls of control points, subdivided until they are within `tolerance` of values that are taken (or
  /// within rounding, where that is more).
  VERNE_API std::pair<double, double> range(int order, int coordinate, double tolerance) const;

 private:
  SplineBasis basis_;
  std::vector<double> lengths_, control_points_;  // the latter column by column
  int coordinates_;
};

/// Control points of the curve that approximates values at places best (least squares), for first guesses. `values` has
/// one column per place and one row per coordinate. The first place must be the start of the curve and the last one its
/// end; their values are met exactly. What the places leave open stays near the straight line between the ends.
/// Throws std::invalid_argument when sizes do not fit or the places do not run from start to end.
VERNE_API void fit_control_points(const SplineBasis& basis, const Eigen::Ref<const Eigen::VectorXd>& lengths,
                                  const std::vector<Place>& places, const Eigen::Ref<const Eigen::MatrixXd>& values,
                                  Eigen::Ref<Eigen::MatrixXd> points);
/// The same with a new result.
inline Eigen::MatrixXd fit_control_points(const SplineBasis& basis, const Eigen::Ref<const Eigen::VectorXd>& lengths,
                                          const std::vector<Place>& places,
                                          const Eigen::Ref<const Eigen::MatrixXd>& values) {
  Eigen::MatrixXd points(basis.control_points(), values.rows());
  fit_control_points(basis, lengths, places, values, points);
  return points;
}

}  // namespace verne
