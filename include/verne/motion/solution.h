/// What a prediction gives: the motion, how good it is, and how it was found.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verne/base/export.h"
#include "verne/base/values.h"
#include "verne/motion/task.h"
#include "verne/nlp/solve.h"
#include "verne/trajectory/trajectory.h"

namespace verne {

/// A limit along the motion and how it was used.
struct LimitUse {
  std::string kind, of, unit;                     ///< of limit, as `effort`; whose, as a joint; of its bounds
  Interval bounds;                                ///< that were asked for
  double utilisation = 0;                         ///< 1 at the limit
  double excess = 0;                              ///< (value − bound) / |bound| where that is largest
  std::vector<std::pair<double, double>> active;  ///< times between which it is used to within 0.1 %
  double multiplier = 0;                          ///< what one more unit of the limit would take off the cost
  std::string phase;                              ///< where it holds; empty: all the way
};

/// How far a frame is from where a task wants it, at its worst.
struct FrameError {
  std::string frame;                                   ///< a link or named frame
  double time = 0;                                     ///< when it is farthest off, s
  std::optional<double> position, angle;               ///< largest error of a coordinate, m; angle of rotation, rad
  std::optional<double> velocity;                      ///< largest error of a coordinate, m/s
  double position_tolerance = 0, angle_tolerance = 0;  ///< that the task allows
};

/// How near two things come to each other.
struct Approach {
  std::string a, b;     ///< names of links and objects
  double distance = 0;  ///< m: the least of many times
  double time = 0;      ///< s: when
};

/// How far to trust a motion: what was measured between the nodes, by other means than those that found it.
struct Verification {
  double limit_excess = 0, limit_tolerance = 0;             ///< the largest excess of all limits, and what was allowed
  std::string worst_limit;                                  ///< empty when there are no limits
  double worst_time = 0, worst_value = 0, worst_bound = 0;  ///< where the worst limit is exceeded most
  /// Shown to hold at all times, not at samples alone; nothing: no such limits.
  std::optional<bool> position_certified, velocity_certified, acceleration_certified, jerk_certified;
  /// The same of what drives give and joints bear, by enclosures; nothing: no such limits, or loops, ground,
  /// quaternions.
  std::optional<bool> effort_certified, joint_force_certified, joint_moment_certified;
  /// Whether nothing that is kept apart touches at any time, or comes nearer than asked; nothing: nobody asked.
  std::optional<bool> clearance_certified;
  std::string not_clear;             ///< what may touch, and when, where that could not be shown
  std::vector<Approach> approaches;  ///< of pairs that come near, the nearest first
  double equation_residual = 0;      ///< of equations along the way (passive efforts, held frames), between their nodes
  std::vector<FrameError> frames;    ///< one for each frame of the task, measured by forward kinematics alone
  double simulation_drift = 0, whole_horizon_drift = 0;  ///< NaN: a joint carries no inertia, nothing was simulated
  bool simulation_stopped = false;                       ///< as the time was up: the drifts are NaN for that reason
  std::optional<double> diverges_at;  ///< s: when the latter becomes infinite, as the motion cannot be followed
  double kkt_residual = 0, constraint_violation = 0;  ///< of the nonlinear program
};

/// One term of the cost, along the whole motion.
struct CostValue {
  std::string term;              ///< its name, as in the task
  double weight = 0, value = 0;  ///< value: before it is weighted
  double smoothing = 0;          ///< of energy, W
};

/// One solve of the sequence that refined the motion.
struct RefinementRound {
  int round = 0, control_points = 0, nodes = 0, iterations = 0;  ///< sizes of the curve, and what the solver took
  double duration = 0, cost = 0, limit_excess = 0;               ///< of what this round found
  std::string what;  ///< "first solve", "knots at switches", "spans halved", "to the end", "nodes added", …
};

/// What one of several starts led to.
struct StartResult {
  int start = 0;                             ///< counted from 0
  nlp::Status status = nlp::Status::failed;  ///< how it ended
  double cost = 0, duration = 0;             ///< of what it led to
};

/// Where a phase of the task came to be.
struct PhaseResult {
  std::string name;                  ///< as in the task
  double start = 0, end = 0;         ///< s
  int first_span = 0, end_span = 0;  ///< of the trajectory: spans first … end − 1
};

/// Parts of a task that cannot be met together, or that no start led to a motion for.
struct Conflict {
  std::vector<std::string> parts;  ///< "start", "effort of elbow", "position of tool at the end", …
  std::string missed, unit;        ///< what is farthest from what it should be where they are met as well as they can
  double amount = 0;               ///< by how much
  bool irreducible = true;  ///< without any one of the parts the others can be met; else that is not known of all
  std::string reason{};     ///< why it is certain, where parts and amount do not say so
  int starts = 0;           ///< that led to no motion; 0: it is certain, whatever one starts from
  /// Whether no start at all could have led to a motion.
  bool certain() const { return starts == 0; }
};
/// "cannot be met together: …; at best, … is off by …", or "from each of 3 starts, not met together: …"
VERNE_API std::string to_string(const Conflict& conflict);

/// How the least cost changes with a parameter of the task or its model: the derivative of the program's Lagrangian at
/// fixed variables (docs/theory/design.md).
struct ParameterSlope {
  /// On which sides of its value the task makes sense.
  enum class Side { both, above, below };
  std::string parameter;   ///< its name
  double value = 0;        ///< that it has
  double slope = 0;        ///< of the cost, per unit of the parameter
  Side side = Side::both;  ///< from which the slope is taken
};

/// What became of a parameter that is an unknown of its task.
struct DesignResult {
  std::string parameter;  ///< its name
  double value = 0;       ///< the best one
  Interval bounds;        ///< between which it was looked for
};

/// How large the program was that the motion solves.
struct ProgramSize {
  int variables = 0, free_variables = 0;  ///< coordinates of control points and timings; those that are not held
  int constraints = 0, active = 0;        ///< rows; equations, and limits that are used to within 0.1 %
};

/// What the ground does to a support, one column per time; world axes.
struct GroundReaction {
  std::string support;  ///< its name
  Table force;          ///< three rows; zero while it does not stand on the ground
  Table centre;         ///< three rows: the centre of pressure at height zero; NaN while there is no force
  Values moment;        ///< about the vertical through it
};

/// Quantities along a motion, one column per time.
struct SampledMotion {
  Values time;           ///< s
  Table q, v, a, tau;    ///< a row for each coordinate or velocity
  Table joint_wrenches;  ///< six rows a joint of the model
  /// Joints that close loops and contacts that are held, of all phases, and six rows for each: zero where it is not.
  std::vector<std::string> loops;
  Table loop_wrenches;                 ///< six rows each
  Table link_poses;                    ///< twelve rows a link: position, rotation matrix by rows
  Table com;                           ///< three rows
  std::vector<GroundReaction> ground;  ///< one for each support
  Values kinetic, potential, power;    ///< J, J, W (Σ tau v)
};

/// What takes the place of a motion that is repeated, as the person tires: docs/work.md.
struct AdaptedMotion {
  int from = 0;                              ///< repetitions that were done before
  nlp::Status status = nlp::Status::failed;  ///< of its solve, which is the first one of a motion: it is not refined
  std::string message;                       ///< the same for people
  double cost = 0;                           ///< that somebody so tired minimizes
  SampledMotion motion;                      ///< empty where none was found
  bool found() const { return motion.time.size() > 0; }  ///< whether there is one
};

/// The motion that was found, and all that is known of it.
struct Solution {
  /// Of a curve.
  explicit Solution(Trajectory curve) : trajectory(std::move(curve)) {}

