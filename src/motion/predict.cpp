#include "verne/motion/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include "motion/conflict.h"
#include "motion/first_guess.h"
#include "motion/limit_uses.h"
#include "motion/program.h"
#include "motion/simulation_check.h"
#include "motion/smoothing.h"
#include "motion/starts.h"
#include "motion/switches.h"
#include "motion/task_terms.h"
#include "motion/verdict.h"

namespace verne {

namespace {

constexpr double kSameNode = 1e-3;                          // of a span: closer peaks are at an existing node
constexpr double kCostSettled = 1e-5;                       // relative change of the cost at which adding knots ends
constexpr double kMostTightening = 0.2;                     // of a limit: what exceeds it by more needs nodes, not this
constexpr int kSwitchRounds = 2;                            // of moving knots to where efforts switch
constexpr int kNodesPerSpan = 6;                            // of a grid between switches
constexpr double kWarmBarrier = 1e-5, kNearBarrier = 1e-4;  // with and without multipliers

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What a solve found, measured, with what the next solve needs to build on it.
struct Result {
  Solution motion;
  Grid grid;
  Measured measured;
  nlp::Point point;
  std::vector<PlacedStage> stages;
  std::vector<int> limit_rows;  ///< of each stage; the last rows of the program
  std::size_t round = 0;

  /// Whether it holds better what it should or, where both do, costs less. Finer curves cost more where equations along
  /// the way leave coarse ones room to cheat: there, the better they hold the better.
  bool better_than(const Result& other) const {
    const double mine = measured.misfit(), others = other.measured.misfit();
    if (mine <= 1 && others <= 1 && measured.equations.empty()) return motion.cost < other.motion.cost;
    return mine < others;
  }
};

/// The solves of one start: a first one, then more nodes and knots until the limits hold everywhere. Each round builds
/// on the latest one that succeeded; the best of them is the result.
class Sequence {
 public:
  Sequence(const Task& task, const PredictOptions& options, const Trajectory& guess)
      : task_(task),
        options_(options),
        now_{Solution(guess), grid_on(guess, phase_of_spans(task), task.curve.nodes), {}, {}, {}, {}, 0} {}

  /// The first solve alone, not verified.
  Solution first(Guess quality) {
    solve(quality);
    return finished();
  }

  Solution run(Guess quality) {
    solve(quality);
    if (now_.motion.success() && !interrupted_) refine();
    verify();
    if (interrupted_) stop();
    return finished();
  }

  /// What first() of another one found, verified and nothing else.
  Solution stopped_with(const Solution& found) {
    now_.stages = make_program(task_, now_.grid, found.trajectory).stages;
    now_.motion = found;
    now_.measured = measure(task_, found.trajectory, now_.stages);
    verify();
    stop();
    return std::move(now_.motion);
  }

 private:
  void solve(Guess quality) {
    const Trajectory guess = now_.motion.trajectory;
    const auto steps = smoothing_steps(task_, guess);
    task_.costs = steps.front();
    const nlp::Point warm = near(now_.grid, guess);
    solve_round(now_.grid, guess, "first solve", quality == Guess::near ? &warm : nullptr);
    for (std::size_t k = 1; k < steps.size() && now_.motion.success(); ++k) {
      task_.costs = steps[k];
      if (solve_round(now_.grid, now_.motion.trajectory, "less smoothing", &now_.point)) continue;
      task_.costs = steps[k - 1];
      break;
    }
  }

  /// The motion, with what all rounds took.
  Solution finished() {
    now_.motion.iterations = course_.iterations;
    now_.motion.solve_seconds = course_.solve_seconds;
    now_.motion.function_seconds = course_.function_seconds;
    now_.motion.history = std::move(course_.history);
    now_.motion.rounds = std::move(course_.rounds);
    return std::move(now_.motion);
  }

  Grid grid_on(const Trajectory& curve, const std::vector<int>& phase_of_span, int nodes) const {
    return {variables_of(task_, curve, phase_of_span), even_nodes(curve, phase_of_span, nodes), {}};
  }

  void refine() {
    best_ = now_;
    for (int k = 0; k < task_.refine.knots && halve_spans(); ++k) {
    }
    for (int k = 0; task_.refine.switches && k < kSwitchRounds && !interrupted_ && knots_at_switches(); ++k) {
    }
    add_nodes_where_needed();
    if (best_->better_than(now_)) {  // what was built upon others led nowhere
      now_ = *best_;
      add_nodes_where_needed();
    }
    if (best_->better_than(now_)) now_ = *best_;
    if (!trouble_.empty()) now_.motion.message = trouble_;
  }

