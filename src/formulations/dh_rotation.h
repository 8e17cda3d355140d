/// The rotation of a classic Denavit-Hartenberg link over any scalar.
#pragma once

#include <cmath>

#include "formulations/dh_tree.h"

namespace verne::formulations {

/// sin and cos that are exact for multiples of a quarter turn, so that rounding does not hide zeros from a count.
inline double clean_sine(double angle) {
  const double value = std::sin(angle);
  return std::abs(value) < 1e-15 ? 0 : value;
}
inline double clean_cosine(double angle) {
  const double value = std::cos(angle);
  return std::abs(value) < 1e-15 ? 0 : value;
}

/// Geometry of one link at a state: R_j (2.10) of [B20], R_{i-1,i} of [Nasser], and what follows from it.
template <class S>
struct DhGeometry {
  S sine, cosine;  ///< of θ_j
  S d;             ///< d_j
  Mat3<S> R;

  DhGeometry(const DhLink& link, std::span<const S> q) : sine(0), cosine(1), d(link.dh.d) {
    using std::cos;
    using std::sin;
    if (link.joint == DhJoint::revolute) {
      const S theta = q[static_cast<std::size_t>(link.variable)] + S(link.dh.theta);
      sine = sin(theta), cosine = cos(theta);
    } else {
      sine = S(clean_sine(link.dh.theta)), cosine = S(clean_cosine(link.dh.theta));
    }
    if (link.joint == DhJoint::prismatic) d = q[static_cast<std::size_t>(link.variable)] + S(link.dh.d);
    const double ca = clean_cosine(link.dh.alpha), sa = clean_sine(link.dh.alpha);
    R = {{cosine, -sine * S(ca), sine * S(sa), sine, cosine * S(ca), -cosine * S(sa), S(0), S(sa), S(ca)}};
  }
};

}  // namespace verne::formulations
