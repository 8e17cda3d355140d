/// What the lane kernels of closed loops and contacts do for a mechanism, decided once: numbers and places, no branch
/// that depends on a state (docs/theory/loops.md, section 8). Included by files for every instruction set: no standard
/// library here.
#pragma once

#include "structures/kernels/cluster_plan.h"

namespace verne {

struct Tree;
struct LegPlan;
template <class T>
struct Inputs;
template <class T>
struct Blocks;
template <class T>
struct ClosedBlocks;

/// The frame of a loop or contact on a link: `slot` among the sites of the plan, −1 is the world.
struct ClosingEnd {
  int slot;
  double R[9], p[3];
};

/// A velocity that moves one end of a loop (1: a, 2: b) or both (3).
struct ClosingReach {
  int velocity, sides;
};

/// One independent equation: Σ coefficient s[part][axis], parts as in LoopPart.
struct ClosingRow {
  int part[2], axis[2];
  double coefficient[2];
  int position;      ///< in the order of elimination
  int first_target;  ///< where its entries go, one for each reach of its loop
};

struct ClosingLoop {
  ClosingEnd a, b;
  bool has_directions;  ///< whether its rows are about directions, too, not about the distance alone
  int first_row, row_count, first_reach, reach_count;
  int first_check, check_count;  ///< of all its equations, dependent ones too, and what must not be mirrored
  bool held = false;             ///< a contact with the world at rest: b is wherever a is
};

/// One equation of all, and by how much it may be open before that counts; or with a coefficient of zero a direction
/// that must not be mirrored: s[part[0]][axis[0]] > 0.
struct ClosingCheck {
  int part[2], axis[2];
  double coefficient[2];
  double slack;
};

/// Entry (position, index) of a sparse matrix, in the array of values.
struct ClosingEntry {
  int position, index, value;
};

/// Elimination of the dependent velocities, J_rd = L U: at step k the pivot, the entries of L below and of U right of
/// it, and where their products are subtracted.
struct ClosingStep {
  int pivot;
  int first_lower, lower_count, first_upper, upper_count, first_update;
  int velocity;        ///< the dependent one
  double usual_pivot;  ///< at the reference configuration
};

/// Independent coordinates [begin, end) that a velocity depends on: not all where loops are local.
struct ClosingSpan {
  int begin, end;
};

/// A pair of velocities that M couples, the first not before the second.
struct ClosingPair {
  int i, j;
};

struct ClosingPlan {
  int nv, free_count, actuated_count, rank, value_count;
  bool direct;  ///< the actuated velocities are the independent ones
  const int *independent, *actuated;
  const ClosingLoop* loops;
  int loop_count;
  const ClosingRow* rows;
  const ClosingReach* reaches;
  const ClosingCheck* checks;
  const int* targets;  ///< values
  const ClosingStep* steps;
  const ClosingEntry *lower, *upper;  ///< position and index are that of the other row or column, and −1
  const int* updates;                 ///< values
  const ClosingEntry* side;           ///< J_ri: position, index of the independent velocity
  int side_count;
  const int* first_side;  ///< where those of each independent velocity begin, and an end
  const ClosingPair* pairs;
  int pair_count;
  const ClosingSpan* spans;     ///< of each velocity: where its row of G may have entries
  const int* reached;           ///< for each independent coordinate the steps whose velocities depend on it
  const int* first_reached;     ///< where those of each begin, and an end
  const ClusterPlan* clusters;  ///< null where joints are coupled
};

/// A contact that is held: its equations, the last of the velocities that move it (−1: none), and its frame, on a site
/// or for articulated bodies on a body.
struct HeldPlan {
  int first, rows, last;
  ClosingEnd frame;
  int site = -1;  ///< of its link, where the wrenches of joints are asked for
};
struct ContactPlan {
  int nv, equations, contact_count;
  int ld;  ///< distance between columns of rows, and between rows of the response
  double length;
  const int* parent;
  const HeldPlan* contacts;
};

/// Of contacts on articulated bodies: β and D⁻¹ β, `ld` values a freedom; accelerations without them, and responses.
template <class S>
struct ContactRoom {
  S *rows, *answers;
  S *drift, *response;
  S* axes;  ///< of the contacts in the world, nine each by rows, unless null
};

/// M (nv x nv), bias or torques, and of the sites poses, Jacobians and drifts, as control_terms() writes them.
struct ClosingTerms {
  const double *M, *torques, *poses, *J, *drifts;
};

/// What the derivatives of loops need beside the inputs: `terms` as forward() took them, `of_forward` the scratch
/// memory that it left, links of `sites`, torques of the tree under its loads at the solution, tau of the actuators, or
/// null for the derivatives of these (the actuated velocities being the independent ones), and loop_derivative_memory()
/// values.
struct ClosingSolution {
  ClosingTerms terms;
  const int* sites;
  double* of_forward;
  const double *torques, *tau;
  double* memory;
};

/// What openings() tells of frames that point in opposite directions.
inline constexpr double kMirroredOpening = 1e3;
/// A pivot below this part of the usual one lets rounding grow; one of a positive matrix need only be there.
inline constexpr double kLeastLoopPivot = 1e-2, kLeastPositivePivot = 1e-9;
/// Of the motion along a coordinate: motors that feel less of it do not feel it.
inline constexpr double kLeastFelt = 1e-9;

/// On blocks of `lanes` states. `quality` gets, of each state, min|pivot| / the least that is allowed. Below 1 the
/// state is ill-conditioned: the caller must not use its results.
struct ClosingTable {
  /// tau of the actuators from the torques of the tree
  void (*inverse)(const ClosingPlan&, const ClosingTerms&, double* tau, double* quality, double* scratch);
  /// a from tau of the actuators
  void (*forward)(const ClosingPlan&, const ClosingTerms&, const double* v, const double* tau, double* a,
                  double* quality, double* scratch);
  /// Derivatives of the independent accelerations, which the inputs have, or of the torques of a motion, and what is
  /// wanted beside (9); for trees without coupled joints.
  void (*loop_derivatives)(const Tree&, const Inputs<double>&, const ClosingPlan&, const ClosingSolution&,
                           const ClosedBlocks<double>&, double* scratch);
  /// Wrenches of loops that hold torques − B tau, 6 a loop, and the same as loads, 9 an end on a link (4); no equation
  /// may be redundant
  void (*reactions)(const ClosingPlan&, const ClosingTerms&, const double* tau, double* wrenches, double* loads,
                    double* quality, double* scratch);
  /// As forward(), inverse() with forces along the independent coordinates, and reactions(), by clusters: equations may
  /// be redundant. `memory` has cluster_memory() values, `scratch` what the kernels of the tree are promised.
  void (*cluster_forward)(const Tree&, const Inputs<double>&, const ClosingPlan&, const double* tau, double* a,
                          double* quality, double* memory, double* scratch);
  void (*cluster_balance)(const Tree&, const Inputs<double>&, const ClosingPlan&, const double* torques, double* forces,
                          double* quality, double* memory, double* scratch);
  void (*cluster_reactions)(const Tree&, const Inputs<double>&, const ClosingPlan&, const double* torques,
                            const double* tau, double* wrenches, double* loads, double* quality, double* memory,
                            double* scratch);
  /// a from tau of the tree; M is lost
  void (*forward_held)(const ContactPlan&, const ClosingTerms&, double* M, const double* v, const double* tau,
                       double* a, double* quality, double* scratch);
  /// The same by articulated bodies, for trees without coupled joints, from tau of the inputs; `scratch` is what the
  /// kernels of the tree are promised, `memory` has articulated_memory() values. Unless null the wrenches of the
  /// contacts, 6 each, and these as loads, of whose 9 values force and moment are written.
  void (*forward_articulated)(const Tree&, const Inputs<double>&, const ContactPlan&, double* a, double* wrenches,
                              double* loads, double* quality, double* memory, double* scratch);