  void add_nodes_where_needed() {
    for (int k = 0; k < task_.refine.rounds && !interrupted_ && worst_excess() > task_.refine.tolerance; ++k) {
      if (!add_nodes()) break;
    }
  }

  enum class Keep { any, better };
  /// Solves on a grid. The first result is kept whatever it is, later ones when they are a success and, if asked for,
  /// better than what there is. Returns whether it was kept and is a success.
  bool solve_round(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm,
                   Keep keep = Keep::any) {
    Program program = make_program(task_, grid, guess);
    nlp::Summary summary = nlp::solve(program.problem, solver_options(warm), warm);
    course_.solve_seconds += summary.seconds;
    course_.function_seconds += summary.function_seconds;
    course_.iterations += summary.iterations;
    course_.history.insert(course_.history.end(), summary.history.begin(), summary.history.end());
    const bool first = course_.rounds.empty();
    const int iterations = summary.iterations;
    interrupted_ = summary.status == nlp::Status::interrupted;
    if (!first && !summary.success()) {
      trouble_ = fmt::format("refinement ({}) stopped: {}", what, summary.message);
      return false;
    }
    Result result = result_of(program, std::move(grid), std::move(summary));
    if (!first && keep == Keep::better && result.motion.cost >= now_.motion.cost) return false;
    result.round = course_.rounds.size();
    now_ = std::move(result);
    course_.rounds.push_back({static_cast<int>(now_.round), program.curve.basis.control_points(),
                              static_cast<int>(now_.grid.nodes.size()), iterations, now_.motion.trajectory.duration(),
                              now_.motion.cost, worst_excess(), what});
    if (best_ && now_.better_than(*best_)) best_ = now_;
    return now_.motion.success();
  }

  nlp::Options solver_options(const nlp::Point* warm) const {
    nlp::Options options;
    options.method = task_.solver.method;
    options.tolerance = task_.solver.tolerance;
    options.max_iterations = task_.solver.max_iterations;
    options.max_seconds = std::max(1e-3, task_.solver.max_seconds - course_.solve_seconds);
    options.exact_hessian = task_.solver.exact_hessian && has_exact_hessian(task_);
    if (warm && warm->constraints.size() == 0) options.barrier_start = kNearBarrier;
    if (warm && warm->constraints.size() > 0 && options.method == nlp::Method::ipopt) {
      options.barrier_start = kWarmBarrier;
    }
    if (options_.progress) {
      options.progress = [this](const nlp::Iteration& iteration, std::span<const double>) {
        return options_.progress({static_cast<int>(course_.rounds.size()), iteration});
      };
    }
    return options;
  }

  Result result_of(Program& program, Grid grid, nlp::Summary summary) const {
    const std::span<const double> x = std::as_const(summary.point.x);
    Result result{Solution(program.curve.trajectory(x)), std::move(grid), {}, {}, std::move(program.stages), {}, 0};
    Solution& motion = result.motion;
    motion.status = summary.status;
    motion.message = summary.message;
    motion.verification.kkt_residual = summary.kkt_residual;
    motion.verification.constraint_violation = summary.constraint_violation;
    motion.violations = nlp::violations(program.problem, summary.point.x, 1e-6);
    record_phases(result);
    result.measured = measure(task_, motion.trajectory, result.stages);
    record_costs(program, x, motion);
    motion.limits =
        limit_uses(task_, program.functions, result.stages, result.measured.limits, motion.trajectory, summary.point);
    for (const StageFunctions& of : program.functions) result.limit_rows.push_back(of.limits ? of.limits->rows() : 0);
    result.point = std::move(summary.point);
    return result;
  }

  double worst_excess() const {
    double worst = now_.measured.limits.empty() ? 0 : -kInfinity;
    for (const LimitReport& report : now_.measured.limits) worst = std::max(worst, report.excess);
    return worst;
  }

