#include "motion/refine/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "motion/program/smoothing.h"

namespace verne {

namespace {

constexpr double kWarmBarrier = 1e-5, kNearBarrier = 1e-4;  // with and without multipliers, of another task
constexpr double kLevelBarrier = 1e-3;                      // to begin a level
constexpr double kLoose = 2;                                // times the task's tolerance: less is as good as that
constexpr double kLooseBarrier = 1e-7;                      // to go on from such a level, or with less smoothing
constexpr double kEndBarrier = 1e-8;                        // to go on from what was solved to the end
constexpr double kVerifySeconds = 2;                        // for a motion whose solves were stopped
constexpr double kAskEvery = 0.5;                           // s, while a motion is verified
constexpr double kLeastSeconds = 1e-3;
constexpr double kNearlyFree = 1e-6;  // of the cost: solved as soon as constraints hold

}  // namespace

Sequence::Sequence(const Task& task, const PredictOptions& options, const Trajectory& guess,
                   std::optional<double> power)
    : asked_(task),
      task_(task),
      options_(options),
      power_(power),
      now_{Solution(guess), grid_on(guess, phase_of_spans(task), task.curve.nodes), {}, {}, {}, {}, 0, false, 0, 0} {}

Solution Sequence::first(Guess quality) {
  solve(quality);
  return finished();
}

void Sequence::go_on_from(const SolverState& state) {
  if (state.nodes.size() < now_.grid.nodes.size()) return;
  now_.grid.nodes = state.nodes;
  const bool fits = state.tightening.size() % static_cast<std::size_t>(now_.grid.curve.basis.spans()) == 0;
  if (fits) now_.grid.tightening = state.tightening;
  state_ = state;
}

Solution Sequence::run(Guess quality) {
  const bool rough = quality != Guess::near && finer_one_follows();
  if (rough) {  // the smoother a motion, the clearer its switches
    now_.grid.idle.resize(task_.model.nv());
    std::iota(now_.grid.idle.begin(), now_.grid.idle.end(), 0);
  }
  solve(quality, rough ? kFirstTolerance : 0);
  if (rough) clear_zones();
  if (now_.motion.success() && !stopped_) refine();
  verify(task_, now_, patience());
  if (interrupted_) stop();
  return finished();
}

Solution Sequence::refused() {
  Program program = make_program(task_, now_.grid, now_.motion.trajectory);
  nlp::Summary summary;
  summary.point.x = program.problem.initial();
  summary.point.lower.resize(program.problem.variables());
  summary.point.upper.resize(program.problem.variables());
  summary.point.constraints.resize(program.problem.constraints());
  summary.kkt_residual = nlp::kkt_residual(program.problem, summary.point);
  now_ = result_of(task_, program, now_.grid, std::move(summary));
  now_.motion.status = nlp::Status::infeasible;
  verify(task_, now_);
  return finished();
}

Solution Sequence::stopped_with(const Solution& found) {
  now_.stages = make_program(task_, now_.grid, found.trajectory).stages;
  now_.motion = found;
  put_frames(now_.stages, found.trajectory.duration());
  put_peaks(now_.stages, found.costs);
  put_contact_forces(now_.stages, found.contact_forces);
  now_.measured = measure(task_, found.trajectory, now_.stages);
  interrupted_ = true;
  verify(task_, now_, patience());
  stop();
  return std::move(now_.motion);
}

void Sequence::solve(Guess quality, double loose) {
  if (task_.curve.free_knots && quality != Guess::near) {  // on even spans first: free ones have many worse optima
    task_.curve.free_knots = false;
    now_.grid = grid_on(now_.motion.trajectory, phase_of_spans(task_), task_.curve.nodes);
    solve(quality);
    task_.curve.free_knots = true;
    if (!now_.motion.success() || stopped_) return;
    now_.grid = grid_on(now_.motion.trajectory, phase_of_spans(task_), task_.curve.nodes);
    quality = Guess::near;
  }
  const Trajectory guess = now_.motion.trajectory;
  const double power = power_scale(task_, guess);
  auto steps = smoothing_steps(task_, power_.value_or(power), power);
  if (quality == Guess::near) steps.erase(steps.begin(), steps.end() - 1);  // who is near need not be led there
  task_.costs = steps.front();
  nlp::Point warm = near(now_.grid, guess);
  if (state_) warm.constraints = state_->constraints, warm.lower = state_->lower, warm.upper = state_->upper;
  const bool in_stages = task_.solver.feasible_first && quality != Guess::near;
  if (in_stages) {
    for (CostSpec& cost : task_.costs) cost.weight *= kNearlyFree;
    if (!solve_round(now_.grid, guess, "feasibility", nullptr)) return;
    task_.costs = steps.front();
    warm = near(now_.grid, now_.motion.trajectory);
  }
  const bool solved = solve_round(now_.grid, now_.motion.trajectory, in_stages ? "cost" : "first solve",
                                  in_stages || quality == Guess::near ? &warm : nullptr, steps.size() > 1 ? 0 : loose);
  if (in_stages && !solved) {
    now_.motion.status = interrupted_ ? nlp::Status::interrupted
                         : stopped_   ? nlp::Status::time_limit
                                      : nlp::Status::failed;
    now_.motion.message = "constraints can be met, but the least cost was not found: " + trouble_;
  }
  for (std::size_t k = 1; k < steps.size() && now_.motion.success(); ++k) {
    smoother_.push_back(std::exchange(task_.costs, steps[k]));
    if (solve_round(now_.grid, now_.motion.trajectory, "less smoothing", &now_.point)) continue;
    task_.costs = std::move(smoother_.back());
    smoother_.pop_back();
    break;
  }
}

nlp::Point Sequence::solve_smoothed_first(const Grid& grid, const Trajectory& guess, nlp::Point point,
                                          nlp::Options options) {
  const std::vector<CostSpec> costs = task_.costs;
  for (const std::vector<CostSpec>& smoother : smoother_) {
    task_.costs = smoother;
    Program program = make_program(task_, grid, guess);
    nlp::Summary summary = nlp::solve(program.problem, options, &point);
    add_to_course(summary);
    if (!summary.success()) break;
    point = std::move(summary.point);
    options.barrier_start = kLooseBarrier;
  }
  task_.costs = costs;
  return point;
}

std::function<bool()> Sequence::patience() const {
  const double seconds = interrupted_ ? kVerifySeconds : std::max(kVerifySeconds, seconds_left());
  return [this, time = TimeAllowed(seconds), asked = 0.0]() mutable {
    if (time.is_up()) return false;
    if (interrupted_ || !options_.progress || course_.history.empty() || time.passed() < asked + kAskEvery) return true;
    asked = time.passed();
    return options_.progress({static_cast<int>(course_.rounds.size()) - 1, course_.history.back()});
  };
}

double Sequence::seconds_left() const {
  return std::max(kLeastSeconds, time_.left());
}

void Sequence::add_to_course(const nlp::Summary& summary) {
  course_.solve_seconds += summary.seconds;
  course_.function_seconds += summary.function_seconds;
  course_.iterations += summary.iterations;
  course_.history.insert(course_.history.end(), summary.history.begin(), summary.history.end());
}

Solution Sequence::finished() {
  if (now_.motion.success()) {
    const nlp::Point& point = now_.point;
    now_.motion.state = {now_.grid.nodes, now_.grid.tightening, point.constraints, point.lower, point.upper};
  }
  now_.motion.iterations = course_.iterations;
  now_.motion.solve_seconds = course_.solve_seconds;
  now_.motion.function_seconds = course_.function_seconds;
  now_.motion.history = std::move(course_.history);
  now_.motion.rounds = std::move(course_.rounds);
  return std::move(now_.motion);
}

Grid Sequence::grid_on(const Trajectory& curve, const std::vector<int>& phase_of_span, int nodes) const {
  return {variables_of(task_, curve, phase_of_span), even_nodes(curve, phase_of_span, nodes), {}};
}

bool Sequence::solve_round(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm, double loose) {
  program_ = make_program(task_, grid, guess);
  return solve_program(std::move(grid), guess, what, warm, loose);
}

bool Sequence::solve_program(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm,
                             double loose) {
  Program& program = *program_;
  const bool multipliers = warm && warm->constraints.size() == program.problem.constraints();
  nlp::Options options = solver_options(warm, multipliers);
  const bool is_loose = loose > kLoose * task_.solver.tolerance;
  if (is_loose) options.tolerance = loose;
  std::optional<nlp::Point> start;
  if (warm) start = with_rest(*warm, program.problem);
  const int before = course_.iterations;
  if (warm && !multipliers && !smoother_.empty()) {
    start = solve_smoothed_first(grid, guess, std::move(*start), options);
    if (start->constraints.size() > 0) options.barrier_start = kLooseBarrier;
  }
  nlp::Summary summary = nlp::solve(program.problem, options, start ? &*start : nullptr);
  add_to_course(summary);
  const bool first = course_.rounds.empty();
  const int iterations = course_.iterations - before;
  interrupted_ = summary.status == nlp::Status::interrupted;
  stopped_ = interrupted_ || summary.status == nlp::Status::time_limit;
  if (!first && !summary.success()) {
    program_.reset();  // not of what there is
    trouble_ = fmt::format("refinement ({}) stopped: {}", what, summary.message);
    return false;
  }
  Result result = result_of(task_, program, std::move(grid), std::move(summary));
  result.round = course_.rounds.size();
  result.loose = is_loose;
  now_ = std::move(result);
  program_of_ = now_.round;
  course_.rounds.push_back({static_cast<int>(now_.round), program.curve.basis.control_points(),
                            static_cast<int>(now_.grid.nodes.size()), iterations, now_.motion.trajectory.duration(),
                            now_.motion.cost, now_.worst_excess(), what});
  if (best_ && !now_.loose && now_.better_than(*best_)) best_ = now_;
  return now_.motion.success();
}

nlp::Options Sequence::solver_options(bool warm, bool multipliers) const {
  nlp::Options options;
  options.method = task_.solver.method;
  options.tolerance = task_.solver.tolerance;
  // Kinks of energy, however smooth, bend more than bounds do: how far a step without a barrier would go says little.
  options.adaptive_barrier = task_.solver.adaptive_barrier.value_or(!has_cost(task_, CostKind::energy));
  options.max_iterations = task_.solver.max_iterations;
  options.max_seconds = seconds_left();
  options.exact_hessian = task_.solver.exact_hessian;
  if (warm && !multipliers) options.barrier_start = levels_.empty() ? kNearBarrier : kLevelBarrier;
  if (multipliers) {
    const bool of_another = state_ && course_.rounds.empty();
    const bool less_smoothing = !smoother_.empty() && (!best_ || smooths_less_);
    options.barrier_start = options.method == nlp::Method::ipopt || of_another ? kWarmBarrier
                            : less_smoothing || now_.loose                     ? kLooseBarrier
                            : levels_.size() > 1                               ? kEndBarrier
                                                                               : 0;
  }
  if (options_.progress) {
    options.progress = [this](const nlp::Iteration& iteration, std::span<const double>) {
      return options_.progress({static_cast<int>(course_.rounds.size()), iteration});
    };
  }
  return options;
}

bool Sequence::solve_further(const Grid& grid, const char* what, double loose) {
  const nlp::Point warm = with_more_nodes(now_, grid);
  const std::string trouble = trouble_;
  const bool same_program = program_ && program_of_ == now_.round && tighten_bounds(*program_, now_.grid, grid);
  if (same_program) program_->stages = now_.stages;
  if (same_program ? solve_program(grid, now_.motion.trajectory, what, &warm, loose)
                   : solve_round(grid, now_.motion.trajectory, what, &warm, loose)) {
    return true;
  }
  if (stopped_) return false;
  const nlp::Point plain = near(grid, now_.motion.trajectory);
  if (!solve_round(grid, now_.motion.trajectory, what, &plain, loose)) return false;
  trouble_ = trouble;
  return true;
}

nlp::Point Sequence::near(const Grid& grid, const Trajectory& guess) {
  return {grid.curve.variables(guess), {}, {}, {}};
}

nlp::Point Sequence::with_rest(nlp::Point point, const nlp::Problem& problem) {
  Values x = problem.initial();
  x.eigen().head(point.x.size()) = point.x.eigen();
  point.x = std::move(x);
  return point;
}

void Sequence::stop() {
  Solution& motion = now_.motion;
  if (motion.status == nlp::Status::interrupted) return;  // nothing was found yet
  const std::string worth = motion.success() ? "verified" : "not verified: " + motion.message;
  motion.message =
      fmt::format("{}; the best motion so far is {}", trouble_.empty() ? "stopped on request" : trouble_, worth);
  motion.status = nlp::Status::interrupted;
}

}  // namespace verne
