#include "verne/motion/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "motion/first_guess.h"
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
  int limit_rows = 0;
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
      : task_(task), options_(options), now_{Solution(guess), grid_on(guess, task.curve.nodes), {}, {}, 0, 0} {}

  /// The first solve alone, not verified.
  Solution first(Guess quality) {
    solve(quality);
    return finished();
  }

  Solution run(Guess quality) {
    solve(quality);
    if (now_.motion.success()) refine();
    const auto start = std::chrono::steady_clock::now();
    verify();
    now_.motion.verify_seconds = seconds_since(start);
    return finished();
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

  Grid grid_on(const Trajectory& curve, int nodes) const {
    const int nv = task_.model.nv();
    return {task_.curve.free_knots ? CurveVariables::with_free_knots(curve.basis(), nv)
                                   : CurveVariables::with_duration(curve.basis(), nv, curve.lengths()),
            even_nodes(curve, nodes),
            {}};
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
    if (interrupted_) now_.motion.status = nlp::Status::interrupted;
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
    Result result{Solution(program.curve.trajectory(x)), std::move(grid), {}, {}, 0, 0};
    Solution& motion = result.motion;
    motion.status = summary.status;
    motion.message = summary.message;
    motion.verification.kkt_residual = summary.kkt_residual;
    motion.verification.constraint_violation = summary.constraint_violation;
    motion.violations = nlp::violations(program.problem, summary.point.x, 1e-6);
    result.measured = measure(task_, motion.trajectory, result.grid.nodes, program.via, program.frames);
    record_costs(program, x, motion);
    record_limits(program, summary.point, result);
    result.limit_rows = program.limits ? program.limits->rows() : 0;
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
    const std::vector<double> integrals = program.integrals ? program.integrals->integrals(x) : std::vector<double>{};
    std::size_t k = 0;
    for (const CostTask& cost : task_.costs) {
      const double value = cost.kind == CostKind::time ? motion.trajectory.duration() : integrals[k++];
      motion.costs.push_back({to_string(cost.kind), cost.weight, value, cost.smoothing});
      motion.cost += cost.weight * value;
    }
  }

  static void record_limits(const Program& program, const nlp::Point& point, Result& result) {
    for (const LimitReport& report : result.measured.limits) {
      result.motion.limits.push_back({report.name.kind, report.name.of, report.name.unit, report.bounds,
                                      report.utilisation, report.excess, report.active, 0});
    }
    if (!program.limits) return;
    const int rows = program.limits->rows(), per_node = rows / program.limits->nodes().count();
    for (int row = 0; row < rows; ++row) {
      result.motion.limits[program.limits->term_index(row % per_node)].multiplier +=
          std::abs(point.constraints[program.limits_first_row + row]) * program.limits->term_of_row(row).rate();
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
          finer.tightening[t] += reports[t].excess;
          break;
        }
      }
    }
    if (!changed) return false;
    const nlp::Point warm = with_more_nodes(finer);
    return solve_round(std::move(finer), now_.motion.trajectory, "nodes added", &warm);
  }

  /// The last point for a program that has nodes more: their rows come last, and have no multipliers yet.
  nlp::Point with_more_nodes(const Grid& finer) const {
    nlp::Point point = now_.point;
    const auto old_nodes = static_cast<int>(now_.grid.nodes.size()), new_nodes = static_cast<int>(finer.nodes.size());
    const auto old_rows = static_cast<int>(point.constraints.size());
    const int more = now_.limit_rows / old_nodes * (new_nodes - old_nodes);
    point.constraints.resize(old_rows + more);
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
    const int nodes = task_.curve.nodes * finer.basis().spans() / (task_.curve.control_points - task_.curve.degree);
    Grid grid = grid_on(finer, nodes);
    const nlp::Point warm = near(grid, finer);
    if (!solve_round(std::move(grid), finer, "spans halved", &warm)) return false;
    const bool misses = !now_.measured.equations.empty() && now_.measured.misfit() > 1;
    return misses || std::abs(cost - now_.motion.cost) > kCostSettled * std::abs(cost);
  }

  /// Efforts that jump between limits need accelerations that jump: knots that let them, where they do; and once more,
  /// as the result shows better where that is. Returns whether the motion got better.
  bool knots_at_switches() {
    const Trajectory& curve = now_.motion.trajectory;
    auto between = grid_between_switches(task_, curve, curve.basis().spans(), kNodesPerSpan);
    if (!between) return false;
    const nlp::Point warm = near(between->first, between->second);
    return solve_round(std::move(between->first), between->second, "knots at switches", &warm, Keep::better);
  }

  void verify() {
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
    v.position_certified = certify(curve, 0, task_.limits.position, tolerance);
    v.velocity_certified = certify(curve, 1, task_.limits.velocity, tolerance);
    v.acceleration_certified = certify(curve, 2, task_.limits.acceleration, tolerance);
    for (const EquationReport& report : now_.measured.equations) {
      v.equation_residual = std::max(v.equation_residual, std::abs(report.value - report.asked));
    }
    v.frames = now_.measured.frames;
    const SimulationCheck simulation = check_by_simulation(task_, curve);
    v.simulation_drift = simulation.drift;
    v.whole_horizon_drift = simulation.whole_horizon;
    judge(now_.measured, now_.motion);
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

Solution predict(const Task& task, const PredictOptions& options) {
  if (options.warm_start) return predict_from(task, options, refitted(task, *options.warm_start), Guess::near);
  if (task.starts.count > 1) return predict_from_starts(task, options);
  return predict_from(task, options, first_guess(task), Guess::naive);
}

}  // namespace verne
