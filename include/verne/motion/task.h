/// What a motion is asked to do: the task file as plain data. The format is described in docs/tasks.md.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verne/base/export.h"
#include "verne/base/small_matrix.h"
#include "verne/base/values.h"
#include "verne/model/model.h"
#include "verne/motion/cost_spec.h"
#include "verne/motion/term.h"
#include "verne/motion/work.h"
#include "verne/nlp/solve.h"
#include "verne/spatial/transform.h"
#include "verne/structures/mechanism.h"
#include "verne/trajectory/trajectory.h"

namespace verne {

/// The curve that the joints follow.
struct CurveSpec {
  int degree = 3;             ///< of the polynomials
  int control_points = 12;    ///< for each coordinate
  int nodes = 50;             ///< where limits are imposed, evenly over time; at least as many as control points
  bool free_knots = false;    ///< the optimizer moves the knots, too
  double min_spacing = 0.02;  ///< of free knots, as a fraction of the even spacing
  bool as_given = false;      ///< the task says how many: guesses that swing more often than so many can keep to them
};

/// How long a motion or a phase may last, s.
struct DurationSpec {
  Interval bounds{1, 1};           ///< equal: fixed
  std::optional<double> guess;     ///< default: from the limits
  std::optional<Interval> part{};  ///< of a phase: as parts of the motion's duration, where that is free
};

/// State at a time; one entry per velocity of the model each, unbounded where free.
struct StateSpec {
  std::vector<Interval> position, velocity, acceleration;  ///< empty: all free
  int line = 0;                                            ///< of the file; 0: none
};
/// A state to pass through at a fraction of the duration.
struct ViaSpec {
  double at = 0.5;  ///< fraction of the duration, 0 to 1
  StateSpec state;  ///< that is passed through
};
/// What a drive gives at which speed: |effort + slope · velocity| is at most `stall`, for each line.
struct TorqueSpeedLine {
  double stall = 0;  ///< effort at rest
  double slope = 0;  ///< lost per unit of speed
};
/// Limits along the whole motion; unbounded where there is none.
struct LimitsSpec {
  std::vector<Interval> position, velocity, acceleration, jerk, effort;  ///< one entry per velocity
  /// One per joint, then one per joint that closes a loop: of the force's norm, N, and of the moment's, N m.
  std::vector<double> joint_force, joint_moment;
  std::vector<std::vector<TorqueSpeedLine>> torque_speed;  ///< one list per velocity
  std::vector<double> effort_rms;   ///< one per velocity: of the root of the mean square over the motion
  std::vector<double> effort_rate;  ///< one per velocity: of the size of the effort's derivative by time
  /// Others, by their keys in task files (docs/tasks.md): a size for each velocity, infinite where there is none.
  std::map<std::string, std::vector<double>> sizes{};
};

/// Where along the motion something holds.
struct WhenSpec {
  bool path = false;  ///< everywhere; else at a fraction of the duration
  double at = 1;      ///< 0 to 1, unless it is the path
};
/// An axis of a frame and where it points; both of length one.
struct AxisSpec {
  Vec3<double> axis;    ///< in frame axes
  Vec3<double> points;  ///< in the world
};

/// Where a frame is, how it is turned, or how it moves.
struct FrameGoalSpec {
  int site = 0;                             ///< link or named frame (Model::site)
  std::string contact;                      ///< of the model, whose point is meant, if it was told so
  Vec3<double> point{0, 0, 0};              ///< of the frame that is meant, in its own axes
  WhenSpec when;                            ///< it holds
  std::vector<Interval> position;           ///< empty, or x, y, z in the world
  double position_tolerance = 0;            ///< m, beyond these intervals
  Vec3<double> per_second{0, 0, 0};         ///< by which they are farther for each second that the motion lasts
  std::optional<Mat3<double>> orientation;  ///< world from frame
  std::optional<AxisSpec> axis;             ///< to be aligned
  double angle_tolerance = 0;               ///< of the orientation or the axis, rad; 0: exact
  std::vector<Interval> velocity;           ///< empty, or of the point along x, y, z of the world
  int line = 0;                             ///< of the file; 0: none
  /// Whether it says where the frame is or how it is turned, not only how it moves.
  bool of_posture() const { return !position.empty() || orientation || axis; }
};

/// A box in the world: where its middle is and how it is turned, and its edges.
struct BoxSpec {
  Transform<double> pose;  ///< of its middle, in the world
  Vec3<double> size;       ///< lengths of its edges, m
};
/// A sphere (both ends equal), capsule or box that links keep out of.
struct ObstacleSpec {
  std::string name;                         ///< for messages and reports
  Vec3<double> from{0, 0, 0}, to{0, 0, 0};  ///< ends of its axis, in the world
  double radius = 0;                        ///< m
  std::optional<BoxSpec> box{};             ///< in place of the others
};
/// A part of a link as a capsule between two points in link axes.
struct LinkCapsule {
  int link = 0;                             ///< its index in the model
  Vec3<double> from{0, 0, 0}, to{0, 0, 0};  ///< ends of its axis, in link axes
  double radius = 0;                        ///< m
};
/// Parts of links keep away from an obstacle or, where `against` has some, from parts of other links.
struct KeepOutSpec {
  std::vector<LinkCapsule> parts;    ///< that keep away
  ObstacleSpec obstacle;             ///< unless `against` has some
  std::vector<LinkCapsule> against;  ///< other parts of the same model
  double margin = 0;                 ///< least distance, m
  int line = 0;                      ///< of the file; 0: none
};

/// Shapes of links, and of what stands around, that do not touch each other.
struct CollisionShapes;
/// Planes at places of the motion that shapes of links stay on one side of, for one solve.
struct Corridor;

/// Two limbs swing the same way along a direction: how far their ends are ahead of their starts has the same sign,
/// or at least a product of −slack² or more.
struct SwingTogetherSpec {
  /// A limb, from its start to its end.
  struct Limb {
    int end = 0, start = 0;  ///< links or frames, of which the origins are meant
  };
  Limb first, second;           ///< that swing together
  Vec3<double> along{1, 0, 0};  ///< in the world, of length one
  double slack = 0.02;          ///< m
};

/// A constant load on a link or frame all along the motion; force and moment in world axes.
struct LoadSpec {
  int site = 0;                                  ///< link or named frame (Model::site)
  Vec3<double> force{0, 0, 0}, moment{0, 0, 0};  ///< N and N m
  Vec3<double> point{0, 0, 0};                   ///< where it acts, in the axes of the site
};
/// What stands on the ground: which part of the ground's force it gets from start to end of a phase, and where.
struct SupportSpec {
  std::string name;                         ///< for reports: foot_r
  int site = 0;                             ///< link or frame that bears the force
  double share_from = 1, share_to = 1;      ///< at start and end; in between, the share changes smoothly
  Vec3<double> from{0, 0, 0}, to{0, 0, 0};  ///< reference point at start and end, in the axes of the site
  std::vector<ContactPoint> contacts;       ///< corners of the hull that holds the centre of pressure, in order
  double margin = 0;                        ///< m, that the hull is wider
};

/// The ground holds the model up: nothing else does. One support or two, whose shares make one.
struct GroundSpec {
  std::vector<SupportSpec> supports;  ///< that bear the weight
  std::vector<FrameGoalSpec> feet{};  ///< that supports stand where they stand, where that is said by `stand`
  /// What each contact bears is a variable; shares are those of what these leave over, which is to be nothing.
  bool contact_variables = false;
  std::vector<int> balance;                    ///< then: of the force and moment that are left over, which are to be 0
  bool contacts_give_all = false;              ///< then: whether contacts can give any such force and moment
  std::optional<Trajectory> contact_forces{};  ///< then: what was found in a phase; none: nothing yet
  double friction = kInfinity;                 ///< coefficient
  double least_force = 0.1;                    ///< vertical, as a part of the weight
  /// Corners of the support polygon, against the clock as seen from above: the zero-moment point of all supports stays
  /// inside of it. None: each support's centre of pressure stays inside of its own hull instead.
  std::vector<ContactPoint> polygon{};
  int line = 0;  ///< of the file; 0: none
};
/// What two hands hold: a link of the model, which the first hand carries as the tree has it. That the second one holds
/// it, too, are equations along the way, and its wrench is variables: docs/theory/gait.md, section 8.
struct GripSpec {
  std::string object;           ///< the link that is held, of the name of its joint, which the first hand carries
  std::string first, second;    ///< links or frames that hold it, for messages
  LoopSpec loop;                ///< a is the second hand, b the object, in whose axes the wrench on the hand is given
  double moment = kInfinity;    ///< N m about z of the loop, at most
  double friction = kInfinity;  ///< coefficient of palms that press; infinite: hands hold it by any force
  /// Of palms: where the first and the second one press and which way, in the frame of the loop on the object.
  Vec3<double> place[2]{}, push[2]{};
  double palm = 0;        ///< m, half of its edges
  bool borne = true;      ///< its wrench is a variable; not so in first guesses
  int line = 0;           ///< of the file; 0: none
  Interval during{0, 1};  ///< in first guesses, without phases: fractions of the motion between which it is held
};
/// A contact of the model that is held where it is: a loop to the world, of the same name, in the model of the task or
/// phase.
struct HeldContactSpec {
  std::string name;  ///< of the model's contact
  /// Across the ground, in the world and of length one, where that only pushes; none: it holds by any force.
  std::optional<Vec3<double>> normal{};
  double least_force = 0;            ///< along the normal, as a part of the weight
  double friction = kInfinity;       ///< coefficient
  std::vector<ContactPoint> hull{};  ///< corners of what holds the centre of pressure, in order; none: not limited
};

/// What a frame holds in a phase: an object of the scene. It is a link of the model, fixed to the frame, which has a
/// mass only where it is held.
struct AttachSpec {
  std::string object;  ///< the link
  std::string to;      ///< link or frame that holds it
  int line = 0;        ///< of the file; 0: none
};

/// A stretch of the motion with a timing of its own, and what holds in it.
struct PhaseSpec {
  /// A phase of this model, with what is carried and held.
  explicit PhaseSpec(Model moved) : model(std::move(moved)) {}

