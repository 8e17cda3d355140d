#include "verne/motion/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "motion/conflict.h"
#include "motion/exchange.h"
#include "motion/first_guess.h"
#include "motion/given_states.h"
#include "motion/levels.h"
#include "motion/limit_uses.h"
#include "motion/out_of_reach.h"
#include "motion/program.h"
#include "motion/regrid.h"
#include "motion/result.h"
#include "motion/smoothing.h"
#include "motion/starts.h"
#include "motion/switches.h"
#include "motion/task_terms.h"

namespace verne {

namespace {

constexpr int kMostNodesPerSpan = 3;
constexpr double kWarmBarrier = 1e-5, kNearBarrier = 1e-4;   // with and without multipliers, of another task
constexpr double kLevelBarrier = 1e-3;                       // to begin a level
constexpr double kFirstTolerance = 1e-4;                     // of a first solve that others will follow
constexpr double kLooseTolerance = 1e-3, kTighter = 0.1;     // of levels; times that when spans are halved
constexpr double kLoose = 2;                                 // times the task's tolerance: less is as good as that
constexpr double kThrough = 0.05;                            // of the distance to a zone that is kept
constexpr int kMostClearings = 2;                            // of zones that a first curve cuts through
constexpr double kOfGap = 1e-3;                              // no tighter than that, of the gap that is aimed at
constexpr double kLooseBarrier = 1e-7;                       // to go on from such a level, or with less smoothing
constexpr double kEndBarrier = 1e-8;                         // to go on from what was solved to the end
constexpr double kFirstFiner = 1.75;                         // spans, where knots at switches come in
constexpr double kJumpsCount = 2;                            // knots at switches, as if they made spans so much finer
constexpr double kPlacedAgainCounts = 1.4;                   // the same of knots that are placed once more
constexpr int kCubic = 3;                                    // degree of curves that levels may make quartic,
constexpr double kSpansOfQuartic = 0.85;                     // with so many of the spans,
constexpr double kEffortsDecide = 0.3, kOthersDoNot = 0.1;   // if efforts are worth so much, and others, of that
constexpr double kAllowance = 0.02, kAllowanceOfTime = 0.1;  // of the gap, or of the tolerance: what margins may cost
constexpr double kLeastWorth = 5e-3, kLeastWorthOfTime = 1e-2;  // of limits whose switches pay for their unknowns
constexpr double kNearlyFree = 1e-6;                            // of the cost: solved as soon as constraints hold
constexpr double kGapOfUnused = 6;                              // times what limits leave unused, as random tasks show
constexpr int kMostForConflicts = 12;                           // velocities
constexpr double kWorse = 1e-3;                                 // of the cost: more is no improvement
constexpr char kKnots[] = "knots at switches";
constexpr double kOtherwiseFiner[] = {1, 1.5, 2.5};  // times as fine as a level should be, one after the other

/// How many spans each timing variable has.
std::vector<int> spans_of_groups(const CurveVariables& curve) {
  std::vector<int> spans(curve.groups);
  for (const int group : curve.group) ++spans[group];
  return spans;
}

/// Whether what contacts bear is a variable somewhere.
bool has_contact_variables(const Task& task) {
  const auto has = [](const std::optional<GroundTask>& ground) { return ground && ground->contact_variables; };
  return has(task.ground) ||
         std::any_of(task.phases.begin(), task.phases.end(), [&](const PhaseTask& phase) { return has(phase.ground); });
}

/// The solves of one start: a first one, then more nodes and knots until the limits hold everywhere. Each round builds
/// on the latest one that succeeded; the best of them is the result.
class Sequence {
 public:
  Sequence(const Task& task, const PredictOptions& options, const Trajectory& guess)
      : task_(task),
        options_(options),
        now_{Solution(guess), grid_on(guess, phase_of_spans(task), task.curve.nodes), {}, {}, {}, {}, 0, false} {}

  /// The first solve alone, not verified.
  Solution first(Guess quality) {
    solve(quality);
    return finished();
  }

  /// Limits are imposed where they were, at as many nodes as the task asks for at least, and multipliers are kept.
  void go_on_from(const SolverState& state) {
    if (state.nodes.size() < now_.grid.nodes.size()) return;
    now_.grid.nodes = state.nodes;
    const bool fits = state.tightening.size() % static_cast<std::size_t>(now_.grid.curve.basis.spans()) == 0;
    if (fits) now_.grid.tightening = state.tightening;
    state_ = state;
  }

