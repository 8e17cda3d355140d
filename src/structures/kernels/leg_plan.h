/// What the kernels of platforms on legs do for a mechanism, decided once (docs/theory/loops.md, section 7). Included
/// by files for every instruction set: no standard library here.
///
/// Numbers that differ from leg to leg are lanes: `lanes` values for what is one here.
#pragma once

#include "model/tree.h"
#include "structures/kernels/closing_plan.h"
#include "verne/base/isa.h"

namespace verne {

/// A velocity of a branch, and its column in the equations of a leg.
struct LegReach {
  int velocity, column;
};

/// The frame of a loop on a body of a leg or of the platform, and what moves it there.
struct LegEnd {
  int body;
  const double* pose;  ///< lanes: nine of R, by rows, and three of p
  bool at_origin;      ///< p is zero in all of them
  const LegReach* reaches;
  int reach_count;
};

struct LegLoop {
  LegEnd leg, platform;
  bool leg_is_a;
  bool has_directions;  ///< whether its rows are about directions, too, not about the distance alone
  int first_row, row_count;
};

/// A leg whose bodies turn about two axes at right angles through one point and slide along a third through it, at
/// right angles to the second; the ball and all centres of mass are on that one, and axes of inertia are along it. The
/// slider has its only motor (kernels/slider_leg.h).
struct SliderLeg {
  const double* axes;          ///< lanes, in the world: the first axis a, the second one at zero, A, and a × A; then
                               ///< gravity along them
  const int* rows;             ///< lanes: of K that are the motor's
  double across[2], along[2];  ///< parts of a along t and d, for the cosine and the sine of the second angle
  double moment;               ///< of the mass of what does not slide, along the slider
  double mass, com;            ///< of what slides
  double J[3];                 ///< along t, b and d: of what does not slide, and of what does about its own centre
};

/// Legs that are alike but for where they stand and what they hold, one in each lane; lanes that are left repeat the
/// first.
struct LegPack {
  const Tree* tree;              ///< a leg by itself
  const double* root;            ///< lanes: pose of its first joint's frame in the world
  const double* used;            ///< lanes: one, or zero for those that repeat
  const int *first_q, *first_v;  ///< where each lane's coordinates begin in the whole tree
  int leg_count;
  bool ball;  ///< three bodies in a row, of one velocity each, and one loop that joins points alone, with a platform
              ///< of one body
  const SliderLeg* slider;  ///< or null; those are balls, too
  const LegLoop* loops;
  int loop_count;
  const ClosingRow* rows;  ///< equations by loops; by position first those that tell the leg's velocities
  int row_count;
  const int* columns;          ///< velocities of the leg, in the order of elimination
  const double* pivot_scales;  ///< lanes: one over the pivots at the reference configuration
};

/// A row of K: a velocity of the platform (pack is −1), one of a leg, by its column, or an equation that is left, by
/// its position.
struct PlatformRow {
  int pack, lane, index;
  bool equation;
};

struct LegPlan {
  const Tree* platform;  ///< by itself
  int first_q, first_v;  ///< of it, in the whole tree
  const LegPack* packs;
  int pack_count, leg_count;
  int lanes;                ///< of all numbers that differ from leg to leg
  const PlatformRow* rows;  ///< one for each velocity of the platform, motors first
  int motor_count;
  const int* places;  ///< of the platform's velocities among the equations of Kᵀ, in the order of elimination
  const double* usual_pivots;  ///< then, at the reference configuration: their sizes
  bool balls;                  ///< all legs end in balls
  bool in_lanes;               ///< rows of K are the lanes of one velocity of the legs, in order: there is one pack
};

/// A pivot of K in the usual order below this part of the usual one makes rows be exchanged.
inline constexpr double kUsualPlatformPivot = 0.1;
/// A pivot of K below this part of the largest one makes the general method judge whether the state is singular.
inline constexpr double kLeastPlatformPivot = 1e-5;
/// The same of masses beside rows of K, which have all kinds of units: only what has no inertia at all is left out.
inline constexpr double kLeastBalancePivot = 1e-13;

/// Values that a branch may need while it is looked at: inputs, sines, poses, freedoms, motions in both axes, torques,
/// forces, M and inertias.
VERNE_INLINE long branch_room(const Tree& tree) {
  const long n = tree.nv, q = tree.nq;
  return 3 * q + 2 * n + 2 * (q + 16) + 52L * tree.body_count + 8 * n + n * n + 64;
}
/// Scratch memory of the kernels: lanes for the legs, then values for the platform.
VERNE_INLINE long leg_lanes(const LegPlan& plan) {
  const long x = plan.platform->nv;
  long rows = 0, most = 0;
  for (int k = 0; k < plan.pack_count; ++k) {
    const LegPack& pack = plan.packs[k];
    const long n = pack.tree->nv, own = branch_room(*pack.tree) + n * (x + 1) + x;
    rows += pack.row_count * (n + x + 1);
    most = own > most ? own : most;
  }
  return rows + most + x * (x + 2) + 2 * x * (2 * x + 2);
}
/// The same for states in lanes, where each leg has memory of its own.
VERNE_INLINE long leg_batch_lanes(const LegPlan& plan) {
  const long x = plan.platform->nv, all = 2L * x - plan.motor_count;
  long rows = 0, most = 0;
  for (int k = 0; k < plan.pack_count; ++k) {
    const LegPack& pack = plan.packs[k];
    const long n = pack.tree->nv, own = branch_room(*pack.tree) + n * (n + 2 * x + 4) + 6 * pack.row_count;
    rows += static_cast<long>(pack.leg_count) * pack.row_count * (n + x + 1);
    most = own > most ? own : most;
  }
  return rows + most + branch_room(*plan.platform) + x * (2 * x + 6) + all * (all + 1) + 8L * plan.leg_count;
}
VERNE_INLINE long platform_values(const LegPlan& plan) {
  const long x = plan.platform->nv;
  return branch_room(*plan.platform) + 4 * x + 8L * plan.pack_count;
}

}  // namespace verne
