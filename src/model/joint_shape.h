/// What the kinds of primitive joints are, in the one place that a new kind must be added to: counts and sparsity of
/// all sweeps follow from it. Included by files for every instruction set: no standard library here.
#pragma once

#include "model/tree.h"
#include "verne/base/isa.h"

namespace verne {
inline namespace VERNE_ISA {

/// Coordinates and velocities of a joint, and along and about how many axes of its body it moves: none, z alone, or all
/// three. One velocity for both is a screw.
struct JointShape {
  int nq, nv;
  int slides, turns;

  VERNE_INLINE constexpr bool is_screw() const { return nv == 1 && slides == 1 && turns == 1; }
  /// A quaternion, and where it stands among the coordinates.
  VERNE_INLINE constexpr bool has_quaternion() const { return turns == 3; }
  VERNE_INLINE constexpr int quaternion() const { return slides; }
};

/// A constant for a constant kind.
VERNE_INLINE constexpr JointShape shape_of(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
      return {1, 1, 0, 1};
    case JointKind::prismatic:
      return {1, 1, 1, 0};
    case JointKind::helical:
      return {1, 1, 1, 1};
    case JointKind::spherical:
      return {4, 3, 0, 3};
    case JointKind::free:
      return {7, 6, 3, 3};
  }
  return {};
}

}  // namespace VERNE_ISA
}  // namespace verne
