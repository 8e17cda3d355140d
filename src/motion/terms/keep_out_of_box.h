#pragma once

#include "motion/terms/clearance.h"

namespace verne {

/// A capsule of a link, with the axis AB, and a box: signed distance of a point of AB from the box over ρ, the sum of
/// radius and margin, smoothed so that a link which begins inside finds its way out. Inputs: A, B in the world.
/// docs/theory/motion.md, (11a).
class CapsuleAndBox {
 public:
  static constexpr int kInputs = 6;
  // Where an edge is between two points, a quarter of ρ apart, their joint minimum is below the true distance just so.
  static constexpr double kPower = 1, kSharpness = 70;

  CapsuleAndBox(const LinkCapsule& part, const BoxTask& box, double reach);

  int points() const { return points_; }
  double reach() const { return reach_; }
  double value(const double* u, int point) const;
  void derivatives(const double* u, int point, double* gradient, double* hessian) const;
  double distance(const double* u) const;

 private:
  /// In the axes of the box, from its middle.
  Vec3<double> in_box(const Vec3<double>& p) const { return transpose(pose_.R) * (p - pose_.p); }
  double fraction(int point) const { return points_ > 1 ? double(point) / (points_ - 1) : 0; }
  Vec3<double> point_at(const double* u, int point) const {
    const Vec3<double> A = Vec3<double>::load(u);
    return in_box(A + (Vec3<double>::load(u + 3) - A) * fraction(point));
  }

  Transform<double> pose_;
  Vec3<double> half_;
  double reach_;
  int points_;
};

/// A link stays clear of a box.
using KeepOutOfBox = Clearance<CapsuleAndBox>;

/// Shortest distance of a segment from a box around the origin with half the given edges; 0 where they meet.
double segment_to_box(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& half);

}  // namespace verne
