/// The shapes of obstacles that are round: spheres and capsules, for clearance.h.
#pragma once

#include "motion/terms/clearance.h"

namespace verne {

/// A capsule of a link, with the axis AB, and another one with the axis CD, of an obstacle or of another link: D² / ρ²,
/// with ρ the sum of radii and margin and D the distance of AB from a point c of CD.
///
/// That distance has a kink in its second derivative where the nearest point reaches an end: the clamp of the nearest
/// point's parameter t is smoothed. As |AB| = L is constant,
///   D² = |c − A|² − L² ψ(t),   t = (c − A)·(B − A) / L²,   ψ = 2 s t − s²,   s = smooth clamp of t to 0…1.
/// Inputs: A, B and, where both move, C, D in the world. docs/theory/motion.md, (10).
template <bool both_move>
class CapsulePair {
 public:
  static constexpr int kInputs = both_move ? 12 : 6;
  static constexpr double kPower = 2, kSharpness = 200;

  /// `other`: C and D in the world, or in the axes of the other link, where only their distance counts.
  CapsulePair(const LinkCapsule& part, const Vec3<double>& other_from, const Vec3<double>& other_to, double reach);

  int points() const { return points_; }
  double reach() const { return reach_; }
  double value(const double* u, int point) const;
  void derivatives(const double* u, int point, double* gradient, double* hessian) const;
  double distance(const double* u) const;

 private:
  Vec3<double> end_c(const double* u) const { return both_move ? Vec3<double>::load(u + 6) : from_; }
  Vec3<double> end_d(const double* u) const { return both_move ? Vec3<double>::load(u + 9) : to_; }
  double fraction(int point) const { return points_ > 1 ? double(point) / (points_ - 1) : 0; }
  Vec3<double> point_at(const double* u, int point) const {
    const Vec3<double> c = end_c(u);
    return c + (end_d(u) - c) * fraction(point);
  }

  double length_squared_, reach_;
  Vec3<double> from_, to_;
  int points_;
};

extern template class CapsulePair<false>;
extern template class CapsulePair<true>;

/// A link stays clear of a sphere or capsule of the surroundings, or of another link.
using KeepOut = Clearance<CapsulePair<false>>;
using KeepApart = Clearance<CapsulePair<true>>;

/// Shortest distance between the segments ab and cd.
double segment_distance(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c, const Vec3<double>& d);

}  // namespace verne
