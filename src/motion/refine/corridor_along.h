/// Planes between shapes along a motion on which nothing touches. docs/theory/clearance.md, section 3.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "motion/terms/corridor.h"
#include "structures/collisions.h"
#include "verne/motion/task.h"

namespace verne {

/// Where a corridor has its planes, and how much it asks for.
struct CorridorPlan {
  std::vector<double> at;     ///< fractions of the duration
  std::set<PairPiece> pairs;  ///< those that get planes: that touched in an earlier solve
  double reserve = 1e-3;      ///< m, kept beside the margin where the motion does: shapes go on between places
  double far = 0.25;          ///< m: pairs that are farther apart at a place get no plane there
  double band = 0.02;         ///< m: corners that are farther from a plane than the nearest one by more do not count
  std::size_t of_wall = 8, of_links = 3;  ///< corners of a shape that count at most, beside walls and links
  /// Where shapes left the corridor between its places.
  void widen();
  /// Where that did not help: others leave it than those that were nearest at first.
  void count_more_corners();
};

/// `phase_of_span`: of the curve. Places at which all positions are given are left out.
std::shared_ptr<const Corridor> corridor_along(const Task& task, Collisions& collisions, const Trajectory& curve,
                                               const std::vector<int>& phase_of_span, const CorridorPlan& plan);

/// How far a motion stays away from the planes of a corridor at its places, m: 0 where it leans on one.
double room_in(const Corridor& corridor, const Task& task, const Trajectory& curve,
               const std::vector<int>& phase_of_span);

}  // namespace verne