  /// a, its derivatives and those of wrenches that are wanted, under the same conditions (16); `memory` has
  /// held_memory() values.
  void (*held_derivatives)(const Tree&, const Inputs<double>&, const ContactPlan&, double* a,
                           const ClosedBlocks<double>&, double* quality, double* memory, double* scratch);

  /// How far each state's loops are open: the largest |φ| beyond its slack, kMirroredOpening for mirrored ones.
  void (*openings)(const ClosingPlan&, const ClosingTerms&, double* opening);
  /// The dependent entries of x such that J x + keep φ + γ = 0 (5), from its independent ones. `keep` is one factor a
  /// state, null: 0; γ are the drifts of the terms at v, null: 0.
  void (*complete)(const ClosingPlan&, const ClosingTerms&, const double* keep, const double* v, double* x,
                   double* quality, double* scratch);

  // For one state:
  void (*single_inverse)(const ClosingPlan&, const ClosingTerms&, double* tau, double* quality, double* scratch);
  void (*single_forward)(const ClosingPlan&, const ClosingTerms&, const double* v, const double* tau, double* a,
                         double* quality, double* scratch);
  void (*single_reactions)(const ClosingPlan&, const ClosingTerms&, const double* tau, double* wrenches, double* loads,
                           double* quality, double* scratch);
  void (*single_cluster_forward)(const Tree&, const Inputs<double>&, const ClosingPlan&, const double* tau, double* a,
                                 double* quality, double* memory, double* scratch);
  void (*single_cluster_balance)(const Tree&, const Inputs<double>&, const ClosingPlan&, const double* torques,
                                 double* forces, double* quality, double* memory, double* scratch);
  void (*single_cluster_reactions)(const Tree&, const Inputs<double>&, const ClosingPlan&, const double* torques,
                                   const double* tau, double* wrenches, double* loads, double* quality, double* memory,
                                   double* scratch);
  /// As loop_derivatives
  void (*single_loop_derivatives)(const Tree&, const Inputs<double>&, const ClosingPlan&, const ClosingSolution&,
                                  const ClosedBlocks<double>&, double* scratch);
  /// (13) up to λ, and from λ on
  void (*respond)(const ContactPlan&, double* M, double* rows, double* a, double* drift, double* response);
  void (*release)(const ContactPlan&, const double* M, const double* rows, const double* lambda, double* a);
  /// (14) up to λ, and from λ on
  void (*articulated_respond)(const Tree&, const Inputs<double>&, const ContactPlan&, const ContactRoom<double>&,
                              double* a, double* scratch);
  void (*articulated_release)(const Tree&, const ContactPlan&, const double* rows, const double* lambda, double* a,
                              double* scratch);
  /// As held_derivatives
  void (*single_held_derivatives)(const Tree&, const Inputs<double>&, const ContactPlan&, double* a,
                                  const ClosedBlocks<double>&, double* quality, double* memory, double* scratch);
  /// Leg by leg: tau of the motors, and a from tau of the motors in the inputs. `torques` of the whole tree, at
  /// accelerations of zero for the latter, or null: then loads do not count.
  void (*legs_inverse)(const LegPlan&, const Inputs<double>&, const double* torques, double* tau, double* quality,
                       double* scratch);
  void (*legs_forward)(const LegPlan&, const Inputs<double>&, const double* torques, double* a, double* quality,
                       double* scratch);
  /// The same on blocks of states; `scratch` has leg_batch_lanes() values for each.
  void (*leg_batch_inverse)(const LegPlan&, const Inputs<double>&, const double* torques, double* tau, double* quality,
                            double* scratch);
  void (*leg_batch_forward)(const LegPlan&, const Inputs<double>&, const double* torques, double* a, double* quality,
                            double* scratch);
};

/// Those of an instruction set.
const ClosingTable& closing_kernels(const char* instruction_set);

/// Values of scratch memory that the kernels may use.
inline long closing_scratch(const ClosingPlan& plan) {
  const long n = plan.nv, f = plan.free_count, r = plan.rank, m = plan.actuated_count;
  return plan.value_count + 2 * n * f + f * f + f * m + 4 * (n + r + f + m) + 16;
}
/// What the wrenches of joints need: rows of so many bodies and of 56 numbers for each joint.
inline long wrench_tangent_memory(long bodies, long joints, long columns) {
  return 30 * bodies * columns + 56 * joints + 64;
}
/// With room for the wrenches of so many joints, which are wanted.
inline long loop_derivative_memory(const ClosingPlan& plan, int joints) {
  const long n = plan.nv, f = plan.free_count + 8, r = plan.rank, t = plan.actuated_count + 8, l = plan.loop_count;
  const long most = f > t ? f : t;
  const long changes = r + n + 96 * l + (6 * n + 3 * r + 15 * l) * f + r * n;
  const long of_joints = joints ? 12 * l * most + wrench_tangent_memory(n, joints, most) : 0;
  return changes + 2 * n * most + (f + r + 6 * l) * most + of_joints + 128;
}
inline long closing_scratch(const ContactPlan& plan) {
  const long n = plan.nv, m = plan.equations;
  return m * n + m * m + 2 * m + n + 16;
}
inline long articulated_memory(const ContactPlan& plan) {
  const long n = plan.nv, m = plan.equations;
  return 2 * m * n + m * m + m + 9 * plan.contact_count;
}
/// With equations in whole registers of up to eight, and room for the wrenches of so many joints, which are wanted.
inline long held_memory(const ContactPlan& plan, int joints) {
  const long n = plan.nv, m = plan.equations + 8, c = plan.contact_count;
  const long own = 6 * (m * n + 8) + 2 * m * m + m + 8;
  return own + (joints ? 18 * n * c + 8 * (2 * n + 6 * c) + wrench_tangent_memory(n, joints, 8) : 0);
}

}  // namespace verne
