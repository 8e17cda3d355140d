/// Angles that may be a full turn more or less, and the limits that say whether they may.
#pragma once

#include <algorithm>
#include <vector>

#include "verne/base/export.h"
#include "verne/dynamics/data.h"

namespace verne {

/// Of one freedom of a joint that has a position for each velocity; others have neither.
struct Freedom {
  int q = -1;                 ///< its position; -1: part of a quaternion, or of what is moved in its axes
  bool turns_round = false;   ///< a full turn brings everything back to where it was
  double lower = -kInfinity;  ///< of its position, those of joints that follow it among them
  double upper = kInfinity;
};

/// One for each velocity of a model.
VERNE_API std::vector<Freedom> freedoms_of(const Model& model);

/// The nearest position within the limits; the upper one where they exclude each other.
inline double within(const Freedom& freedom, double x) {
  return std::min(std::max(x, freedom.lower), freedom.upper);
}

/// Of all angles within the limits that differ from `angle` by full turns, the nearest to `wish`; `angle` where there
/// is none.
VERNE_API double unwound(const Freedom& freedom, double angle, double wish);

}  // namespace verne
