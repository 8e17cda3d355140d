/// The basis functions on one span and their time derivatives, over any scalar: double, numbers that carry derivatives
/// with respect to span lengths (jet.h), complex numbers in tests. Equations: docs/theory/trajectories.md.
///
/// Knots are counted from the span of the place t: t_1, t_2, … t_p to its right, t_0, t_-1, … t_(1-p) to its left.
///
/// | here | code |
/// | --- | --- |
/// | t − t_(1−j) and t_j − t | distance.left[j - 1], distance.right[j - 1] |
/// | d-th derivative of function r of degree m | order[d][r] |
/// | 1 / (t_(r+1) − t_(r+1−m)) | inverse[r] |
#pragma once

#include <algorithm>
#include <array>
#include <complex>

#include "verne/trajectory/spline_basis.h"

namespace verne {

inline constexpr int kMaxSplineDegree = 9;

inline double reciprocal(double a) {
  return 1 / a;
}
inline std::complex<double> reciprocal(const std::complex<double>& a) {
  return 1.0 / a;
}

/// How many whole spans lie between a span and its j-th knot to the left and to the right.
struct KnotNeighbours {
  std::array<int, kMaxSplineDegree> left, right;
};

/// Distances from a place to the knots around it; room for degrees up to D.
template <class S, int D>
struct KnotDistances {
  std::array<S, D> left, right;
};

/// At `fraction` of a span; `length(k)` is the length of the k-th span after it (k < 0: before it), as an S.
template <class S, int D, class Length>
KnotDistances<S, D> knot_distances(int degree, double fraction, const KnotNeighbours& knots, const Length& length) {
  KnotDistances<S, D> distance;
  S before = length(0), after = length(0);
  before *= fraction;
  after *= 1 - fraction;
  for (int j = 0, left = 0, right = 0; j < degree; ++j) {
    while (left < knots.left[j]) before += length(-++left);
    while (right < knots.right[j]) after += length(++right);
    distance.left[j] = before;
    distance.right[j] = after;
  }
  return distance;
}

template <class S, int D>
using BasisFunctions = std::array<std::array<S, D + 1>, kSplineOrders>;

/// Raises the degree from 0 to `degree`. Every denominator contains the place's own span, so that none can vanish,
/// whatever the multiplicities.
template <class S, int D>
void basis_functions(int degree, const KnotDistances<S, D>& distance, BasisFunctions<S, D>& order) {
  order[0][0] = S(1);
  for (int d = degree + 1; d < kSplineOrders; ++d) std::fill_n(order[d].begin(), degree + 1, S(0));
  std::array<S, D> inverse;
  for (int m = 1; m <= degree; ++m) {
    for (int r = 0; r < m; ++r) inverse[r] = reciprocal(distance.right[r] + distance.left[m - 1 - r]);
    // (4), only for derivatives that those of degree `degree` still need; they read the functions of degree m - 1
    for (int d = std::min(m, kSplineOrders - 1 - (degree - m)); d >= 1; --d) {
      S carried(0);
      for (int r = 0; r < m; ++r) {
        S share = order[d - 1][r] * inverse[r];
        share *= m;
        order[d][r] = carried - share;
        carried = share;
      }
      order[d][m] = carried;
    }
    // (3)
    S carried(0);
    for (int r = 0; r < m; ++r) {
      const S share = order[0][r] * inverse[r];
      order[0][r] = carried + distance.right[r] * share;
      carried = distance.left[m - 1 - r] * share;
    }
    order[0][m] = carried;
  }
}

}  // namespace verne