  /// Contacts bear this to begin with.
  void begin_with(const ContactForces& forces) { now_.grid.forces = forces; }

  Solution run(Guess quality) {
    const bool rough = quality != Guess::near && finer_one_follows();
    if (rough) {  // the smoother a motion, the clearer its switches
      now_.grid.idle.resize(task_.model.nv());
      std::iota(now_.grid.idle.begin(), now_.grid.idle.end(), 0);
    }
    solve(quality, rough ? kFirstTolerance : 0);
    if (rough) clear_zones();
    if (now_.motion.success() && !interrupted_) refine();
    verify(task_, now_);
    if (interrupted_) stop();
    return finished();
  }

  /// The guess, measured, for a task that needs no solve to be known as infeasible.
  Solution refused() {
    Program program = make_program(task_, now_.grid, now_.motion.trajectory);
    nlp::Summary summary;
    summary.status = nlp::Status::infeasible;
    summary.point.x = program.problem.initial();
    summary.point.lower.resize(program.problem.variables());
    summary.point.upper.resize(program.problem.variables());
    summary.point.constraints.resize(program.problem.constraints());
    summary.kkt_residual = nlp::kkt_residual(program.problem, summary.point);
    now_ = result_of(task_, program, now_.grid, std::move(summary));
    verify(task_, now_);
    return finished();
  }

  /// What first() of another one found, verified and nothing else.
  Solution stopped_with(const Solution& found) {
    now_.stages = make_program(task_, now_.grid, found.trajectory).stages;
    now_.motion = found;
    put_frames(now_.stages, found.trajectory.duration());
    put_peaks(now_.stages, found.costs);
    put_contact_forces(now_.stages, found.contact_forces);
    now_.measured = measure(task_, found.trajectory, now_.stages);
    verify(task_, now_);
    stop();
    return std::move(now_.motion);
  }

