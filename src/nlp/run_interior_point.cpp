#include "nlp/interior_point.h"
#include "nlp/methods.h"
#include "nlp/not_finite.h"

namespace verne::nlp {

struct Problem::Memory {
  KktSystem system;
};

namespace {

/// The one of the last solve if it fits, where nothing but bounds and scales changed.
KktSystem& system_of(Problem& problem, const ScaledProgram& program) {
  std::shared_ptr<Problem::Memory>& memory = problem.memory();
  const int variables = program.variables();
  std::vector<Entry> hessian = program.hessian_pattern();
  const auto& [jacobian, equation] = std::tie(program.jacobian_pattern(), program.equation());
  if (!memory || !memory->system.is_of(variables, hessian, jacobian, equation)) {
    memory = std::make_shared<Problem::Memory>(
        Problem::Memory{KktSystem(variables, std::move(hessian), jacobian, equation)});
  }
  return memory->system;
}

constexpr double kFirstBarrier = 0.1;

struct Outcome {
  Status status;
  const char* message;
  bool hopeless = false;
};

Outcome outcome_of(InteriorPoint::End end, Status reason) {
  using End = InteriorPoint::End;
  switch (end) {
    case End::solved:
    case End::restored:
      return {Status::solved, "solved"};
    case End::acceptable:
      return {Status::acceptable, "solved to the acceptable level: 100 times the tolerance"};
    case End::infeasible:
      return {Status::infeasible, "the constraints cannot be met near the point of least violation"};
    case End::stopped:
      return {reason, reason == Status::interrupted       ? "stopped on request"
                      : reason == Status::iteration_limit ? "the iteration limit was reached"
                                                          : "the time limit was reached"};
    case End::small_steps:
      return {Status::failed, "the steps became too small"};
    case End::no_step:
      return {Status::failed, "no step could be computed"};
    case End::unbounded:
      return {Status::failed, "the variables grow without bound: a limit may be missing", true};
    case End::not_finite:
      break;
  }
  return {Status::failed, "a function or derivative is not a finite number", true};
}

}  // namespace

Attempt run_interior_point(Problem& problem, const Options& options, Point start, bool warm) {
  Attempt attempt;
  attempt.point = std::move(start);
  ScaledProgram program(problem, attempt.point.x);
  ProgressMonitor monitor(options, program);
  const auto end_with = [&](const Outcome& outcome) {
    attempt.status = outcome.status;
    attempt.message = outcome.message;
    attempt.hopeless = outcome.hopeless;
    attempt.history = monitor.history();
    attempt.function_seconds = program.function_seconds();
    return attempt;
  };
  if (program.unchangeable_violation() > options.tolerance) {
    return end_with({Status::infeasible, "constraints that depend on fixed variables alone are not met"});
  }
  KktSystem& system = system_of(problem, program);
  if (system.too_large()) return end_with({Status::failed, "the problem has no banded structure and is too large"});
  program.arrange_jacobian(system.jacobian_order());

  BarrierProgram barrier(program, BarrierProgram::Aim::cost);
  InteriorPoint method(barrier, system, monitor, options.tolerance, options.adaptive_barrier);
  InteriorPoint::End end = InteriorPoint::End::not_finite;
  bool started = false;
  try {
    const Eigen::VectorXd x = program.scaled(attempt.point.x);
    const double mu = options.barrier_start > 0 || warm ? options.barrier_start : kFirstBarrier;
    if (warm) {
      Eigen::VectorXd y(program.rows()), z_lower(program.variables()), z_upper(program.variables());
      program.scale_multipliers(attempt.point, y, z_lower, z_upper);
      method.start_warm(x, y, z_lower, z_upper, mu);
    } else {
      method.start_at(x, mu, options.barrier_start > 0);
    }
    started = true;
    end = method.run();
  } catch (const NotFinite&) {
  }
  std::string not_finite;  // said now: the program is asked about another point below
  if (end == InteriorPoint::End::not_finite) not_finite = not_finite_message(problem, program.latest());
  if (started) {
    attempt.point.x = program.unscaled(method.x());
    program.unscale_multipliers(method.y(), method.z_lower(), method.z_upper(), attempt.point);
  }
  end_with(outcome_of(end, monitor.reason()));
  if (!not_finite.empty()) attempt.message = not_finite;
  return attempt;
}

}  // namespace verne::nlp