  std::string name;                        ///< for reports and messages
  DurationSpec duration{{0.01, 100}, {}};  ///< how long it may last
  int spans = 0;                           ///< of the curve; 0: an equal share
  bool jump = false;                       ///< the acceleration may jump at its end
  LimitsSpec limits;                       ///< those of the task, unless the phase has others
  StateSpec end;                           ///< of all phases but the last, which ends as the motion does
  std::vector<ViaSpec> via;                ///< fractions are those of the phase, here and for frames
  std::vector<FrameGoalSpec> frames;       ///< goals of frames in this phase
  std::vector<KeepOutSpec> keep_out;       ///< beside the task's
  std::vector<LoadSpec> loads;             ///< beside the task's
  std::optional<GroundSpec> ground;        ///< the task's, unless the phase has one
  std::vector<HeldContactSpec> contacts;   ///< the task's, unless the phase has others
  double in_hands = 0;                     ///< kg that hands carry, of links of these names
  std::vector<AttachSpec> attach;          ///< objects that are held, and are obstacles before and after
  std::vector<GripSpec> grips;             ///< the task's, and what two hands hold in this phase
  Model model;                             ///< with what is carried and held
  int line = 0;                            ///< of the file; 0: none
};

/// Position, velocity and acceleration at the end are those of partners at the start, with a sign, and the position
/// changes by a difference. One entry per freedom that repeats.
struct PeriodicSpec {
  std::vector<int> dofs;           ///< velocities that repeat
  std::vector<int> partner;        ///< the freedom itself, unless the motion ends as its mirror image
  std::vector<double> sign;        ///< 1 or -1
  std::vector<double> difference;  ///< position at the end beyond that of the partner at the start
  std::vector<double> speed;       ///< the same per second of the duration
  bool acceleration = true;        ///< repeats, too; else it may jump
};

/// How good a motion has to be, and how long it is refined.
struct RefineSpec {
  double tolerance = 1e-6;  ///< of limit_excess
  int rounds = 8;           ///< solves with nodes added where limits are exceeded, at most
  std::optional<int>
      knots;             ///< how often spans are halved at most; ends when the cost does not change. Nothing: by `gap`
  bool switches = true;  ///< knots that let accelerations jump where a joint changes from one limit to another
  std::optional<double> gap;  ///< finer curves until the cost is that near its limit; nothing: as far as time allows
  static RefineSpec off() { return {1e-6, 0, 0, false, {}}; }  ///< the first solve alone
};
/// Which solver is used, and when it ends.
struct SolverSpec {
  nlp::Method method = nlp::Method::verne;  ///< ours, or Ipopt
  /// From code (verne/nlp/solver.h), in place of `method`; solution files do not keep it.
  std::shared_ptr<const nlp::Solver> own{};
  double tolerance = 1e-8;                 ///< of the scaled optimality conditions
  int max_iterations = 500;                ///< of each solve
  double max_seconds = 1e9;                ///< of all solves together
  bool exact_hessian = true;               ///< false: quasi-Newton, by Ipopt
  std::optional<bool> adaptive_barrier{};  ///< nlp::Options::adaptive_barrier; nothing: unless the cost has energy
  bool feasible_first = false;             ///< a solve for the constraints, then one for the cost, from what it found
};

/// Where a solve ended, for one of nearly the same task on the same curve.
struct SolverState {
  std::vector<Place> nodes;          ///< where limits were imposed
  std::vector<double> tightening;    ///< by what fraction each was on each span, one after the other; empty: not
  Values constraints, lower, upper;  ///< multipliers
};
/// What contacts bear in each phase, where that is a variable. Empty: not known.
using ContactForces = std::vector<std::optional<Trajectory>>;
/// A motion that was found before.
struct KnownMotion {
  Trajectory trajectory;               ///< the motion
  std::vector<double> phase_ends;      ///< when its phases end; none when it has none
  std::optional<SolverState> state{};  ///< that it was found in
  ContactForces contact_forces{};      ///< of its phases
};

/// How many first guesses are tried.
struct StartsSpec {
  int count = 1;        ///< first guesses that are tried
  unsigned seed = 1;    ///< of the random changes
  double spread = 0.3;  ///< of the random change of the guess, as a fraction of each coordinate's way or range
  int threads = 1;      ///< that solve them; the result does not depend on it. Ipopt's solves take turns
};
/// A parameter of the task, or of its model, that is an unknown: optimized together with the motion.
struct DesignSpec {
  std::string parameter;  ///< its name; its value in the task is where the search begins
  Interval bounds;        ///< between which it is looked for
  int line = 0;           ///< of the file; 0: none
};
/// A parameter of the task that takes several values, one after the other.
struct SweepSpec {
  std::string parameter;               ///< its name in the task
  double start = 0, stop = 0;          ///< its first and its last value
  int count = 0;                       ///< how many values it takes
  std::vector<double> values() const;  ///< the values: `count` of them, evenly from `start` to `stop`
};

/// A task: a model, what to minimize, and what to keep to.
struct Task {
  /// Throws InputError where loops of the model cannot be closed.
  explicit Task(Model moved) : model(std::move(moved)) {
    if (!model.loops().empty()) mechanism.emplace(model);
  }

