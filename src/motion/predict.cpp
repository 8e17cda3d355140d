#include "verne/motion/predict.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "motion/first_guess.h"
#include "motion/limit_check.h"
#include "motion/program.h"
#include "motion/simulation_check.h"
#include "motion/starts.h"
#include "motion/switches.h"
#include "motion/task_terms.h"

namespace verne {

namespace {

constexpr double kSameNode = 1e-3;                          // of a span: closer peaks are at an existing node
constexpr double kMayBind = 0.8;                            // utilisation from which a limit is imposed on a finer grid
constexpr double kCostSettled = 1e-5;                       // relative change of the cost at which adding knots ends
constexpr int kSwitchRounds = 2;                            // of moving knots to where efforts switch
constexpr int kNodesPerSpan = 6;                            // of a grid between switches
constexpr double kWarmBarrier = 1e-5, kNearBarrier = 1e-4;  // with and without multipliers

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The solves of one start: a first one, then more nodes and knots until the limits hold everywhere.
class Sequence {
 public:
  Sequence(const Task& task, const PredictOptions& options, const Trajectory& guess)
      : task_(task), options_(options), solution_(guess), grid_(grid_on(guess, task.curve.nodes)) {}

  Solution run(Guess quality) {
    const Trajectory guess = solution_.trajectory;
    const nlp::Point warm = near(grid_, guess);
    if (solve_round(grid_, guess, "first solve", quality == Guess::near ? &warm : nullptr)) refine();
    const auto start = std::chrono::steady_clock::now();
    verify();
    solution_.verify_seconds = seconds_since(start);
    return std::move(solution_);
  }

 private:
  Grid grid_on(const Trajectory& curve, int nodes) const {
    const int nv = task_.model.nv();
    return {task_.curve.free_knots ? CurveVariables::with_free_knots(curve.basis(), nv)
                                   : CurveVariables::with_duration(curve.basis(), nv, curve.lengths()),
            even_nodes(curve, nodes),
            {}};
  }

  void refine() {
    for (int k = 0; k < task_.refine.knots && halve_spans(); ++k) {
    }
    for (int k = 0; task_.refine.switches && k < kSwitchRounds && !interrupted() && knots_at_switches(); ++k) {
    }
    for (int k = 0; k < task_.refine.rounds && !interrupted() && worst_excess() > task_.refine.tolerance; ++k) {
      if (!add_nodes()) break;
    }
    if (task_.refine.rounds > 0 && solution_.success() && worst_excess() > task_.refine.tolerance) {
      solution_.status = nlp::Status::acceptable;
      solution_.message = "limits are exceeded between the nodes by more than the tolerance (refine: rounds, nodes)";
    }
  }

  bool interrupted() const { return solution_.status == nlp::Status::interrupted; }

  enum class Keep { any, better };
  /// Solves on a grid. The first result is kept whatever it is, later ones when they are a success and, if asked for,
  /// better than what there is; the grid is then the present one. Returns whether it was kept and is a success.
  bool solve_round(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm,
                   Keep keep = Keep::any) {
    Program program = make_program(task_, grid, guess);
    nlp::Summary summary = nlp::solve(program.problem, solver_options(warm), warm);
    solution_.solve_seconds += summary.seconds;
    solution_.function_seconds += summary.function_seconds;
    solution_.iterations += summary.iterations;
    solution_.history.insert(solution_.history.end(), summary.history.begin(), summary.history.end());
    if (!solution_.rounds.empty()) {
      if (!summary.success()) {
        solution_.message = std::string("refinement (") + what + ") stopped: " + summary.message;
        if (summary.status == nlp::Status::interrupted) solution_.status = summary.status;
        return false;
      }
      if (keep == Keep::better && summary.cost >= solution_.cost) return false;
    }
    grid_ = std::move(grid);
    accept(program, std::move(summary), what);
    return solution_.success();
  }

