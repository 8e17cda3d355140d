/// What of a motion is minimized, and terms from code: parts of a Task.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/base/small_matrix.h"
#include "verne/base/values.h"
#include "verne/model/spec.h"
#include "verne/motion/term.h"

namespace verne {

/// A value that may lie anywhere between two bounds; equal bounds fix it.
struct Interval {
  double lower = -kInfinity, upper = kInfinity;                             ///< both count as inside
  bool bounded() const { return lower > -kInfinity || upper < kInfinity; }  ///< whether there is a bound at all
  bool fixed() const { return lower == upper; }                             ///< whether there is one value only
};

/// A point of a link or frame that touches the ground.
struct ContactPoint {
  int site = 0;                 ///< link or named frame (Model::site)
  Vec3<double> point{0, 0, 0};  ///< in the axes of the site
};
/// A kind of costs: effort, time, … (docs/tasks.md#minimize).
struct CostType;
/// The one of this name in task files. Throws InputError, with the nearest name, for what there is not.
VERNE_API const CostType& cost_type(const std::string& name);
/// What a frame that is to be steady shall do little of.
enum class Unsteady { acceleration, rotation, lean };
/// One term of the cost, which is a weighted sum; all but time and the peak of effort are integrals over time.
struct CostSpec {
  const CostType* type = nullptr;  ///< what it is of
  double weight = 1;               ///< of the term in the cost
  /// Per velocity (effort, effort_rate, energy, smoothness, reference, discomfort) or per joint (joint_force,
  /// compression); 0 leaves it out. Effort: Σ scale·tau²; normalised by limits: scale = 1 / limit². Its peak: the
  /// largest scale·|tau|.
  std::vector<double> scale;
  bool normalized = false;     ///< `scale` is relative to limits of effort
  bool each_way = false;       ///< effort: relative to the limit of its own sign, which `scale` does not have
  bool by_joint = false;       ///< `scale` has an entry per joint and per joint that closes a loop, not per velocity
  int order = 2;               ///< smoothness: 2 acceleration, 3 jerk; effort each way: its power
  std::vector<double> target;  ///< reference: a posture; discomfort: the middle of each range
  std::vector<double> half;    ///< discomfort: half of each range
  double smoothing = 0;        ///< energy: |power| is sqrt(power² + smoothing²), W; 0: chosen from the motion
  double peak = kInfinity;     ///< peak_effort: what it is, once that is known
  /// steadiness: of a point of a link or frame, in the axes of the latter. `scale` is zero for all,
  /// as for ground_rate.
  Unsteady unsteady = Unsteady::acceleration;
  ContactPoint point{};  ///< which point
  // Those from code. `scale` is zero for all.
  std::string name{};     ///< for reports
  TermFactory term{};     ///< makes the term for each program
  int term_size = 0;      ///< of what it reads
  bool at_start = false;  ///< at the start, not the end, of those that are no integrals
  /// Whether it is a function of a program.
  bool from_code() const { return static_cast<bool>(term); }
};

/// What a cost from code is of: its integral over time, or its value at the start or the end.
enum class Over { time, start, end };
/// A cost from code: its name and weight, and over what it is taken.
struct CostTermSpec {
  std::string name;        ///< under which it is reported
  double weight = 1;       ///< of the term in the cost
  Over over = Over::time;  ///< what is taken of it
};
/// When a limit from code holds: all along the motion, or at its start or end.
enum class When { path, start, end };
/// A limit from code: its name, its bounds, and where it holds.
struct LimitTermSpec {
  std::string name;        ///< under which it is reported
  Interval bounds;         ///< that its value keeps to
  double scale = 1;        ///< a typical value: rows of the program are divided by it
  std::string unit{};      ///< for reports
  std::string phase{};     ///< in which it holds, or at whose start or end; empty: of the whole motion
  When when = When::path;  ///< it holds
};
/// A limit from code, with the function that makes its term.
struct OwnLimit {
  LimitTermSpec spec;  ///< its name and bounds
  TermFactory term;    ///< makes the term for each program
  int term_size = 0;   ///< of what it reads
};

}  // namespace verne