  std::string name, description;       ///< for reports
  std::string file, text;              ///< where it was read from
  Model model;                         ///< that moves
  std::optional<Mechanism> mechanism;  ///< of a model with closed loops, whose tree moves so that they stay closed
  std::string model_file;              ///< as the task names it
  std::map<std::string, double> parameters;        ///< with their values
  std::map<std::string, double> model_parameters;  ///< those of the model's file, and fields that were given a value
  /// Reads the task again with other values for some of these; empty: it was not read from a file.
  std::function<Task(const std::map<std::string, double>& values)> read_again;

  CurveSpec curve;                                ///< its degree and resolution
  DurationSpec duration;                          ///< of the whole motion
  StateSpec start, end;                           ///< at its beginning and its end
  std::vector<ViaSpec> via;                       ///< states on the way
  LimitsSpec limits;                              ///< along the motion
  std::vector<FrameGoalSpec> frames;              ///< goals of links and frames
  std::vector<KeepOutSpec> keep_out;              ///< distances to keep
  std::shared_ptr<const CollisionShapes> shapes;  ///< that do not touch each other; null: nobody asked for that
  std::shared_ptr<const Corridor> corridor;       ///< of the solve at hand; solution files do not keep it
  std::vector<SwingTogetherSpec> swing_together;  ///< limbs that swing together
  std::vector<PhaseSpec> phases;                  ///< one after the other; none: the motion is one phase
  std::vector<double> flattened;                  ///< for guesses, without phases: fractions at which these ended
  std::vector<LoadSpec> loads;                    ///< that act all along the motion
  std::optional<GroundSpec> ground;               ///< nothing: the model is held by its root
  std::vector<HeldContactSpec> contacts;          ///< that hold all along the motion
  std::vector<GripSpec> grips;                    ///< what two hands hold all along the motion, with `ground`
  std::vector<std::optional<double>> held;        ///< one per velocity: where a freedom stays all the time
  /// One per velocity: where there are more motors than a mechanism needs, they share so that Σ weight effort² is
  /// least. Empty: all 1.
  std::vector<double> effort_weights;
  std::optional<PeriodicSpec> periodic;  ///< nothing: it need not repeat
  std::vector<CostSpec> costs;           ///< what is minimized
  std::vector<OwnLimit> own_limits;      ///< limits from code
  bool mean_cost = false;                ///< their mean over time is minimized, not their integral
  RefineSpec refine;                     ///< how good it has to be
  SolverSpec solver;                     ///< how it is solved
  StartsSpec starts;                     ///< how many first guesses are tried
  std::optional<SweepSpec> sweep;        ///< nothing: one solve
  std::vector<DesignSpec> design;        ///< parameters that are unknowns
  std::optional<Table> guess;  ///< postures (one column each, evenly over time) that the first guess goes through
  std::optional<KnownMotion> guess_motion;  ///< instead: a motion that the first guess follows
  double in_hands = 0;                      ///< kg that hands carry all the way, of links of these names
  WorkSpec work;                            ///< what scores of work need to know beside the motion
  int samples = 201;                        ///< frames of the written motion
  std::vector<Diagnostic> warnings;         ///< what was assumed when it was read

