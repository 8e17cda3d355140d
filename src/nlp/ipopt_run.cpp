#include <IpIpoptApplication.hpp>
#include <mutex>
#include <stdexcept>

#include "nlp/ipopt_program.h"
#include "nlp/methods.h"

namespace verne::nlp {
namespace {

struct IpoptOutcome {
  Status status;
  const char* message;
};

IpoptOutcome outcome_of(Ipopt::ApplicationReturnStatus status) {
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

/// MUMPS keeps state of its own: one solution at a time in a process, however many threads ask.
std::mutex& mumps_turn() {
  static std::mutex turn;
  return turn;
}

/// A thread's turn. One that is in the middle of it would wait for itself for ever.
class Turn {
 public:
  Turn() : lock_(mumps_turn(), std::defer_lock) {
    if (taken_) throw std::logic_error("nlp::solve: Ipopt is asked for by a function of a problem that Ipopt solves");
    lock_.lock();
    taken_ = true;
  }
  ~Turn() { taken_ = false; }

 private:
  std::unique_lock<std::mutex> lock_;
  static thread_local bool taken_;
};
thread_local bool Turn::taken_ = false;

IpoptOutcome run(IpoptProgram& program, const Options& options, bool warm) {
  const Turn turn;
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> application =
      new Ipopt::IpoptApplication(/*create_console_out=*/false);
  application->RethrowNonIpoptException(false);
  set_options(*application->Options(), options, warm);
  if (application->Initialize("") != Ipopt::Solve_Succeeded) return {Status::failed, "the solver refuses its options"};
  const Ipopt::ApplicationReturnStatus status = application->OptimizeTNLP(&program);
  if (program.out_of_time()) return {Status::time_limit, "the time limit was reached"};
  return outcome_of(status);
}

}  // namespace

bool has_ipopt() {
  return true;
}

Attempt run_ipopt(Problem& problem, const Options& options, Point start, bool warm) {
  const Ipopt::SmartPtr<IpoptProgram> program = new IpoptProgram(problem, options, std::move(start));
  const IpoptOutcome outcome = run(*program, options, warm);
  if (program->thrown()) std::rethrow_exception(program->thrown());
  return {outcome.status, outcome.message, program->point(), program->history(), program->function_seconds()};
}

}  // namespace verne::nlp
