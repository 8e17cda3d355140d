#include "motion/refine/ended_early.h"

#include <fmt/format.h>

#include <utility>

#include "motion/task/time_allowed.h"

namespace verne {

namespace {

Solution measured(const Task& task, const Trajectory& guess, nlp::Status status,
                  const std::function<bool()>& go_on = {}) {
  const State state(task, guess);
  Program program = make_program(task, state.now.grid, guess);
  nlp::Summary summary;
  summary.point.x = program.problem.initial();
  summary.point.lower.resize(program.problem.variables());
  summary.point.upper.resize(program.problem.variables());
  summary.point.constraints.resize(program.problem.constraints());
  summary.kkt_residual = nlp::kkt_residual(program.problem, summary.point);
  Result result = result_of(task, program, state.now.grid, std::move(summary));
  result.motion.status = status;
  verify(task, result, go_on);
  return std::move(result.motion);
}

Solution verified_as_it_is(const Task& task, const Solution& found) {
  Result result = State(task, found.trajectory).now;
  result.stages = make_program(task, result.grid, found.trajectory).stages;
  result.motion = found;
  put_frames(result.stages, found.trajectory.duration());
  put_peaks(result.stages, found.costs);
  put_contact_forces(result.stages, found.contact_forces);
  result.measured = measure(task, found.trajectory, result.stages);
  verify(task, result, [time = TimeAllowed(kVerifySeconds)] { return !time.is_up(); });
  return std::move(result.motion);
}

}  // namespace

Solution infeasible_guess(const Task& task, const Trajectory& guess) {
  return measured(task, guess, nlp::Status::infeasible);
}

Solution measured_as_it_is(const Task& task, const Trajectory& motion, const std::function<bool()>& go_on) {
  return measured(task, motion, nlp::Status::solved, go_on);
}

Solution interrupted_with(const Task& task, const Solution& found) {
  Solution solution = verified_as_it_is(task, found);
  call_interrupted(solution, "");
  return solution;
}

Solution unrefined(const Task& task, const Solution& found, const std::string& reason) {
  Solution solution = verified_as_it_is(task, found);
  if (solution.success()) solution.message = "refinement stopped: " + reason;
  return solution;
}

void call_interrupted(Solution& motion, const std::string& trouble) {
  if (motion.status == nlp::Status::interrupted) return;  // nothing was found yet
  const std::string worth = motion.success() ? "verified" : "not verified: " + motion.message;
  motion.message =
      fmt::format("{}; the best motion so far is {}", trouble.empty() ? "stopped on request" : trouble, worth);
  motion.status = nlp::Status::interrupted;
}

void call_feasible_only(State& state) {
  state.now.motion.status = state.interrupted ? nlp::Status::interrupted
                            : state.stopped   ? nlp::Status::time_limit
                                              : nlp::Status::failed;
  state.now.motion.message = "constraints can be met, but the least cost was not found: " + state.trouble;
}

}  // namespace verne
