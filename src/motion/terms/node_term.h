/// A cost or constraint at a place of the motion: a few functions of a few channels, twice differentiable.
///
/// Terms know nothing of curves: they get the values u of their inputs and give derivatives with respect to these.
/// Costs and limits that use them are in costs/ and limits/.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verne/motion/task.h"

namespace verne {

/// What a number of a degree of freedom measures; decides its unit.
enum class NodeQuantity { position, velocity, acceleration, jerk, effort };

/// A kind of limits, and what is asked about it in several places. There is one object of each, beside its term, by
/// whose address it is known.
struct LimitKind {
  static constexpr int kNeverKnown = 4;

  const char* name = "";  ///< in reports: "effort", "joint_force", …
  /// The quantity of a freedom that it bounds without changing it.
  std::optional<NodeQuantity> quantity{};
  /// How much of a state has to be given for it to be known: positions (1), velocities too (2), accelerations too (3).
  int known_from = kNeverKnown;
  bool of_posture = false;              ///< holds for a posture, however fast it is passed
  bool of_zone = false;                 ///< keeps links out of something: "LINK from ZONE"
  const char* part_of_frame = nullptr;  ///< what it is of a frame: "position", …
};
inline constexpr LimitKind kPlainLimit{};

/// What a limit is about, for tables and messages.
struct LimitName {
  std::string kind;  ///< its name in reports: "effort", "joint_force", …
  std::string of;    ///< joint, link or frame
  std::string unit;
  const LimitKind* known_as = &kPlainLimit;

  LimitName() = default;
  LimitName(std::string name, std::string about, std::string measured_in)
      : kind(std::move(name)), of(std::move(about)), unit(std::move(measured_in)) {}
  LimitName(const LimitKind& limit, std::string about, std::string measured_in)
      : kind(limit.name), of(std::move(about)), unit(std::move(measured_in)), known_as(&limit) {}
};

class NodeTerm {
 public:
  explicit NodeTerm(std::vector<int> inputs, int rows = 1) : inputs_(std::move(inputs)), rows_(rows) {}
  virtual ~NodeTerm() = default;

  /// Channels that it reads.
  const std::vector<int>& inputs() const { return inputs_; }
  int rows() const { return rows_; }

  virtual void value(const double* u, double* rows) const = 0;
  /// rows x inputs, by rows; written completely.
  virtual void jacobian(const double* u, double* J) const = 0;
  /// H (inputs x inputs) += second derivatives of Σ multipliers · rows
  virtual void hessian(const double* u, const double* multipliers, double* H) const = 0;
  virtual bool linear() const { return false; }
  /// Whether one call for many places costs less than a call for each: then it is told at which it will be asked next,
  /// u of one behind that of the other.
  virtual bool takes_many() const { return false; }
  virtual void announce(const double*, int) const {}
  /// Whether the square of its rate of change is what counts, (16e): then value() is linear.
  virtual bool of_rate() const { return false; }

 private:
  std::vector<int> inputs_;
  int rows_;
};

/// What an excess over a bound is relative to: the bound itself, or the width between both where that is zero.
inline double scale_of(double bound, const Interval& bounds) {
  if (bound != 0) return std::abs(bound);
  const double width = bounds.upper - bounds.lower;
  return std::isfinite(width) && width > 0 ? width : 1;
}

/// A term whose rows stay within bounds.
class LimitTerm : public NodeTerm {
 public:
  LimitTerm(LimitName name, std::vector<int> inputs, int rows = 1)
      : NodeTerm(std::move(inputs), rows), name_(std::move(name)) {}

  const LimitName& name() const { return name_; }
  virtual Interval bounds(int row) const = 0;
  /// By which the bounds of all rows are farther for each second that the motion lasts.
  virtual double per_second() const { return 0; }
  /// How much of which of the program's peaks (CurveVariables::peak()) is taken off every row; -1: of none.
  struct PartOfPeak {
    int peak = -1;
    double share = 0;
  };
  virtual PartOfPeak part_of_peak() const { return {}; }
  /// The quantity as people know it (a norm, not its square) and its bounds; one per term.
  virtual double measured(const double* u) const = 0;
  virtual Interval measured_bounds() const = 0;
  /// Change of a row when the measured quantity at its bound changes by one unit, in size: turns a row's multiplier
  /// into the price of a unit of the limit.
  virtual double rate() const { return 1; }
  /// Bounds that ask for more by this fraction of the limit: they make good what nodes miss, what smoothing hides and
  /// what the solver's own tolerance, which is for scaled rows, leaves.
  Interval tighter_bounds(int row, double fraction) const {
    Interval rows = bounds(row);
    const Interval limit = measured_bounds();
    if (fraction == 0 || limit.fixed()) return rows;  // nothing is tighter than an equation
    if (rows.lower > -kInfinity) rows.lower += fraction * rate() * scale_of(limit.lower, limit);
    if (rows.upper < kInfinity) rows.upper -= fraction * rate() * scale_of(limit.upper, limit);
    return rows;
  }
  /// Where more than bounds has to change for that: at all nodes alike, by tighten().
  virtual bool tightens_as_a_whole() const { return false; }
  virtual void tighten(double) {}

 private:
  LimitName name_;
};

}  // namespace verne
