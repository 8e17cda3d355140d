#include <IpIpoptApplication.hpp>
#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "nlp/ipopt_program.h"
#include "verne/nlp/solve.h"

namespace verne::nlp {
namespace {

struct Outcome {
  Status status;
  const char* message;
};

Outcome outcome_of(Ipopt::ApplicationReturnStatus status) {
  switch (status) {
    case Ipopt::Solve_Succeeded:
      return {Status::solved, "solved"};
    case Ipopt::Feasible_Point_Found:
      return {Status::solved, "a feasible point was found (as many equations as variables)"};
    case Ipopt::Solved_To_Acceptable_Level:
      return {Status::acceptable, "solved to the acceptable level: 100 times the tolerance"};
    case Ipopt::Infeasible_Problem_Detected:
      return {Status::infeasible, "the constraints cannot be met near the point of least violation"};
    case Ipopt::Maximum_Iterations_Exceeded:
      return {Status::iteration_limit, "the iteration limit was reached"};
    case Ipopt::User_Requested_Stop:
      return {Status::interrupted, "stopped on request"};
    case Ipopt::Search_Direction_Becomes_Too_Small:
      return {Status::failed, "the steps became too small"};
    case Ipopt::Diverging_Iterates:
      return {Status::failed, "the variables grow without bound: a limit may be missing"};
    case Ipopt::Restoration_Failed:
      return {Status::failed, "no point with smaller violation was found, though it is not a least one"};
    case Ipopt::Error_In_Step_Computation:
      return {Status::failed, "no step could be computed"};
    case Ipopt::Not_Enough_Degrees_Of_Freedom:
      return {Status::failed, "there are more equations than free variables"};
    case Ipopt::Invalid_Number_Detected:
      return {Status::failed, "a function or derivative is not a finite number"};
    case Ipopt::Insufficient_Memory:
      return {Status::failed, "out of memory"};
    default:
      return {Status::failed, "the solver failed"};
  }
}

bool has_multipliers(const Problem& problem, const Point& point) {
  return point.constraints.size() == problem.constraints() && point.lower.size() == problem.variables() &&
         point.upper.size() == problem.variables();
}

void set_options(Ipopt::OptionsList& list, const Options& options, bool warm) {
  list.SetStringValue("linear_solver", "mumps");
  list.SetIntegerValue("mumps_pivot_order", 0);  // AMD: the default fills in badly where many rows share few variables
  list.SetIntegerValue("print_level", 0);
  list.SetStringValue("sb", "yes");
  list.SetNumericValue("tol", options.tolerance);
  list.SetNumericValue("acceptable_tol", 100 * options.tolerance);
  list.SetIntegerValue("max_iter", options.max_iterations);
  list.SetNumericValue("nlp_lower_bound_inf", -kNoBound);
  list.SetNumericValue("nlp_upper_bound_inf", kNoBound);
  list.SetNumericValue("bound_relax_factor", 0);  // bounds hold exactly
  list.SetStringValue("fixed_variable_treatment", "make_parameter");
  list.SetStringValue("nlp_scaling_method", "user-scaling");
  list.SetStringValue("check_derivatives_for_naninf", "yes");
  if (!options.exact_hessian) list.SetStringValue("hessian_approximation", "limited-memory");
  if (options.barrier_start > 0) {
    list.SetNumericValue("mu_init", options.barrier_start);
  } else if (warm) {
    list.SetNumericValue("mu_init", 1e-4);
  }
  if (!warm) return;
  list.SetStringValue("warm_start_init_point", "yes");
  for (const char* distance : {"warm_start_bound_push", "warm_start_bound_frac", "warm_start_slack_bound_push",
                               "warm_start_slack_bound_frac", "warm_start_mult_bound_push"}) {
    list.SetNumericValue(distance, 1e-9);
  }
}

/// Ipopt takes fixed variables out and knows no multipliers for them: these make the Lagrangian stationary.
void set_multipliers_of_fixed_variables(Problem& problem, Point& point) {
  const Bounds bounds(problem);
  const Eigen::VectorXd gradient = lagrangian_gradient(problem, point.x.eigen(), point.constraints.eigen());
  for (int i = 0; i < problem.variables(); ++i) {
    if (!bounds.fixed(i)) continue;
    point.lower[i] = std::max(gradient[i], 0.0);
    point.upper[i] = std::max(-gradient[i], 0.0);
  }
}

/// MUMPS keeps state of its own: one solution at a time in a process, however many threads ask.
std::mutex& mumps_turn() {
  static std::mutex turn;
  return turn;
}

Outcome run(IpoptProgram& program, const Options& options, bool warm) {
  const std::lock_guard lock(mumps_turn());
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> application =
      new Ipopt::IpoptApplication(/*create_console_out=*/false);
  application->RethrowNonIpoptException(false);
  set_options(*application->Options(), options, warm);
  if (application->Initialize("") != Ipopt::Solve_Succeeded) return {Status::failed, "the solver refuses its options"};
  const Ipopt::ApplicationReturnStatus status = application->OptimizeTNLP(&program);
  if (program.out_of_time()) return {Status::time_limit, "the time limit was reached"};
  return outcome_of(status);
}

/// Ipopt refuses to work when nothing is free. There is only one point then, which is best if it is feasible.
bool nothing_is_free(const Bounds& bounds) {
  return (bounds.x_lower.array() == bounds.x_upper.array()).all();
}
Outcome judge_only_point(Problem& problem, const Options& options, const Values& x) {
  if (constraint_violation(problem, x.eigen()) <= options.tolerance) return {Status::solved, "every variable is fixed"};
  return {Status::infeasible, "every variable is fixed, and the constraints are not met"};
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

Summary solve(Problem& problem, const Options& options, const Point* start) {
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

  const Ipopt::SmartPtr<IpoptProgram> program = new IpoptProgram(problem, options, std::move(point));
  const Outcome outcome =
      nothing_is_free(bounds) ? judge_only_point(problem, options, program->point().x) : run(*program, options, warm);
  if (program->thrown()) std::rethrow_exception(program->thrown());

  Summary summary;
  summary.status = outcome.status;
  summary.message = outcome.message;
  summary.point = program->point();
  set_multipliers_of_fixed_variables(problem, summary.point);
  summary.history = program->history();
  summary.iterations = summary.history.empty() ? 0 : summary.history.back().iteration;
  summary.cost = problem.cost(summary.point.x);
  summary.constraint_violation = constraint_violation(problem, summary.point.x.eigen());
  summary.kkt_residual = kkt_residual(problem, summary.point);
  summary.function_seconds = program->function_seconds();
  summary.seconds = program->seconds();
  return summary;
}

}  // namespace verne::nlp
