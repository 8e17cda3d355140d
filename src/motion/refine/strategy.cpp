#include "motion/refine/strategy.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "motion/program/smoothing.h"
#include "motion/refine/ended_early.h"
#include "motion/refine/finer_curves.h"
#include "motion/refine/slopes.h"
#include "motion/refine/violations.h"

namespace verne {

namespace {

constexpr double kFirstTolerance = 1e-4;  // of a first solve that others will follow
constexpr double kNearlyFree = 1e-6;      // of the cost: solved as soon as constraints hold
constexpr int kSmoothingIterations = 40;  // in which one is solved, or it is not worth it
constexpr int kMostSmoothings = 8;        // on the last curve, each less than the one before
constexpr double kThrough = 0.05;         // of the distance to a zone that is kept
constexpr int kMostClearings = 2;         // of zones that a first curve cuts through

}  // namespace

Strategy::Strategy(State known, const PredictOptions& options, std::optional<double> power)
    : known_(std::move(known)), rounds_(known_, record_, options), power_(power) {}

Solution Strategy::first(Guess quality) {
  solve_first(quality);
  return finished();
}

Solution Strategy::run(Guess quality) {
  const bool rough = quality != Guess::near && finer_one_follows(known_.task);
  if (rough) {  // the smoother a motion, the clearer its switches
    std::vector<int>& idle = known_.now.grid.idle;
    idle.resize(known_.task.model.nv());
    std::iota(idle.begin(), idle.end(), 0);
  }
  solve_first(quality, rough ? kFirstTolerance : 0);
  if (rough) clear_zones();
  if (known_.now.motion.success() && !known_.stopped) refine();
  if (known_.now.motion.success() && !known_.stopped)
    put_slopes(known_.as_designed(), known_.task, known_.now, rounds_.patience());
  verify(known_.task, known_.now, rounds_.patience());
  if (known_.interrupted) call_interrupted(known_.now.motion, known_.trouble);
  return finished();
}

bool Strategy::solve_on_even_spans(Guess quality) {
  known_.task.curve.free_knots = false;
  known_.start_again_on(known_.now.motion.trajectory);
  solve_first(quality);
  known_.task.curve.free_knots = true;
  if (!known_.now.motion.success() || known_.stopped) return false;
  known_.start_again_on(known_.now.motion.trajectory);
  return true;
}

void Strategy::solve_first(Guess quality, double loose) {
  Task& task = known_.task;
  if (task.curve.free_knots && quality != Guess::near) {
    if (!solve_on_even_spans(quality)) return;
    quality = Guess::near;
  }
  const Result& now = known_.now;
  const Trajectory guess = now.motion.trajectory;
  const double power = power_scale(task, guess);
  auto steps = smoothing_steps(task, power_.value_or(power), power);
  if (quality == Guess::near) steps.erase(steps.begin(), steps.end() - 1);  // what is near needs no smoother cost first
  task.costs = steps.front();
  nlp::Point warm = near(now.grid, guess);
  if (const auto& given = known_.given) {
    warm.constraints = given->constraints, warm.lower = given->lower, warm.upper = given->upper;
  }
  const bool in_stages = task.solver.feasible_first && quality != Guess::near && task.design.empty();
  if (in_stages) {
    for (CostSpec& cost : task.costs) cost.weight *= kNearlyFree;
    if (!rounds_.solve(now.grid, guess, "feasibility", nullptr)) return;
    task.costs = steps.front();
    warm = near(now.grid, now.motion.trajectory);
  }
  const bool solved =
      rounds_.solve(now.grid, now.motion.trajectory, in_stages ? "cost" : "first solve",
                    in_stages || quality == Guess::near ? &warm : nullptr, steps.size() > 1 ? 0 : loose);
  if (in_stages && !solved) call_feasible_only(known_);
  for (std::size_t k = 1; k < steps.size() && now.motion.success(); ++k) {
    if (!solve_less_smooth(steps[k])) break;
  }
}

bool Strategy::solve_less_smooth(std::vector<CostSpec> costs) {
  const Result& now = known_.now;
  known_.smoother_costs.push_back(std::exchange(known_.task.costs, std::move(costs)));
  if (rounds_.solve(now.grid, now.motion.trajectory, "less smoothing", &now.point)) return true;
  known_.task.costs = std::move(known_.smoother_costs.back());
  known_.smoother_costs.pop_back();
  return false;
}

void Strategy::clear_zones() {
  const auto is_zone = [](const LimitReport& limit) { return limit.name.known_as->of_zone; };
  const auto cut_through = [&](const LimitReport& limit) { return is_zone(limit) && limit.excess > kThrough; };
  for (int k = 0; k < kMostClearings && known_.now.motion.success() && !known_.stopped; ++k) {
    const std::vector<LimitReport>& limits = known_.now.measured.limits;
    if (std::none_of(limits.begin(), limits.end(), cut_through)) return;
    Result zones = known_.now;
    for (LimitReport& limit : zones.measured.limits) {
      if (!is_zone(limit)) limit.peaks.clear();
    }
    const std::optional<Grid> finer = with_violations_refined(zones, 0);
    if (finer && rounds_.solve_further(*finer, "nodes added", kFirstTolerance)) continue;
    if (!known_.stopped) known_.trouble.clear();  // what there is will do
    return;
  }
}

void Strategy::refine() {
  Result& now = known_.now;
  known_.best = now;
  const std::size_t first = now.round;
  solve_on_finer_curves(known_, record_, rounds_);
  smooth_less();
  add_nodes_where_needed();
  const Result& best = *known_.best;
  if (best.better_than(now)) {  // what was built upon others led nowhere
    known_.go_back_to(best);
    known_.on_first_curve = now.round == first;
    if (now.loose && !known_.stopped) {
      now.grid.idle = known_.idle_freedoms_now();
      rounds_.solve_to_the_end();
    }
    add_nodes_where_needed();
  }
  if (best.better_than(now)) known_.go_back_to(best);
  if (now.loose) now.motion.status = nlp::Status::acceptable;  // since its last solve failed
  if (!known_.trouble.empty()) now.motion.message = known_.trouble;
  now.motion.refinement_gap = known_.gap();
  if (now.motion.refinement_gap) *now.motion.refinement_gap += known_.gap_of_smoothing();
}

void Strategy::smooth_less() {
  Task& task = known_.task;
  if (!chooses_smoothing(known_.asked) || !(refines_curve(task) || task.refine.gap) || known_.now.loose) return;
  const double enough = gap_to_reach(task.refine);
  for (int k = 0; k < kMostSmoothings && !known_.stopped && known_.gap_of_smoothing() > enough; ++k) {
    known_.smooths_less = true;
    const int most =
        std::exchange(task.solver.max_iterations, std::min(task.solver.max_iterations, kSmoothingIterations));
    const std::string trouble = known_.trouble;
    const bool solved = solve_less_smooth(with_less_smoothing(task.costs, known_.asked));
    task.solver.max_iterations = most;
    if (solved) continue;
    if (!known_.stopped) known_.trouble = trouble;  // the gap says how far that got
    return;
  }
}

void Strategy::add_nodes_where_needed() {
  const RefineSpec& refine = known_.task.refine;
  std::vector<LimitReport> before;
  for (int k = 0; k < refine.rounds && !known_.stopped && known_.now.worst_excess() > refine.tolerance; ++k) {
    const std::optional<Grid> finer = with_violations_refined(known_.now, known_.allowance(), before);
    before = known_.now.measured.limits;
    if (!finer || !rounds_.solve_further(*finer, "nodes added")) break;
  }
}

Solution Strategy::finished() {
  Solution& motion = known_.now.motion;
  for (const DesignSpec& design : known_.task.design) {
    motion.design.push_back({design.parameter, known_.now.design.at(design.parameter), design.bounds});
  }
  if (motion.success()) {
    const nlp::Point& point = known_.now.point;
    motion.state = {known_.now.grid.nodes, known_.now.grid.tightening, point.constraints, point.lower, point.upper};
  }
  record_.move_into(motion);
  return std::move(motion);
}

}  // namespace verne