  /// Costs and limits from code (verne/motion/term.h), refined, verified and reported under their names. Throws
  /// InputError for a name that is taken, a channel or a phase that there is not, and a limit without bounds.
  VERNE_API void add_cost(CostTermSpec spec, TermFactory term);
  VERNE_API void add_limit(LimitTermSpec spec, TermFactory term);  ///< a limit of your own; see add_cost()

  /// The same task with other values for some of its parameters and its model's, with this one's guess, solver and
  /// terms from code. What else was changed since it was read is not kept. Throws InputError where the task makes no
  /// sense then, and std::invalid_argument where it was not read from a file.
  VERNE_API Task with_parameters(const std::map<std::string, double>& values) const;
};

/// What is implausible about the model of a task, but that what phases hold has no mass before they do.
VERNE_API std::vector<PlausibilityWarning> implausible_data(const Task& task);

/// What can be computed but is not what it seems, one problem each: what was assumed when the task was read, and limits
/// and costs of wrenches that nothing determines, since parts of a closed mechanism may hold against each other.
VERNE_API std::vector<Diagnostic> task_warnings(const Task& task);

/// Reads a task file. `overrides` replace parameters of the file or its model (unknown names are errors). Throws
/// InputError with every problem of the file, also of the model that it names.
VERNE_API Task load_task(const std::string& path, const std::map<std::string, double>& overrides = {});
/// The same from text; `folder` is where the model's path starts.
VERNE_API Task read_task(const std::string& text, const std::string& file, const std::string& folder,
                         const std::map<std::string, double>& overrides = {});
/// How a task gets at the files that it names, in place of reading them from the disk.
struct TaskFiles {
  std::function<Model(const std::string& path)> model;       ///< makes the model of a file
  std::function<std::string(const std::string& path)> read;  ///< the contents of a file that the guess comes from
  /// Numbers of a model that may take other values, by name; empty: there are none.
  std::function<std::map<std::string, double>(const std::string& path)> model_parameters{};
  /// Further ones, which all file formats share: `model.LINK.mass`, `model.JOINT.friction`; empty: there are none.
  std::function<std::map<std::string, double>(const std::string& path)> model_fields{};
  /// The model with such values.
  std::function<Model(const std::string& path, const std::map<std::string, double>& values)> model_with{};
};
/// The same, with files from elsewhere, or models that are not quite as their files have them.
VERNE_API Task read_task(const std::string& text, const std::string& file, const std::string& folder,
                         const std::map<std::string, double>& overrides, const TaskFiles& files);
/// The same for a model in place of the file that the text names, to know what acted and what held in a motion that was
/// found: the first guess is not read.
VERNE_API Task read_task(const std::string& text, const std::string& file, const Model& model,
                         const std::map<std::string, double>& overrides = {});

}  // namespace verne
