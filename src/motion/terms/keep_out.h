#pragma once

#include "motion/node_term.h"

namespace verne {

/// A capsule of a link (inputs: its ends A and B in the world) stays clear of a sphere or capsule of the surroundings:
/// D² / ρ² ≥ 1, with ρ the sum of radii and margin and D the distance between the axes.
///
/// The distance from a point c to the segment AB has a kink in its second derivative where the nearest point reaches an
/// end: the clamp of the nearest point's parameter t is smoothed. As |AB| = L is constant,
///   D² = |c − A|² − L² ψ(t),   t = (c − A)·(B − A) / L²,   ψ = 2 s t − s²,   s = smooth clamp of t to 0…1.
/// An obstacle's axis is a row of points c, whose distances are joined by a smooth minimum (never above the least).
/// `measured` is the true distance. docs/theory/motion.md, (10) and (11).
class KeepOut : public LimitTerm {
 public:
  KeepOut(LimitName name, int end_a, int end_b, const LinkCapsule& part, const ObstacleTask& obstacle, double margin);

  void value(const double* u, double* rows) const override;
  void jacobian(const double* u, double* J) const override;
  void hessian(const double* u, const double* multipliers, double* H) const override;
  Interval bounds(int) const override { return {1 + tightening_, kInfinity}; }
  double measured(const double* u) const override;
  Interval measured_bounds() const override { return {reach_, kInfinity}; }
  double rate() const override { return 2 / reach_; }
  void tighten(double fraction) override { tightening_ += 2 * fraction; }

 private:
  struct Sample;  // D² / ρ² of one point and its derivatives
  double squared_distance(const double* u, const Vec3<double>& point) const;
  Sample sample(const double* u, const Vec3<double>& point) const;
  /// The smooth minimum over all points, D² / ρ². Calls visit(point, weight) with those that matter.
  template <class Visit>
  double minimum(const double* u, Visit&& visit) const;

  double length_squared_, reach_;
  double tightening_ = 0;
  Vec3<double> from_, to_;
  std::vector<Vec3<double>> points_;
};

/// Shortest distance between the segments ab and cd.
double segment_distance(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c, const Vec3<double>& d);

}  // namespace verne
