/// How far points of links move when freedoms do, whatever the posture: what proofs of clearance between two times rest
/// on. docs/theory/clearance.md, (2) and (3).
#pragma once

#include <vector>

#include "verne/base/export.h"
#include "verne/model/model.h"

namespace verne {

/// A ball in the axes of a link.
struct LinkBall {
  int link = -1;  ///< -1: the world
  Vec3<double> center{0, 0, 0};
  double radius = 0;
};

class VERNE_API MotionBounds {
 public:
  explicit MotionBounds(const Model& model);

  /// For each freedom: no two points, one of each ball, change their distance by more than this times the change of the
  /// freedom. What moves both alike does not count.
  std::vector<double> between(const LinkBall& a, const LinkBall& b) const;

 private:
  /// A joint's coordinate on the way to the world, and how fast it moves points of a ball at most.
  struct Mover {
    int column, dof;
    double speed;
  };
  std::vector<Mover> movers(const LinkBall& ball) const;

  Model model_;
  std::vector<double> travel_;  // of each coordinate of the tree: its largest size
};

}  // namespace verne
