/// Second derivatives of how fast a point moves: docs/theory/motion.md, (6a) and (6b).
#pragma once

#include "verne/base/small_matrix.h"

namespace verne {

/// How a freedom moves a point: the velocity that it gives, and the axis that it turns about.
struct Carrying {
  Vec3<double> velocity, axis;
};

/// Of m · Σ_k rate(k) by(k).velocity, over `size` freedoms outwards: calls add(j, i, by q_i and rate_j, by q_i and q_j)
/// for i before or equal to j. `turning`: what is before all freedoms turns the point, too.
template <class By, class Rate, class Add>
void add_carried_curvature(int size, const By& by, const Rate& rate, const Vec3<double>& turning, const Vec3<double>& m,
                           const Add& add) {
  Vec3<double> W_j = turning, S_j{0, 0, 0};  // what freedoms before j turn, what those from j on move
  for (int k = 0; k < size; ++k) S_j = S_j + by(k).velocity * rate(k);
  for (int j = 0; j < size; ++j) {
    const Carrying at_j = by(j);
    const Vec3<double> swept = cross(at_j.axis, S_j);
    Vec3<double> W_i = turning;
    for (int i = 0; i <= j; ++i) {
      const Vec3<double> axis = by(i).axis, carried = cross(axis, at_j.velocity);
      add(j, i, dot(m, carried), dot(m, cross(W_i, carried) + cross(axis, cross(W_j - W_i, at_j.velocity) + swept)));
      W_i = W_i + axis * rate(i);
    }
    W_j = W_i;
    S_j = S_j - at_j.velocity * rate(j);
  }
}

}  // namespace verne
