#include "motion/refine/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "motion/program/designed_program.h"
#include "motion/refine/ended_early.h"
#include "motion/refine/other_values.h"
#include "motion/refine/violations.h"
#include "motion/terms/costs/cost_type.h"

namespace verne {

namespace {

constexpr double kWarmBarrier = 1e-5, kNearBarrier = 1e-4;  // with and without multipliers, of another task
constexpr double kLevelBarrier = 1e-3;                      // to begin a level
constexpr double kLoose = 2;                                // times the task's tolerance: less is as good as that
constexpr double kLooseBarrier = 1e-7;                      // to go on from such a level, or with less smoothing
constexpr double kEndBarrier = 1e-8;                        // to go on from what was solved to the end
constexpr double kAskEvery = 0.5;                           // s, while a motion is verified
constexpr double kLeastSeconds = 1e-3;

/// What a motion does not say, peaks and what contacts bear: they start as those of the program's guess.
nlp::Point with_rest(nlp::Point point, const nlp::Problem& problem) {
  Values x = problem.initial();
  x.eigen().head(point.x.size()) = point.x.eigen();
  point.x = std::move(x);
  return point;
}

}  // namespace

nlp::Point near(const Grid& grid, const Trajectory& guess) {
  return {grid.curve.variables(guess), {}, {}, {}};
}

Rounds::Rounds(State& state, Record& record, const PredictOptions& options)
    : state_(state), record_(record), options_(options), time_(state.task.solver.max_seconds) {}

bool Rounds::solve(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm, double loose) {
  program_ = make_program(state_.task, grid, guess);
  return solve_program(std::move(grid), guess, what, warm, loose);
}

bool Rounds::solve_further(const Grid& grid, const char* what, double loose) {
  const Result& now = state_.now;
  const nlp::Point warm = with_more_nodes(now, grid);
  const std::string trouble = state_.trouble;
  const bool same_program = program_ && program_of_ == now.round && tighten_bounds(*program_, now.grid, grid);
  if (same_program) program_->stages = now.stages;
  if (same_program ? solve_program(grid, now.motion.trajectory, what, &warm, loose)
                   : solve(grid, now.motion.trajectory, what, &warm, loose)) {
    return true;
  }
  if (state_.stopped) return false;
  const nlp::Point plain = near(grid, now.motion.trajectory);
  if (!solve(grid, now.motion.trajectory, what, &plain, loose)) return false;
  state_.trouble = trouble;
  return true;
}

bool Rounds::solve_to_the_end() {
  return solve_further(prepared(state_.now, state_.allowance()), "to the end");
}

bool Rounds::solve_program(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm, double loose) {
  Program& program = *program_;
  const bool multipliers = warm && warm->constraints.size() == program.problem.constraints();
  nlp::Options options = solver_options(warm, multipliers);
  const bool is_loose = loose > kLoose * state_.task.solver.tolerance;
  if (is_loose) options.tolerance = loose;
  std::optional<nlp::Point> start;
  if (warm) start = with_rest(*warm, program.problem);
  const int before = record_.iterations();
  if (warm && !multipliers && !state_.smoother_costs.empty()) {
    start = solve_smoothed_first(grid, guess, std::move(*start), options);
    if (start->constraints.size() > 0) options.barrier_start = kLooseBarrier;
  }
  nlp::Summary summary = minimize(grid, guess, options, start ? &*start : nullptr);
  record_.add(summary);
  const bool first = record_.rounds() == 0;
  state_.interrupted = summary.status == nlp::Status::interrupted;
  state_.stopped = state_.interrupted || summary.status == nlp::Status::time_limit;
  if (!first && !summary.success()) {
    program_.reset();  // not of what there is
    state_.trouble = fmt::format("refinement ({}) stopped: {}", what, summary.message);
    return false;
  }
  Result result = result_of(state_.task, program, std::move(grid), std::move(summary));
  program_of_ = result.round = static_cast<std::size_t>(record_.rounds());
  result.loose = is_loose;
  record_.add_round(result, what, record_.iterations() - before);
  state_.now = std::move(result);
  if (state_.best && !is_loose && state_.now.better_than(*state_.best)) state_.best = state_.now;
  return state_.now.motion.success();
}

nlp::Summary Rounds::minimize(const Grid& grid, const Trajectory& guess, const nlp::Options& options,
                              const nlp::Point* start) {
  if (state_.task.design.empty()) return nlp::solve(program_->problem, options, start);
  const Task before = state_.task;
  const std::map<std::string, double> here = design_of(before);
  std::vector<double> values;
  for (const DesignSpec& design : before.design) values.push_back(here.at(design.parameter));
  const auto task_at = [&](const std::vector<double>& changed) {
    std::map<std::string, double> named;
    for (std::size_t k = 0; k < changed.size(); ++k) named[before.design[k].parameter] = changed[k];
    return with_values(state_.asked, before, named);
  };
  DesignedProgram designed(
      before.design, values,
      [&](const std::vector<double>& changed) { return make_program(task_at(changed), grid, guess); }, before.file);
  std::optional<nlp::Point> from;
  if (start) from = designed.extended(*start);
  nlp::Summary summary = nlp::solve(designed.problem(), options, from ? &*from : nullptr);
  if (!summary.success() && record_.rounds() > 0) return summary;  // of no use to anybody
  state_.task = task_at(designed.values(summary.point));
  *program_ = make_program(state_.task, grid, guess);
  summary.point = designed.plain(summary.point);
  return summary;
}

nlp::Point Rounds::solve_smoothed_first(const Grid& grid, const Trajectory& guess, nlp::Point point,
                                        nlp::Options options) {
  const std::vector<CostSpec> costs = state_.task.costs;
  for (const std::vector<CostSpec>& smoother : state_.smoother_costs) {
    state_.task.costs = smoother;
    Program program = make_program(state_.task, grid, guess);
    nlp::Summary summary = nlp::solve(program.problem, options, &point);
    record_.add(summary);
    if (!summary.success()) break;
    point = std::move(summary.point);
    options.barrier_start = kLooseBarrier;
  }
  state_.task.costs = costs;
  return point;
}

nlp::Options Rounds::solver_options(bool warm, bool multipliers) const {
  const SolverSpec& asked = state_.task.solver;
  nlp::Options options;
  options.method = asked.method;
  options.solver = asked.own;
  options.tolerance = asked.tolerance;
  // Kinks of energy, however smooth, bend more than bounds do: how far a step without a barrier would go says little.
  options.adaptive_barrier = asked.adaptive_barrier.value_or(!has_cost(state_.task, is_smoothed));
  options.max_iterations = asked.max_iterations;
  options.max_seconds = seconds_left();
  options.exact_hessian = asked.exact_hessian;
  if (warm && !multipliers) options.barrier_start = state_.levels.empty() ? kNearBarrier : kLevelBarrier;
  if (multipliers) {
    const bool of_another = state_.given && record_.rounds() == 0;
    const bool less_smoothing = !state_.smoother_costs.empty() && (!state_.best || state_.smooths_less);
    options.barrier_start = options.method == nlp::Method::ipopt || of_another ? kWarmBarrier
                            : less_smoothing || state_.now.loose               ? kLooseBarrier
                            : state_.levels.size() > 1                         ? kEndBarrier
                                                                               : 0;
  }
  if (options_.progress) {
    options.progress = [this](const nlp::Iteration& iteration, std::span<const double>) {
      return options_.progress({record_.rounds(), iteration});
    };
  }
  return options;
}

double Rounds::seconds_left() const {
  return std::max(kLeastSeconds, time_.left());
}

std::function<bool()> Rounds::patience() const {
  const double seconds = state_.interrupted ? kVerifySeconds : std::max(kVerifySeconds, seconds_left());
  return [this, time = TimeAllowed(seconds), asked = 0.0]() mutable {
    if (time.is_up()) return false;
    const nlp::Iteration* const last = record_.last_iteration();
    if (state_.interrupted || !options_.progress || !last || time.passed() < asked + kAskEvery) return true;
    asked = time.passed();
    return options_.progress({record_.rounds() - 1, *last});
  };
}

}  // namespace verne