  /// The task's costs; not the tie-breaker.
  void record_costs(Program& program, std::span<const double> x, Solution& motion) const {
    std::vector<double> integrals(task_.costs.size(), 0.0);
    for (const StageFunctions& of : program.functions) {
      const std::vector<double> here = of.integrals ? of.integrals->integrals(x) : std::vector<double>{};
      for (std::size_t k = 0; k < here.size(); ++k) integrals[k] += here[k];
    }
    std::size_t k = 0;
    for (const CostTask& cost : task_.costs) {
      const double value = cost.kind == CostKind::time ? motion.trajectory.duration() : integrals[k++];
      motion.costs.push_back({to_string(cost.kind), cost.weight, value, cost.smoothing});
      motion.cost += cost.weight * value;
    }
  }

  void record_phases(Result& result) const {
    for (std::size_t k = 0; k < task_.phases.size(); ++k) {
      const Trajectory& curve = result.motion.trajectory;
      const SpanRange& spans = result.stages[k].stage.spans;
      result.motion.phases.push_back({task_.phases[k].name, curve.time({spans.first, 0.0}),
                                      curve.time({spans.end - 1, 1.0}), spans.first, spans.end});
    }
  }

  /// Solves with nodes more where limits are exceeded between them, or a tighter limit where there is a node. Returns
  /// whether there was something to add and the solve succeeded.
  bool add_nodes() {
    const std::vector<LimitReport>& reports = now_.measured.limits;
    Grid finer = now_.grid;
    finer.tightening.resize(reports.size());
    bool changed = false;
    for (std::size_t t = 0; t < reports.size(); ++t) {
      for (const Place& peak : reports[t].peaks) {
        changed = true;
        const bool known = std::any_of(finer.nodes.begin(), finer.nodes.end(), [&](const Place& node) {
          return node.span == peak.span && std::abs(node.fraction - peak.fraction) < kSameNode;
        });
        if (!known) {
          finer.nodes.push_back(peak);
        } else {
          finer.tightening[t] = std::min(finer.tightening[t] + reports[t].excess, kMostTightening);
          break;
        }
      }
    }
    if (!changed) return false;
    const nlp::Point warm = with_more_nodes(finer);
    return solve_round(std::move(finer), now_.motion.trajectory, "nodes added", &warm);
  }

  /// The last point for a program that has nodes more: their rows are the last of their phase, and have no multipliers
  /// yet.
  nlp::Point with_more_nodes(const Grid& finer) const {
    nlp::Point point = now_.point;
    const std::span<const double> old = std::as_const(now_.point.constraints);
    std::vector<double> rows(old.begin(), old.end());
    auto at = rows.end() - std::accumulate(now_.limit_rows.begin(), now_.limit_rows.end(), 0);
    for (std::size_t k = 0; k < now_.stages.size(); ++k) {
      const PlacedStage& in = now_.stages[k];
      const auto nodes = std::count_if(finer.nodes.begin(), finer.nodes.end(),
                                       [&](const Place& node) { return in.stage.spans.holds(node); });
      const auto before = static_cast<std::ptrdiff_t>(in.nodes.size());
      at += now_.limit_rows[k];
      const auto more = static_cast<std::size_t>(now_.limit_rows[k] / before * (nodes - before));
      at = rows.insert(at, more, 0.0) + static_cast<std::ptrdiff_t>(more);
    }
    point.constraints = std::move(rows);
    return point;
  }

  /// Starts a solve near a motion, with no multipliers: those of other knots or limits do not fit.
  static nlp::Point near(const Grid& grid, const Trajectory& guess) {
    return {grid.curve.variables(guess), {}, {}, {}};
  }

  /// Twice as many knots, on the same curve to start with. Returns whether there may be more to gain: the cost changed,
  /// or equations along the way do not hold yet.
  bool halve_spans() {
    const double cost = now_.motion.cost;
    Trajectory finer = now_.motion.trajectory;
    for (int s = finer.basis().spans() - 1; s >= 0; --s) finer = finer.with_knot({s, 0.5});
    std::vector<int> phase_of_span;
    for (const int phase : phase_of_spans(now_.motion)) phase_of_span.insert(phase_of_span.end(), 2, phase);
    const int nodes = task_.curve.nodes * finer.basis().spans() / (task_.curve.control_points - task_.curve.degree);
    Grid grid = grid_on(finer, phase_of_span, nodes);
    const nlp::Point warm = near(grid, finer);
    if (!solve_round(std::move(grid), finer, "spans halved", &warm)) return false;
    const bool misses = !now_.measured.equations.empty() && now_.measured.misfit() > 1;
    return misses || std::abs(cost - now_.motion.cost) > kCostSettled * std::abs(cost);
  }

