/// Clamped B-spline bases whose spans have variable lengths.
///
/// The knots are not stored: a basis knows its degree and how often each breakpoint counts as a knot; the *lengths* of
/// the spans between breakpoints are arguments. Lengths are what an optimizer moves: a free duration scales all of
/// them, free knots move each. Places on the curve are given as a span and a fraction of it, so that a place keeps its
/// neighbours when lengths change. Equations: docs/theory/trajectories.md.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "verne/base/export.h"

namespace verne {

/// Time derivatives that are given: value, velocity, acceleration, jerk.
inline constexpr int kSplineOrders = 4;

/// Degree and multiplicities of a clamped B-spline basis.
class VERNE_API SplineBasis {
 public:
  /// Simple interior knots. Throws std::invalid_argument unless degree is 1…9 and there is a span.
  SplineBasis(int degree, int spans);
  /// `multiplicities` of the interior breakpoints, each 1…degree: there is one span more than entries.
  SplineBasis(int degree, std::vector<int> multiplicities);

  /// Degree of the polynomials.
  int degree() const { return degree_; }
  /// Number of spans between breakpoints.
  int spans() const { return static_cast<int>(multiplicities_.size()) + 1; }
  /// Number of basis functions, and of control points that a curve needs.
  int control_points() const;
  /// How often each interior breakpoint counts as a knot.
  const std::vector<int>& multiplicities() const { return multiplicities_; }

  /// The first of the degree + 1 control points that act on a span.
  int first_control_point(int span) const;
  /// The range of lengths that the basis functions on a span depend on.
  int first_length(int span) const;
  /// The last length that the basis functions on a span depend on.
  int last_length(int span) const;

  /// Knots 0 … duration with multiplicities, degree + 1 at both ends.
  std::vector<double> knots(const Eigen::Ref<const Eigen::VectorXd>& lengths) const;

  /// Which derivatives by the lengths are asked for.
  enum class Want { values, first_derivatives, second_derivatives };

 private:
  friend struct BasisAt;
  void check_lengths(const Eigen::Ref<const Eigen::VectorXd>& lengths) const;

  int degree_;
  std::vector<int> multiplicities_;
  std::vector<int> breakpoint_of_knot_;  // for each knot, the index of its breakpoint
  std::vector<int> last_knot_of_span_;   // for each span, the index of the last knot at its start
};

}  // namespace verne
