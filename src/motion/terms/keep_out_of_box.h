/// The shape of obstacles that are boxes, for clearance.h.
#pragma once

#include "motion/terms/clearance.h"

namespace verne {

/// A capsule of a link, with the axis AB, and a box: signed distance over ρ, the sum of radius and margin, of the point
/// of AB that is nearest to the box, all smoothed so that a link which begins inside finds its way out. Inputs: A, B in
/// the world. docs/theory/motion.md, (11a) and (11b).
class CapsuleAndBox {
 public:
  static constexpr int kInputs = 6;
  static constexpr double kPower = 1, kSharpness = 1;  // of one point alone, which has no other to be joined with

  CapsuleAndBox(const LinkCapsule& part, const BoxSpec& box, double reach);

  int points() const { return 1; }
  double reach() const { return reach_; }
  double value(const double* u, int point) const;
  void derivatives(const double* u, int point, double* gradient, double* hessian) const;
  double distance(const double* u) const;

 private:
  /// In the axes of the box, from its middle.
  Vec3<double> in_box(const Vec3<double>& p) const { return transpose(pose_.R) * (p - pose_.p); }

  Transform<double> pose_;
  Vec3<double> half_;
  double reach_, length_;
};

/// A link stays clear of a box.
using KeepOutOfBox = Clearance<CapsuleAndBox>;

/// Shortest distance of a segment from a box around the origin with half the given edges; 0 where they meet.
double segment_to_box(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& half);

}  // namespace verne