  /// Efforts that jump between limits need accelerations that jump: knots that let them, where they do; and once more,
  /// as the result shows better where that is. Returns whether the motion got better.
  bool knots_at_switches() {
    if (!task_.phases.empty()) return false;
    const Trajectory& curve = now_.motion.trajectory;
    auto between = grid_between_switches(task_, curve, curve.basis().spans(), kNodesPerSpan);
    if (!between) return false;
    const nlp::Point warm = near(between->first, between->second);
    return solve_round(std::move(between->first), between->second, "knots at switches", &warm, Keep::better);
  }

  void verify() {
    const auto start = std::chrono::steady_clock::now();
    Verification& v = now_.motion.verification;
    v.limit_tolerance = task_.refine.tolerance;
    v.limit_excess = worst_excess();
    for (const LimitReport& report : now_.measured.limits) {
      if (report.excess < v.limit_excess) continue;
      v.worst_limit = report.name.kind + " of " + report.name.of;
      v.worst_time = report.worst_time;
      v.worst_value = report.worst_value;
      v.worst_bound = nearer_bound(report.worst_value, report.bounds);
    }
    const Trajectory& curve = now_.motion.trajectory;
    const double tolerance = task_.refine.tolerance;
    const auto add = [](std::optional<bool>& all, const std::optional<bool>& more) {
      if (more) all = all.value_or(true) && *more;
    };
    std::vector<Stage> stages;
    for (const PlacedStage& in : now_.stages) {
      const auto& [task, spans] = stages.emplace_back(in.stage);
      add(v.position_certified, certify(curve, spans, 0, task.limits.position, tolerance));
      add(v.velocity_certified, certify(curve, spans, 1, task.limits.velocity, tolerance));
      add(v.acceleration_certified, certify(curve, spans, 2, task.limits.acceleration, tolerance));
    }
    for (const EquationReport& report : now_.measured.equations) {
      v.equation_residual = std::max(v.equation_residual, std::abs(report.value - report.asked));
    }
    v.frames = now_.measured.frames;
    const SimulationCheck simulation = check_by_simulation(stages, curve);
    v.simulation_drift = simulation.drift;
    v.whole_horizon_drift = simulation.whole_horizon;
    judge(now_.measured, now_.motion);
    now_.motion.verify_seconds = seconds_since(start);
  }

  /// After an interruption: says what the motion is worth that is left.
  void stop() {
    Solution& motion = now_.motion;
    if (motion.status == nlp::Status::interrupted) return;  // nothing was found yet
    const std::string worth = motion.success() ? "verified" : "not verified: " + motion.message;
    motion.message =
        fmt::format("{}; the best motion so far is {}", trouble_.empty() ? "stopped on request" : trouble_, worth);
    motion.status = nlp::Status::interrupted;
  }

  /// What all rounds took.
  struct Course {
    int iterations = 0;
    double solve_seconds = 0, function_seconds = 0;
    std::vector<nlp::Iteration> history;
    std::vector<RefinementRound> rounds;
  };

  Task task_;  // its energy costs as smooth as they are for now
  const PredictOptions& options_;
  Result now_;                  // what the next round builds on
  std::optional<Result> best_;  // since refinement began
  Course course_;
  std::string trouble_;  // that a round had
  bool interrupted_ = false;
};

}  // namespace

Solution predict_from(const Task& task, const PredictOptions& options, const Trajectory& guess, Guess quality) {
  return Sequence(task, options, guess).run(quality);
}

Solution solve_from(const Task& task, const PredictOptions& options, const Trajectory& guess, Guess quality) {
  return Sequence(task, options, guess).first(quality);
}

Solution interrupted_with(const Task& task, const Solution& found) {
  return Sequence(task, {}, found.trajectory).stopped_with(found);
}

Solution predict(const Task& task, const PredictOptions& options) {
  Solution solution = options.warm_start ? predict_from(task, options, refitted(task, *options.warm_start), Guess::near)
                                         : predict_from_starts(task, options);
  if (solution.status != nlp::Status::infeasible) return solution;
  solution.conflict = find_conflict(task, solution.trajectory, options);
  if (solution.conflict) solution.message = to_string(*solution.conflict);
  return solution;
}

}  // namespace verne