 private:
  /// `loose`: to such a tolerance, where that is all there is to it.
  void solve(Guess quality, double loose = 0) {
    if (task_.curve.free_knots && quality != Guess::near) {  // on even spans first: free ones have many worse optima
      task_.curve.free_knots = false;
      now_.grid = grid_on(now_.motion.trajectory, phase_of_spans(task_), task_.curve.nodes);
      solve(quality);
      task_.curve.free_knots = true;
      if (!now_.motion.success() || interrupted_) return;
      now_.grid = grid_on(now_.motion.trajectory, phase_of_spans(task_), task_.curve.nodes);
      quality = Guess::near;
    }
    const Trajectory guess = now_.motion.trajectory;
    auto steps = smoothing_steps(task_, guess);
    if (quality == Guess::near) steps.erase(steps.begin(), steps.end() - 1);  // who is near need not be led there
    task_.costs = steps.front();
    nlp::Point warm = near(now_.grid, guess);
    if (state_) warm.constraints = state_->constraints, warm.lower = state_->lower, warm.upper = state_->upper;
    const bool in_stages = task_.solver.feasible_first && quality != Guess::near;
    if (in_stages) {
      for (CostTask& cost : task_.costs) cost.weight *= kNearlyFree;
      if (!solve_round(now_.grid, guess, "feasibility", nullptr)) return;
      task_.costs = steps.front();
      warm = near(now_.grid, now_.motion.trajectory);
    }
    const bool solved =
        solve_round(now_.grid, now_.motion.trajectory, in_stages ? "cost" : "first solve",
                    in_stages || quality == Guess::near ? &warm : nullptr, steps.size() > 1 ? 0 : loose);
    if (in_stages && !solved) {
      now_.motion.status = interrupted_ ? nlp::Status::interrupted : nlp::Status::failed;
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

  /// Where the costs that are smoother than those of now lead, one after the other, from a motion that is near: kinks
  /// show no way to who is not there yet. What that takes is added to the course.
  nlp::Point led(const Grid& grid, const Trajectory& guess, nlp::Point point, nlp::Options options) {
    const std::vector<CostTask> costs = task_.costs;
    for (const std::vector<CostTask>& smoother : smoother_) {
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

  void add_to_course(const nlp::Summary& summary) {
    course_.solve_seconds += summary.seconds;
    course_.function_seconds += summary.function_seconds;
    course_.iterations += summary.iterations;
    course_.history.insert(course_.history.end(), summary.history.begin(), summary.history.end());
  }

  /// The motion, with what all rounds took.
  Solution finished() {
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

  Grid grid_on(const Trajectory& curve, const std::vector<int>& phase_of_span, int nodes) const {
    return {variables_of(task_, curve, phase_of_span), even_nodes(curve, phase_of_span, nodes), {}};
  }

  void refine() {
    best_ = now_;
    const std::size_t first = now_.round;
    refine_curve();
    add_nodes_where_needed();
    if (best_->better_than(now_)) {  // what was built upon others led nowhere
      now_ = *best_;
      on_first_curve_ = now_.round == first;
      if (now_.loose && !interrupted_) {
        now_.grid.idle = idle_now();
        solve_to_the_end();
      }
      add_nodes_where_needed();
    }
    if (best_->better_than(now_)) now_ = *best_;
    if (now_.loose) now_.motion.status = nlp::Status::acceptable;  // since its last solve failed
    if (!trouble_.empty()) now_.motion.message = trouble_;
    now_.motion.refinement_gap = gap();
  }

  /// A first curve may cut through a zone between its nodes. What goes around may be another motion altogether: that
  /// comes before finer curves, which have their knots where this one switches.
  void clear_zones() {
    for (int k = 0; k < kMostClearings && now_.motion.success() && !interrupted_; ++k) {
      Result zones = now_;
      double through = 0;
      for (LimitReport& limit : zones.measured.limits) {
        const bool zone = limit.name.kind == "keep_out";
        if (zone) through = std::max(through, limit.excess);
        if (!zone) limit.peaks.clear();
      }
      if (through <= kThrough) return;
      const std::optional<Grid> finer = exchanged(zones, 0);
      if (!finer || !solve_further(*finer, "nodes added", kFirstTolerance)) {
        if (!interrupted_) trouble_.clear();  // what there is will do
        return;
      }
    }
  }

  void add_nodes_where_needed() {
    std::vector<LimitReport> before;
    for (int k = 0; k < task_.refine.rounds && !interrupted_ && now_.worst_excess() > task_.refine.tolerance; ++k) {
      const std::optional<Grid> finer = exchanged(now_, allowance(), before);
      before = now_.measured.limits;
      if (!finer || !solve_further(*finer, "nodes added")) break;
    }
  }

  /// Surely, and where no exact solution is near: phases may have their borders where limits change.
  bool finer_one_follows() const {
    return refines_curve() && !task_.refine.knots && !task_.refine.gap && has_cost(task_, CostKind::time) &&
           task_.phases.empty();
  }
  bool refines_curve() const { return !task_.curve.free_knots && (task_.refine.knots != 0 || task_.refine.switches); }

  /// Finer and finer curves, solved loosely: none is the last one before its cost is known. Then, to the end.
  void refine_curve() {
    if (!refines_curve()) return;
    first_spans_ = spans_of_groups(now_.grid.curve);
    levels_ = {level(1)};
    double finer = 1;  // than the first solve
    int steps = 0;     // that had more spans than the one before
    if (may_jump()) {
      const bool as_asked = task_.refine.knots || task_.refine.gap;
      if (!as_asked && solve_level(kFirstFiner, kFirstFiner, kKnots)) {
        finer = kFirstFiner, ++steps;
      } else if (!interrupted_) {
        solve_level(1, 1, kKnots);
      }
    }
    for (; !interrupted_; ++steps) {
      const double by = finer_by(task_.refine, levels_, steps, gap_to_close(), misfit());
      if (by == 1) break;
      const double reached = solve_finer(finer, by);
      if (reached == finer) break;
      finer = reached;
    }
    // Who asks for a number of halvings gets the last one once more, since it shows best where the switches are.
    const char* const again = finer == 1 ? kKnots : "spans halved";
    if (task_.refine.knots && now_.loose && may_jump() && !interrupted_ && solve_level(finer, 1, again)) {
      levels_.erase(levels_.end() - 2);
    }
    if (!now_.loose || interrupted_) return;
    if (solve_to_the_end()) levels_.back().cost = now_.motion.cost;
  }

  bool solve_to_the_end() { return solve_further(prepared(now_, allowance()), "to the end"); }

  /// The next level, `by` times as fine. Where that leads nowhere, because its knots are in the wrong places, those of
  /// still finer curves may be in better ones; that is worth the time where a gap was asked for. Returns how fine the
  /// curve is then.
  double solve_finer(double finer, double by) {
    for (const double more : kOtherwiseFiner) {
      if (solve_level(finer * by * more, by * more, by * more == 2 ? "spans halved" : "more spans")) {
        return finer * by * more;
      }
      if (!task_.refine.gap || interrupted_) break;
    }
    return finer;
  }

  /// Equations along the way take one freedom of the curve each, which a jump would take twice.
  bool may_jump() const { return task_.refine.switches && now_.measured.equations.empty(); }
  double misfit() const { return now_.measured.equations.empty() ? 0 : now_.measured.misfit_of_equations(); }

  /// So many times the spans of the first solve, with knots that let accelerations jump where limits change; `by`: how
  /// much finer than the last level that is. Returns whether that was something new and succeeded.
  bool solve_level(double finer, double by, const char* what) {
    std::vector<int> spans = first_spans_;
    const int degree = degree_of_levels();
    const double share = degree > task_.curve.degree ? kSpansOfQuartic : 1;
    for (int& count : spans) count = static_cast<int>(std::lround(count * finer * share));
    const Trajectory& coarse = now_.motion.trajectory;
    std::vector<Switch> switches;
    if (may_jump()) {
      switches = find_switches(now_.stages, coarse, now_.measured.limits, now_.motion.cost, least_worth());
    }
    if (switches.empty() && spans == spans_of_groups(now_.grid.curve)) return false;
    auto [curve, motion] = regridded(now_.grid.curve, coarse, switches, spans, degree);
    std::vector<Place> nodes = nodes_between_knots(curve, nodes_per_span());
    Grid grid{std::move(curve), std::move(nodes), {}, now_.grid.forces, idle_now()};
    const nlp::Point warm = near(grid, motion);
    const Result before = now_;
    if (!solve_round(std::move(grid), motion, what, &warm, loose_tolerance(finer))) return false;
    const double rise = now_.motion.cost - before.motion.cost, excess = std::max(0.0, before.worst_excess());
    if (may_jump() && rise > (kWorse + excess) * std::abs(before.motion.cost)) {  // the knots are in the wrong places
      now_ = before;
      return false;
    }
    if (!switches.empty()) by = std::exchange(jumps_, true) ? std::max(by, kPlacedAgainCounts) : kJumpsCount * by;
    levels_.push_back(level(levels_.back().fineness * by));
    return true;
  }

  /// Between switches of efforts, accelerations bend: one degree more follows them better than more spans do. Not where
  /// other limits count, which a cubic meets as well, and where joints wait, which would use it to go astray.
  int degree_of_levels() const {
    const int now = now_.grid.curve.basis.degree();
    if (now != kCubic || !finer_one_follows() || !may_jump() || !idle_now().empty()) return now;
    double efforts = 0, others = 0;
    for (const LimitReport& limit : now_.measured.limits) {
      (limit.name.kind == "effort" ? efforts : others) += worth(limit, now_.motion.cost);
    }
    return efforts > kEffortsDecide && others < kOthersDoNot * efforts ? kCubic + 1 : now;
  }

  double least_worth() const { return has_cost(task_, CostKind::time) ? kLeastWorthOfTime : kLeastWorth; }
  std::vector<int> idle_now() const {
    if (!has_cost(task_, CostKind::time)) return {};
    return idle_freedoms(task_, now_.measured.limits, now_.motion.cost, least_worth());
  }

  /// Enough to tell what a level costs.
  double loose_tolerance(double finer) const {
    const double tolerance = kLooseTolerance * std::pow(kTighter, std::log2(finer));
    return task_.refine.knots ? tolerance : std::max(tolerance, kOfGap * gap_to_reach(task_.refine));
  }

  /// As on the task's curve, within reason: exchange adds what is missing.
  int nodes_per_span() const {
    const int spans = task_.curve.control_points - task_.curve.degree;
    return std::min((task_.curve.nodes + spans - 1) / spans, kMostNodesPerSpan);
  }

  Level level(double fineness) const {
    const RefinementRound& round = course_.rounds.back();
    const double size = round.nodes + 2.0 * round.control_points;  // functions, and linear algebra
    return {now_.motion.cost, (round.iterations + 1) * size, fineness, size};
  }

  /// What finer curves may change: what levels tell, or limits that are not used between nodes, whatever is more; with
  /// what finer curves that were not kept did change.
  std::optional<double> gap() const {
    std::vector<Level> levels = levels_;
    if (!levels.empty() && !on_first_curve_) levels.back().cost = now_.motion.cost;  // solved to the end
    std::optional<double> gap = estimated_gap(levels);
    if (!gap) return gap;
    if (on_first_curve_) return *gap + std::abs(levels.back().cost - now_.motion.cost) / std::abs(levels.back().cost);
    return limits_decide() ? std::max(*gap, gap_of_unused()) : *gap;
  }
  /// Minimum times that have knots where limits change.
  bool limits_decide() const { return jumps_ && has_cost(task_, CostKind::time); }
  double gap_of_unused() const { return kGapOfUnused * now_.unused / std::abs(now_.motion.cost); }

  /// What decides on another level. With knots at switches minimum times fall faster than levels are thought to: what
  /// is left of limits tells more, unless the task asks for a gap, which must not be missed.
  double gap_to_close() const { return limits_decide() && !task_.refine.gap ? gap_of_unused() : gap().value_or(0); }

  /// What margins of limits may cost: little beside what the curve, or a loose solve, costs anyway.
  double allowance() const {
    const double tolerance = std::max(task_.solver.tolerance, task_.refine.tolerance);
    const double share = has_cost(task_, CostKind::time) ? kAllowanceOfTime : kAllowance;
    return on_first_curve_ ? 0 : share * gap().value_or(tolerance);
  }

  /// Solves on a grid, to the task's tolerance or a looser one. The first result is kept whatever it is, later ones
  /// when they are a success. Returns whether it is one.
  bool solve_round(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm, double loose = 0) {
    program_ = make_program(task_, grid, guess);
    return solve_program(std::move(grid), guess, what, warm, loose);
  }

  bool solve_program(Grid grid, const Trajectory& guess, const char* what, const nlp::Point* warm, double loose = 0) {
    Program& program = *program_;
    const bool multipliers = warm && warm->constraints.size() == program.problem.constraints();
    nlp::Options options = solver_options(warm, multipliers);
    const bool is_loose = loose > kLoose * task_.solver.tolerance;
    if (is_loose) options.tolerance = loose;
    std::optional<nlp::Point> start;
    if (warm) start = with_rest(*warm, program.problem);
    const int before = course_.iterations;
    if (warm && !multipliers && !smoother_.empty()) {
      start = led(grid, guess, std::move(*start), options);
      if (start->constraints.size() > 0) options.barrier_start = kLooseBarrier;
    }
    nlp::Summary summary = nlp::solve(program.problem, options, start ? &*start : nullptr);
    add_to_course(summary);
    const bool first = course_.rounds.empty();
    const int iterations = course_.iterations - before;
    interrupted_ = summary.status == nlp::Status::interrupted;
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

  nlp::Options solver_options(bool warm, bool multipliers) const {
    nlp::Options options;
    options.method = task_.solver.method;
    options.tolerance = task_.solver.tolerance;
    // Kinks of energy, however smooth, bend more than bounds do: how far a step without a barrier would go says little.
    options.adaptive_barrier = task_.solver.adaptive_barrier.value_or(!has_cost(task_, CostKind::energy));
    options.max_iterations = task_.solver.max_iterations;
    options.max_seconds = std::max(1e-3, task_.solver.max_seconds - course_.solve_seconds);
    options.exact_hessian = task_.solver.exact_hessian;
    if (warm && !multipliers) options.barrier_start = levels_.empty() ? kNearBarrier : kLevelBarrier;
    if (multipliers) {
      const bool of_another = state_ && course_.rounds.empty();
      const bool less_smoothing = !smoother_.empty() && !best_;
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

  /// Solves, to the end or loosely, on the grid at hand with more nodes or tighter limits. Where multipliers mislead,
  /// which are those of other limits, without them. Returns whether that succeeded.
  bool solve_further(const Grid& grid, const char* what, double loose = 0) {
    const nlp::Point warm = with_more_nodes(now_, grid);
    const std::string trouble = trouble_;
    const bool same_program = program_ && program_of_ == now_.round && tighten_bounds(*program_, now_.grid, grid);
    if (same_program) program_->stages = now_.stages;
    if (same_program ? solve_program(grid, now_.motion.trajectory, what, &warm, loose)
                     : solve_round(grid, now_.motion.trajectory, what, &warm, loose)) {
      return true;
    }
    if (interrupted_) return false;
    const nlp::Point plain = near(grid, now_.motion.trajectory);
    if (!solve_round(grid, now_.motion.trajectory, what, &plain, loose)) return false;
    trouble_ = trouble;
    return true;
  }

  /// Starts a solve near a motion, with no multipliers: those of other knots or limits do not fit.
  static nlp::Point near(const Grid& grid, const Trajectory& guess) {
    return {grid.curve.variables(guess), {}, {}, {}};
  }

  /// What a motion does not say, peaks and what contacts bear: they start as those of the program's guess.
  static nlp::Point with_rest(nlp::Point point, const nlp::Problem& problem) {
    Values x = problem.initial();
    x.eigen().head(point.x.size()) = point.x.eigen();
    point.x = std::move(x);
    return point;
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

  Task task_;                                    // its energy costs as smooth as they are for now
  std::vector<std::vector<CostTask>> smoother_;  // costs that led to those
  std::optional<SolverState> state_;             // to go on from
  const PredictOptions& options_;
  Result now_;                      // what the next round builds on
  std::optional<Program> program_;  // of the latest round, but for its stages, which are its result's
  std::size_t program_of_ = 0;      // that round
  std::optional<Result> best_;      // since refinement began, of those solved to the end
  std::vector<int> first_spans_;    // of each timing variable
  std::vector<Level> levels_;       // the first solve, and what was solved on finer curves
  Course course_;
  bool jumps_ = false;           // knots are at switches
  bool on_first_curve_ = false;  // again, after finer ones led nowhere
  std::string trouble_;          // that a round had
  bool interrupted_ = false;
};

/// Begins with all that is known of a motion, as far as it fits the task.
Sequence sequence_from(const Task& task, const PredictOptions& options, const KnownMotion& motion) {
  const Trajectory guess = refitted(task, motion);
  Sequence sequence(task, options, guess);
  sequence.begin_with(motion.contact_forces);
  const bool same_variables = has_contact_variables(task) == !motion.contact_forces.empty();
  if (motion.state && same_variables && same_basis(guess, motion.trajectory)) sequence.go_on_from(*motion.state);
  return sequence;
}

}  // namespace

Solution predict_from(const Task& task, const PredictOptions& options, const Trajectory& guess, Guess quality) {
  return Sequence(task, options, guess).run(quality);
}

Solution predict_from(const Task& task, const PredictOptions& options, const KnownMotion& motion) {
  return sequence_from(task, options, motion).run(Guess::near);
}

Solution solve_from(const Task& task, const PredictOptions& options, const Trajectory& guess, Guess quality) {
  return Sequence(task, options, guess).first(quality);
}

Solution solve_from(const Task& task, const PredictOptions& options, const KnownMotion& motion) {
  return sequence_from(task, options, motion).first(Guess::near);
}

Solution interrupted_with(const Task& task, const Solution& found) {
  return Sequence(task, {}, found.trajectory).stopped_with(found);
}

Solution predict(const Task& task, const PredictOptions& options) {
  std::optional<Conflict> conflict = broken_by_given_state(task);
  if (!conflict) conflict = out_of_reach(task);
  if (conflict) {
    Solution solution = Sequence(task, options, first_guess(task)).refused();
    solution.conflict = conflict;
    solution.message = to_string(*conflict);
    return solution;
  }
  Solution solution = options.warm_start ? predict_from(task, options, known_motion(*options.warm_start))
                                         : predict_from_starts(task, options);
  // The search takes dozens of solves: not for large tasks that may just need more iterations.
  const bool stuck = solution.status == nlp::Status::iteration_limit && !solution.violations.empty() &&
                     task.model.nv() <= kMostForConflicts;
  if (solution.status != nlp::Status::infeasible && !stuck) return solution;
  solution.conflict = find_conflict(task, solution.trajectory, options);
  if (!solution.conflict) return solution;
  solution.status = nlp::Status::infeasible;
  solution.message = to_string(*solution.conflict);
  return solution;
}

}  // namespace verne