  nlp::Options solver_options(const nlp::Point* warm) const {
    nlp::Options options;
    options.tolerance = task_.solver.tolerance;
    options.max_iterations = task_.solver.max_iterations;
    options.max_seconds = std::max(1e-3, task_.solver.max_seconds - solution_.solve_seconds);
    options.exact_hessian = task_.solver.exact_hessian && has_exact_hessian(task_);
    if (warm) options.barrier_start = warm->constraints.size() > 0 ? kWarmBarrier : kNearBarrier;
    if (options_.progress) {
      options.progress = [this](const nlp::Iteration& iteration, std::span<const double>) {
        return options_.progress({static_cast<int>(solution_.rounds.size()), iteration});
      };
    }
    return options;
  }

  void accept(Program& program, nlp::Summary summary, const char* what) {
    const std::span<const double> x = std::as_const(summary.point.x);
    solution_.status = summary.status;
    solution_.message = summary.message;
    solution_.trajectory = program.curve.trajectory(x);
    solution_.cost = summary.cost;
    solution_.verification.kkt_residual = summary.kkt_residual;
    solution_.verification.constraint_violation = summary.constraint_violation;
    solution_.violations = nlp::violations(program.problem, summary.point.x, 1e-6);
    reports_ = check_limits(task_, solution_.trajectory, grid_.nodes, task_.refine.tolerance);
    record_costs(program, x);
    record_limits(program, summary.point);
    limit_rows_ = program.limits ? program.limits->rows() : 0;
    solution_.rounds.push_back({static_cast<int>(solution_.rounds.size()), program.curve.basis.control_points(),
                                static_cast<int>(grid_.nodes.size()), summary.iterations,
                                solution_.trajectory.duration(), solution_.cost, worst_excess(), what});
    point_ = std::move(summary.point);
  }

  double worst_excess() const {
    double worst = reports_.empty() ? 0 : -kInfinity;
    for (const LimitReport& report : reports_) worst = std::max(worst, report.excess);
    return worst;
  }

  void record_costs(Program& program, std::span<const double> x) {
    solution_.costs.clear();
    const std::vector<double> integrals = program.integrals ? program.integrals->integrals(x) : std::vector<double>{};
    std::size_t k = 0;
    for (const CostTask& cost : task_.costs) {
      const double value = cost.kind == CostKind::time ? solution_.trajectory.duration() : integrals[k++];
      solution_.costs.push_back({to_string(cost.kind), cost.weight, value});
    }
  }

  void record_limits(const Program& program, const nlp::Point& point) {
    solution_.limits.clear();
    for (const LimitReport& report : reports_) {
      solution_.limits.push_back({report.name.kind, report.name.of, report.name.unit, report.bounds, report.utilisation,
                                  report.excess, report.active, 0});
    }
    if (!program.limits) return;
    const int rows = program.limits->rows(), per_node = rows / program.limits->nodes().count();
    for (int row = 0; row < rows; ++row) {
      const int term = program.imposed[program.limits->term_index(row % per_node)];
      solution_.limits[term].multiplier +=
          std::abs(point.constraints[program.limits_first_row + row]) * program.limits->term_of_row(row).rate();
    }
  }

  /// Solves with nodes more where limits are exceeded between them, or a tighter limit where there is a node; limits
  /// left out are imposed again. Returns whether there was something to add and the solve succeeded.
  bool add_nodes() {
    Grid finer = grid_;
    finer.limits.resize(reports_.size());
    bool changed = false, same_limits = true;
    for (std::size_t t = 0; t < reports_.size(); ++t) {
      Grid::Imposed& imposed = finer.limits[t];
      for (const Place& peak : reports_[t].peaks) {
        changed = true;
        if (!imposed.at_all) imposed.at_all = true, same_limits = false;
        const bool known = std::any_of(finer.nodes.begin(), finer.nodes.end(), [&](const Place& node) {
          return node.span == peak.span && std::abs(node.fraction - peak.fraction) < kSameNode;
        });
        if (!known) {
          finer.nodes.push_back(peak);
        } else if (same_limits) {
          imposed.tightening += reports_[t].excess;
          break;
        }
      }
    }
    if (!changed) return false;
    const Trajectory guess = solution_.trajectory;
    const nlp::Point warm = same_limits ? with_more_nodes(finer) : near(finer, guess);
    return solve_round(std::move(finer), guess, "nodes added", &warm);
  }

