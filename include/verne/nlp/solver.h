/// What solves nonlinear programs. Our own method and Ipopt are two; a program may bring another one
/// (nlp::Options::solver, SolverSpec::own of tasks):
///
///   struct Mine : verne::nlp::Solver {
///     std::string name() const override { return "mine"; }
///     verne::nlp::Attempt solve(verne::nlp::Problem& problem, const verne::nlp::Options& options,
///                               verne::nlp::Point start, bool warm) const override;
///   };
///   task.solver.own = std::make_shared<Mine>();
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/nlp/solve.h"

namespace verne::nlp {

/// What a solver came to.
struct Attempt {
  Status status = Status::failed;    ///< how it ended
  std::string message{};             ///< the same for people
  Point point{};                     ///< the last one, also on failure; multipliers of fixed variables do not count
  std::vector<Iteration> history{};  ///< one entry for each iteration, the start among them; may be empty
  double function_seconds = 0;       ///< in functions of the problem
  bool hopeless = false;             ///< failed for a reason that another method would share
};

/// A method. One object serves all solves of a prediction, perhaps from several threads at a time, each with a problem
/// of its own.
class VERNE_API Solver {
 public:
  virtual ~Solver();
  /// For messages.
  virtual std::string name() const = 0;
  /// `start`: x within bounds, and multipliers of all constraints and bounds, which count where `warm`. Some variable
  /// is not fixed. Variables with equal bounds stay as they are. It keeps to the limits of `options` and calls its
  /// `progress`; what it does not know of the others, it ignores. What goes wrong numerically is a status; what
  /// functions of the problem throw goes through.
  virtual Attempt solve(Problem& problem, const Options& options, Point start, bool warm) const = 0;
};

/// The solver behind a method of Options. That of Ipopt throws EnvironmentError where the build has none.
VERNE_API std::shared_ptr<const Solver> solver_of(Method method);

}  // namespace verne::nlp
