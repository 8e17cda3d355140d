#include "verne/nlp/solve.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "nlp/methods.h"
#include "nlp/optimality.h"

namespace verne::nlp {
namespace {

bool has_multipliers(const Problem& problem, const Point& point) {
  return point.constraints.size() == problem.constraints() && point.lower.size() == problem.variables() &&
         point.upper.size() == problem.variables();
}

/// The methods take fixed variables out and know no multipliers for them: these make the Lagrangian stationary.
void set_multipliers_of_fixed_variables(const Bounds& bounds, const Eigen::VectorXd& lagrangian, Point& point) {
  for (int i = 0; i < lagrangian.size(); ++i) {
    if (!bounds.fixed(i)) continue;
    point.lower[i] = std::max(lagrangian[i], 0.0);
    point.upper[i] = std::max(-lagrangian[i], 0.0);
  }
}

/// Where nothing is free there is only one point, which is best if it is feasible.
bool nothing_is_free(const Bounds& bounds) {
  return (bounds.x_lower.array() == bounds.x_upper.array()).all();
}
Attempt judge_only_point(Problem& problem, const Options& options, Point point) {
  const bool feasible = constraint_violation(problem, point.x.eigen()) <= options.tolerance;
  return {feasible ? Status::solved : Status::infeasible,
          feasible ? "every variable is fixed" : "every variable is fixed, and the constraints are not met",
          std::move(point),
          {}};
}

/// Solves by a method that the library does not know: its point is not trusted.
Attempt solve_by(const Solver& solver, Problem& problem, const Options& options, Point start, bool warm,
                 const Bounds& bounds) {
  Attempt attempt = solver.solve(problem, options, std::move(start), warm);
  Point& point = attempt.point;
  if (point.x.size() != problem.variables() || !has_multipliers(problem, point)) {
    throw std::logic_error(
        "nlp::solve: the solver " + solver.name() + " gave a point of " + std::to_string(point.x.size()) +
        " variables and multipliers of " + std::to_string(point.constraints.size()) + " constraints and " +
        std::to_string(point.lower.size()) + " and " + std::to_string(point.upper.size()) + " bounds, expected " +
        std::to_string(problem.variables()) + " and " + std::to_string(problem.constraints()));
  }
  if (!point.x.eigen().allFinite()) attempt.status = Status::failed, attempt.message += " (not a finite point)";
  point.x = point.x.eigen().cwiseMax(bounds.x_lower).cwiseMin(bounds.x_upper);
  return attempt;
}

/// Ipopt, where the method made for this did not do it; with what is left of iterations and time.
Attempt fall_back(Problem& problem, Options options, const Point& start, bool warm, Attempt first, double seconds) {
  const int done = static_cast<int>(first.history.size());
  options.max_iterations -= done;
  options.max_seconds -= seconds;
  if (options.max_iterations <= 0 || options.max_seconds <= 0) return first;
  if (options.progress) {
    options.progress = [done, seconds, progress = std::move(options.progress)](Iteration now,
                                                                               std::span<const double> x) {
      now.iteration += done;
      now.seconds += seconds;
      return progress(now, x);
    };
  }
  Attempt second = run_ipopt(problem, options, start, warm);
  second.message += " (by Ipopt; before that: " + first.message + ")";
  for (Iteration now : second.history) {
    now.iteration += done;
    now.seconds += seconds;
    first.history.push_back(now);
  }
  second.history = std::move(first.history);
  second.function_seconds += first.function_seconds;
  return second;
}

}  // namespace

const char* to_string(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::acceptable:
      return "acceptable";
    case Status::not_verified:
      return "not_verified";
    case Status::infeasible:
      return "infeasible";
    case Status::not_found:
      return "not_found";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::time_limit:
      return "time_limit";
    case Status::interrupted:
      return "interrupted";
    case Status::failed:
      return "failed";
  }
  return "failed";
}

const char* to_string(Method method) {
  return method == Method::verne ? "verne" : "ipopt";
}

Summary solve(Problem& problem, const Options& options, const Point* start) {
  const auto started = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  const Bounds bounds(problem);
  Point point{start ? start->x : problem.initial(), {}, {}, {}};
  if (point.x.size() != problem.variables()) {
    throw std::invalid_argument("nlp::solve: the start has " + std::to_string(point.x.size()) + " variables, " +
                                std::to_string(problem.variables()) + " expected");
  }
  point.x = point.x.eigen().cwiseMax(bounds.x_lower).cwiseMin(bounds.x_upper);
  const bool warm = start && has_multipliers(problem, *start);
  point.constraints = warm ? start->constraints : Values(Eigen::VectorXd::Zero(problem.constraints()));
  point.lower = warm ? start->lower : Values(Eigen::VectorXd::Zero(problem.variables()));
  point.upper = warm ? start->upper : Values(Eigen::VectorXd::Zero(problem.variables()));

  Summary summary;
  summary.method = options.exact_hessian ? options.method : Method::ipopt;
  summary.solver = options.solver ? options.solver->name() : to_string(summary.method);
  Attempt attempt;
  if (nothing_is_free(bounds)) {
    attempt = judge_only_point(problem, options, std::move(point));
  } else if (options.solver) {
    attempt = solve_by(*options.solver, problem, options, std::move(point), warm, bounds);
  } else {
    attempt = solver_of(summary.method)->solve(problem, options, point, warm);
    const bool other = summary.method != Method::ipopt && options.fall_back && has_ipopt();
    if (attempt.status == Status::failed && !attempt.hopeless && other) {
      summary.method = Method::ipopt;
      summary.solver = to_string(Method::ipopt);
      attempt = fall_back(problem, options, point, warm, std::move(attempt), seconds());
    }
  }

  summary.status = attempt.status;
  summary.message = attempt.message;
  summary.point = std::move(attempt.point);
  const Eigen::VectorXd lagrangian =
      lagrangian_gradient(problem, summary.point.x.eigen(), summary.point.constraints.eigen());
  set_multipliers_of_fixed_variables(bounds, lagrangian, summary.point);
  summary.history = std::move(attempt.history);
  summary.iterations = summary.history.empty() ? 0 : summary.history.back().iteration;
  summary.cost = problem.cost(summary.point.x);
  summary.constraint_violation = constraint_violation(problem, summary.point.x.eigen());
  summary.kkt_residual = kkt_residual_with(problem, summary.point, lagrangian);
  summary.function_seconds = attempt.function_seconds;
  summary.seconds = seconds();
  return summary;
}

}  // namespace verne::nlp
