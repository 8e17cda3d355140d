/// Does nothing touch at any time of a motion? docs/theory/clearance.md, section 2.
#pragma once

#include <set>
#include <vector>

#include "structures/collisions.h"
#include "verne/motion/solution.h"
#include "verne/trajectory/trajectory.h"

namespace verne {

/// The phase of each span of a curve; empty: all are of one.
using PhaseOfSpan = std::vector<int>;

struct ClearanceProof {
  bool shown = true;     ///< nothing comes nearer than the margin, at any time
  bool touches = false;  ///< something does, for certain
  double time = 0;       ///< when it does, or may
  Touch touch{};         ///< of what with what
  PairPiece which{};     ///< of all
};

/// By bounds on how far shapes move, from the hulls of the curve's control points, on stretches that are halved until
/// it is known.
ClearanceProof prove_clearance(Collisions& collisions, const Trajectory& trajectory,
                               const PhaseOfSpan& phase_of_span = {});

/// What comes nearer than the margin and `more`, m, along a motion, by many samples.
struct TouchesAlong {
  std::set<PairPiece> pairs;
  std::vector<double> times;  ///< in the middle of each stretch of time in which something does
};
TouchesAlong touches_along(Collisions& collisions, const Trajectory& trajectory, const PhaseOfSpan& phase_of_span,
                           double more);

/// Pairs of things that come near, the nearest first, by many samples.
std::vector<Approach> approaches(Collisions& collisions, const Trajectory& trajectory,
                                 const PhaseOfSpan& phase_of_span = {});

}  // namespace verne