  nlp::Status status = nlp::Status::failed;  ///< how it ended
  std::string message;                       ///< the same for people, with what went wrong
  Trajectory trajectory;                     ///< the motion
  std::vector<PhaseResult> phases;           ///< none when the task has none
  std::optional<SolverState> state;          ///< of the solve that found it
  ContactForces contact_forces;              ///< of the phases, or of the whole motion
  double cost = 0;                           ///< weighted sum of all terms
  std::vector<CostValue> costs;              ///< one for each term
  int iterations = 0;                        ///< of all rounds
  ProgramSize program;                       ///< of the last round
  Verification verification;                 ///< how far to trust it
  std::optional<double> refinement_gap;      ///< by what share finer curves may make the cost lower, an estimate
  std::vector<LimitUse> limits;              ///< all limits, and how they were used
  std::vector<nlp::Violation> violations;    ///< what could not be met, worst first
  std::vector<DesignResult> design;          ///< what it goes with: as_designed() is the task of this motion
  std::vector<ParameterSlope> slopes;        ///< of parameters, by name; not of those that change the program's size
  /// Limits at their bounds that cost nothing: slopes hold, but begin to change at once on one side.
  int weak_limits = 0;
  std::optional<Conflict> conflict;                                    ///< of a task that is infeasible, or not_found
  std::vector<nlp::Iteration> history;                                 ///< of the round that gave the motion
  std::vector<RefinementRound> rounds;                                 ///< one for each solve
  std::vector<AdaptedMotion> adapted;                                  ///< of somebody who tires, where that is asked
  std::vector<StartResult> starts;                                     ///< one for each start, when there are several
  double guess_seconds = 0;                                            ///< to choose where to start
  double solve_seconds = 0, function_seconds = 0, verify_seconds = 0;  ///< to solve; of it in functions; to verify
  double total_seconds = 0;  ///< of all that predict() did, these and what is between them

  /// Whether it may be used: all limits and conditions hold.
  bool success() const { return status == nlp::Status::solved || status == nlp::Status::acceptable; }
};

/// The task with the best values of the parameters that are its unknowns: the one that the motion is of.
VERNE_API Task as_designed(const Task& task, const Solution& solution);

/// `samples` even times from 0 to the end.
VERNE_API SampledMotion sample_motion(const Model& model, const Trajectory& trajectory, int samples);
/// The same for a solution of a task, as_designed(), whose phases may carry something. Where they meet, the later one
/// counts.
VERNE_API SampledMotion sample_motion(const Task& task, const Solution& solution, int samples);

}  // namespace verne
