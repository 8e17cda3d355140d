/// Solves nonlinear programs by an interior-point method made for banded structure, or by Ipopt with MUMPS. Threads may
/// call it at the same time, each with its own Problem; with Ipopt they take turns, since MUMPS keeps state of its own.
/// A function of a problem that Ipopt solves cannot ask for Ipopt: that is std::logic_error.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/nlp/problem.h"

namespace verne::nlp {

/// A point with multipliers. Signs: ∇cost + Jᵀ constraints − lower + upper = 0 with lower, upper ≥ 0 at a solution.
struct Point {
  Values x, constraints, lower, upper;  ///< variables; multipliers of constraints, of lower and of upper bounds
};

/// One iteration of a solver.
struct Iteration {
  int iteration = 0;         ///< counted from 0
  double cost = 0;           ///< at the point
  double infeasibility = 0;  ///< largest violation of constraints and bounds, unscaled
  double optimality = 0;     ///< largest entry of the Lagrangian's gradient, scaled
  double seconds = 0;        ///< since the start
};

/// `infeasible` of solve(): at a point of least violation; another start may lead elsewhere. `not_verified` and
/// `not_found` are never its outcome: they are for callers that measure a result by other means, or know what such a
/// point does not tell.
enum class Status {
  solved,
  acceptable,
  not_verified,
  infeasible,
  not_found,
  iteration_limit,
  time_limit,
  interrupted,
  failed
};
/// "solved", "iteration_limit", …
VERNE_API const char* to_string(Status status);

/// `verne`: our own method, whose linear algebra uses that variables meet only their neighbours, in some order that it
/// finds by itself. `ipopt`: the reference, for problems of any structure.
enum class Method { verne, ipopt };
/// "verne" or "ipopt".
VERNE_API const char* to_string(Method method);

class Solver;

/// Which method is used, and when it ends.
struct Options {
  Method method = Method::verne;  ///< that is used
  /// Another one (verne/nlp/solver.h), in place of `method`.
  std::shared_ptr<const Solver> solver{};
  bool fall_back = true;      ///< where our own method fails for numerical reasons: go on with Ipopt
  double tolerance = 1e-8;    ///< of the scaled optimality conditions; moreover 1e-4 of unscaled constraints
  int max_iterations = 500;   ///< at most
  double max_seconds = 1e9;   ///< at most, then the best point so far
  bool exact_hessian = true;  ///< false: limited-memory quasi-Newton, by Ipopt
  /// Our own method: the barrier is chosen anew for each step; else lowered as it is solved for, which takes more
  /// iterations unless functions have kinks.
  bool adaptive_barrier = true;
  double barrier_start = 0;  ///< > 0: first barrier parameter; 0: 0.1, or 1e-4 for a warm start
  /// Called once an iteration, with the point; return false to stop.
  std::function<bool(const Iteration&, std::span<const double> x)> progress;
};

/// What a solve ended with.
struct Summary {
  Status status = Status::failed;            ///< how it ended
  std::string message;                       ///< the same for people
  Method method = Method::verne;             ///< that gave the result, unless it was another solver
  std::string solver;                        ///< its name: that of the method, or of Options::solver
  int iterations = 0;                        ///< of all methods that were tried
  double cost = 0;                           ///< at the final point
  double constraint_violation = 0;           ///< largest, of constraints and bounds, unscaled
  double kkt_residual = 0;                   ///< see kkt_residual()
  double seconds = 0, function_seconds = 0;  ///< in all; of them in functions of the problem
  Point point;                               ///< the final one, also on failure
  std::vector<Iteration> history;            ///< one entry for each iteration
  /// Whether the point may be used as a solution.
  bool success() const { return status == Status::solved || status == Status::acceptable; }
};

/// Solves from the problem's initial values, or from a point: a warm start if all its multipliers have the right size,
/// else from its x alone. What goes wrong numerically is a status; throws what the problem's functions and `progress`
/// throw, std::invalid_argument when the point's x has another size, and std::logic_error when another solver gives a
/// point of another size. Bounds of variables hold exactly in the result.
///
/// Scaling: variables and rows are divided by the scales of their blocks; then the cost and each row are made smaller
/// where an entry of their gradient at the start exceeds 100. Fixed variables (equal bounds) are not changed; the
/// result has the multipliers that balance their gradient.
VERNE_API Summary solve(Problem& problem, const Options& options = {}, const Point* start = nullptr);

/// How far a point is from satisfying the first-order conditions: the largest of the gradient of the Lagrangian,
/// complementarity and violation, unscaled. Where the mean size m of the multipliers exceeds 100, the first two are
/// divided by m / 100. Gradients of fixed variables do not count. NaN where something cannot be computed. Throws
/// std::invalid_argument when sizes do not fit.
VERNE_API double kkt_residual(Problem& problem, const Point& point);

/// Constraints and bounds that a point violates by more than `tolerance`, worst first.
struct Violation {
  std::string name;                         ///< of the row or the variable
  double value = 0, bound = 0, amount = 0;  ///< what it is, what it has to keep to, and by how much it does not
  std::string unit{};                       ///< where it is known
};
/// All that `x` violates by more than `tolerance`, worst first.
VERNE_API std::vector<Violation> violations(Problem& problem, std::span<const double> x, double tolerance);

}  // namespace verne::nlp
