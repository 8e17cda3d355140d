/// Planes between shapes along a motion on which nothing touches, or that is to be pushed out of what it touches.
/// docs/theory/clearance.md, section 3.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "motion/terms/corridor.h"
#include "motion/verify/clearance_proof.h"
#include "structures/collisions.h"
#include "verne/motion/task.h"

namespace verne {

/// Where a corridor has its planes, and how much it asks for.
struct CorridorPlan {
  /// To begin with, evenly over time.
  CorridorPlan();
  /// Planes for pairs that touch on a motion and have none; where all have, more places where they do. Whether there
  /// are new pairs.
  bool mend(Collisions& collisions, const Trajectory& motion, const std::vector<int>& phase_of_span,
            const ClearanceProof& proof);
  /// Around a fraction of the duration at which shapes left it. Where places are close already, more is asked for
  /// there.
  void add_places(double fraction);

  /// Fractions of the duration, and what is kept there at least beside the margin, m, even if the motion has less.
  std::map<double, double> at;
  std::set<PairPiece> pairs;  ///< those that get planes: that touched in an earlier solve
  double reserve = 1e-3;      ///< m, kept beside the margin where the motion does: shapes go on between places
  double far = 0.25;          ///< m: pairs that are farther apart at a place get no plane there
};

/// `phase_of_span`: of the curve. Places at which all positions are given are left out. All corners of shapes are in
/// it.
std::shared_ptr<const Corridor> corridor_along(const Task& task, Collisions& collisions, const Trajectory& curve,
                                               const std::vector<int>& phase_of_span, const CorridorPlan& plan);

/// The corners of a corridor that count in a solve: of thousands, a few come near their planes.
class CountedCorners {
 public:
  CountedCorners() = default;
  explicit CountedCorners(std::shared_ptr<const Corridor> all);

  /// Counts those that a motion brings nearer to their planes than `within`, m: of each shape at each plane the ones
  /// that are nearest. Whether there were any that did not count yet.
  bool add(const Task& task, const Trajectory& curve, const std::vector<int>& phase_of_span, double within);
  /// With these corners alone.
  std::shared_ptr<const Corridor> corridor() const;
  const Corridor& all() const { return *all_; }

 private:
  std::shared_ptr<const Corridor> all_;
  std::vector<char> counts_;  // plane by plane: corners, then others
};

/// How far a motion stays away from the planes of a corridor at its places, m: 0 where it leans on one.
double room_in(const Corridor& corridor, const Task& task, const Trajectory& curve,
               const std::vector<int>& phase_of_span);

}  // namespace verne