  /// The last point for a program that has nodes more: their rows come last, and have no multipliers yet.
  nlp::Point with_more_nodes(const Grid& finer) const {
    nlp::Point point = point_;
    const auto old_nodes = static_cast<int>(grid_.nodes.size()), new_nodes = static_cast<int>(finer.nodes.size());
    const auto old_rows = static_cast<int>(point.constraints.size());
    const int more = limit_rows_ / old_nodes * (new_nodes - old_nodes);
    point.constraints.resize(old_rows + more);
    return point;
  }

  /// Starts a solve near a motion, with no multipliers: those of other knots or limits do not fit.
  static nlp::Point near(const Grid& grid, const Trajectory& guess) {
    return {grid.curve.variables(guess), {}, {}, {}};
  }

  /// Twice as many knots, on the same curve to start with. Returns whether that changed the cost: there may be more to
  /// gain.
  bool halve_spans() {
    const double cost = solution_.cost;
    const int spans = solution_.trajectory.basis().spans();
    Trajectory finer = solution_.trajectory;
    for (int s = spans - 1; s >= 0; --s) finer = finer.with_knot({s, 0.5});
    const int nodes = task_.curve.nodes * finer.basis().spans() / (task_.curve.control_points - task_.curve.degree);
    Grid grid = grid_on(finer, nodes);
    for (const LimitReport& report : reports_) grid.limits.push_back({report.utilisation > kMayBind, 0});
    const nlp::Point warm = near(grid, finer);
    if (!solve_round(std::move(grid), finer, "spans halved", &warm)) return false;
    return std::abs(cost - solution_.cost) > kCostSettled * std::abs(cost);
  }

  /// Efforts that jump between limits need accelerations that jump: knots that let them, where they do; and once more,
  /// as the result shows better where that is. Returns whether the motion got better.
  bool knots_at_switches() {
    auto between =
        grid_between_switches(task_, solution_.trajectory, solution_.trajectory.basis().spans(), kNodesPerSpan);
    if (!between) return false;
    const nlp::Point warm = near(between->first, between->second);
    return solve_round(std::move(between->first), between->second, "knots at switches", &warm, Keep::better);
  }

  void verify() {
    Verification& v = solution_.verification;
    v.limit_tolerance = task_.refine.tolerance;
    v.limit_excess = worst_excess();
    for (const LimitReport& report : reports_) {
      if (report.excess < v.limit_excess) continue;
      v.worst_limit = report.name.kind + " of " + report.name.of;
      v.worst_time = report.worst_time;
      v.worst_value = report.worst_value;
      const bool low =
          report.worst_value < report.bounds.lower ||
          std::abs(report.worst_value - report.bounds.lower) < std::abs(report.worst_value - report.bounds.upper);
      v.worst_bound = low ? report.bounds.lower : report.bounds.upper;
    }
    const Trajectory& curve = solution_.trajectory;
    const double tolerance = task_.refine.tolerance;
    v.position_certified = certify(curve, 0, task_.limits.position, tolerance);
    v.velocity_certified = certify(curve, 1, task_.limits.velocity, tolerance);
    v.acceleration_certified = certify(curve, 2, task_.limits.acceleration, tolerance);
    v.equation_residual = check_equations(task_, curve, equation_nodes(curve));
    const SimulationCheck simulation = check_by_simulation(task_, curve);
    v.simulation_drift = simulation.drift;
    v.whole_horizon_drift = simulation.whole_horizon;
  }

  const Task& task_;
  const PredictOptions& options_;
  Solution solution_;
  Grid grid_;  // of the kept result, as are these:
  std::vector<LimitReport> reports_;
  nlp::Point point_;
  int limit_rows_ = 0;
};

}  // namespace

Solution predict_from(const Task& task, const PredictOptions& options, const Trajectory& guess, Guess quality) {
  return Sequence(task, options, guess).run(quality);
}

Solution predict(const Task& task, const PredictOptions& options) {
  if (options.warm_start) return predict_from(task, options, refitted(task, *options.warm_start), Guess::near);
  if (task.starts.count > 1) return predict_from_starts(task, options);
  return predict_from(task, options, first_guess(task), Guess::naive);
}

}  // namespace verne
