// Finer curves, with knots where limits change, and more nodes: docs/theory/motion.md, section 8.
#include <algorithm>
#include <cmath>
#include <utility>

#include "motion/program/smoothing.h"
#include "motion/refine/regrid.h"
#include "motion/refine/sequence.h"
#include "motion/refine/switches.h"
#include "motion/refine/violations.h"
#include "motion/verify/limit_uses.h"

namespace verne {

namespace {

constexpr int kMostNodesPerSpan = 3;
constexpr int kSmoothingIterations = 40;                     // in which one is solved, or it is not worth it
constexpr int kMostSmoothings = 8;                           // on the last curve, each less than the one before
constexpr double kLooseTolerance = 3e-4, kTighter = 0.1;     // of levels; times that when spans are halved
constexpr double kRoughTolerance = 1e-3;                     // where the first solve was a rough one, too
constexpr double kThrough = 0.05;                            // of the distance to a zone that is kept
constexpr int kMostClearings = 2;                            // of zones that a first curve cuts through
constexpr double kOfGap = 1e-3;                              // no tighter than that, of the gap that is aimed at
constexpr double kFirstFiner = 1.75;                         // spans, where knots at switches come in
constexpr double kJumpsCount = 2;                            // knots at switches, as if they made spans so much finer
constexpr double kPlacedAgainCounts = 1.4;                   // the same of knots that are placed once more
constexpr double kLeastWork = 8e3;                           // of a first solve: less takes no time anyway
constexpr int kCubic = 3;                                    // degree of curves that levels may make quartic,
constexpr double kSpansOfQuartic = 0.85;                     // with so many of the spans,
constexpr double kEffortsDecide = 0.3, kOthersDoNot = 0.1;   // if efforts are worth so much, and others, of that
constexpr double kAllowance = 0.02, kAllowanceOfTime = 0.1;  // of the gap, or of the tolerance: what margins may cost
constexpr double kLeastWorth = 5e-3, kLeastWorthOfTime = 1e-2;  // of limits whose switches pay for their unknowns
constexpr double kGapOfUnused = 6;                              // times what limits leave unused, as random tasks show
constexpr double kWorse = 1e-3;                                 // of the cost: more is no improvement
constexpr char kKnots[] = "knots at switches";
constexpr double kOtherwiseFiner[] = {1, 1.5, 2.5};  // times as fine as a level should be, one after the other

/// How many spans each timing variable has.
std::vector<int> spans_of_groups(const CurveVariables& curve) {
  std::vector<int> spans(curve.groups);
  for (const int group : curve.group) ++spans[group];
  return spans;
}

}  // namespace

void Sequence::refine() {
  best_ = now_;
  const std::size_t first = now_.round;
  refine_curve();
  smooth_less();
  add_nodes_where_needed();
  if (best_->better_than(now_)) {  // what was built upon others led nowhere
    now_ = *best_;
    on_first_curve_ = now_.round == first;
    if (now_.loose && !stopped_) {
      now_.grid.idle = idle_now();
      solve_to_the_end();
    }
    add_nodes_where_needed();
  }
  if (best_->better_than(now_)) now_ = *best_;
  if (now_.loose) now_.motion.status = nlp::Status::acceptable;  // since its last solve failed
  if (!trouble_.empty()) now_.motion.message = trouble_;
  now_.motion.refinement_gap = gap();
  if (now_.motion.refinement_gap) *now_.motion.refinement_gap += gap_of_smoothing();
}

void Sequence::clear_zones() {
  const auto is_zone = [](const LimitReport& limit) { return limit.name.kind == "keep_out"; };
  const auto cut_through = [&](const LimitReport& limit) { return is_zone(limit) && limit.excess > kThrough; };
  for (int k = 0; k < kMostClearings && now_.motion.success() && !stopped_; ++k) {
    const std::vector<LimitReport>& limits = now_.measured.limits;
    if (std::none_of(limits.begin(), limits.end(), cut_through)) return;
    Result zones = now_;
    for (LimitReport& limit : zones.measured.limits) {
      if (!is_zone(limit)) limit.peaks.clear();
    }
    const std::optional<Grid> finer = with_violations_refined(zones, 0);
    if (finer && solve_further(*finer, "nodes added", kFirstTolerance)) continue;
    if (!stopped_) trouble_.clear();  // what there is will do
    return;
  }
}

void Sequence::smooth_less() {
  if (!chooses_smoothing(asked_) || !(refines_curve() || task_.refine.gap) || now_.loose) return;
  for (int k = 0; k < kMostSmoothings && !stopped_ && gap_of_smoothing() > gap_to_reach(task_.refine); ++k) {
    smooths_less_ = true;
    smoother_.push_back(std::exchange(task_.costs, with_less_smoothing(task_.costs, asked_)));
    const int most =
        std::exchange(task_.solver.max_iterations, std::min(task_.solver.max_iterations, kSmoothingIterations));
    const std::string trouble = trouble_;
    const bool solved = solve_round(now_.grid, now_.motion.trajectory, "less smoothing", &now_.point);
    task_.solver.max_iterations = most;
    if (solved) continue;
    if (!stopped_) trouble_ = trouble;  // the gap says how far that got
    task_.costs = std::move(smoother_.back());
    smoother_.pop_back();
    return;
  }
}

double Sequence::gap_of_smoothing() const {
  const double cost = std::abs(now_.motion.cost);
  return cost > 0 ? std::max(0.0, now_.motion.cost - now_.minimized) / cost : 0;
}

void Sequence::add_nodes_where_needed() {
  std::vector<LimitReport> before;
  for (int k = 0; k < task_.refine.rounds && !stopped_ && now_.worst_excess() > task_.refine.tolerance; ++k) {
    const std::optional<Grid> finer = with_violations_refined(now_, allowance(), before);
    before = now_.measured.limits;
    if (!finer || !solve_further(*finer, "nodes added")) break;
  }
}

bool Sequence::finer_one_follows() const {
  return refines_curve() && !task_.refine.knots && !task_.refine.gap && has_cost(task_, CostKind::time) &&
         task_.phases.empty();
}

void Sequence::refine_curve() {
  if (!refines_curve()) return;
  first_spans_ = spans_of_groups(now_.grid.curve);
  levels_ = {level(1)};
  levels_.front().work = std::max(levels_.front().work, kLeastWork);
  double finer = 1;  // than the first solve
  int steps = 0;     // that had more spans than the one before
  if (may_jump()) {
    const bool as_asked = task_.refine.knots || task_.refine.gap;
    if (!as_asked && solve_level(kFirstFiner, kFirstFiner, kKnots)) {
      finer = kFirstFiner, ++steps;
    } else if (!stopped_) {
      solve_level(1, 1, kKnots);
    }
  }
  for (; !stopped_; ++steps) {
    const double by = finer_by(task_.refine, levels_, steps, gap_to_close(), misfit());
    if (by == 1) break;
    const double reached = solve_finer(finer, by);
    if (reached == finer) break;
    finer = reached;
  }
  // Who asks for a number of halvings gets the last one once more, since it shows best where the switches are.
  const char* const again = finer == 1 ? kKnots : "spans halved";
  if (task_.refine.knots && now_.loose && may_jump() && !stopped_ && solve_level(finer, 1, again)) {
    levels_.erase(levels_.end() - 2);
  }
  if (!now_.loose || stopped_) return;
  if (solve_to_the_end()) levels_.back().cost = now_.minimized;
}

bool Sequence::solve_to_the_end() {
  return solve_further(prepared(now_, allowance()), "to the end");
}

double Sequence::solve_finer(double finer, double by) {
  for (const double more : kOtherwiseFiner) {
    if (solve_level(finer * by * more, by * more, by * more == 2 ? "spans halved" : "more spans")) {
      return finer * by * more;
    }
    if (!task_.refine.gap || stopped_) break;
  }
  return finer;
}

bool Sequence::solve_level(double finer, double by, const char* what) {
  std::vector<int> spans = first_spans_;
  const int degree = degree_of_levels();
  const double share = degree > task_.curve.degree ? kSpansOfQuartic : 1;
  for (int& count : spans) count = static_cast<int>(std::lround(count * finer * share));
  const Trajectory& coarse = now_.motion.trajectory;
  std::vector<Switch> switches;
  if (may_jump()) {
    std::vector<int> idle = idle_now();
    std::erase_if(idle, [&](int dof) { return !task_.held.empty() && task_.held[dof]; });
    switches = find_switches(now_.stages, coarse, now_.measured.limits, now_.motion.cost, least_worth(), idle);
  }
  if (switches.empty() && spans == spans_of_groups(now_.grid.curve)) return false;
  const bool time = has_cost(task_, CostKind::time);
  auto [curve, motion] = regridded(now_.grid.curve, coarse, switches, spans, degree, time);
  std::vector<Place> nodes = nodes_between_knots(curve, nodes_per_span());
  Grid grid{std::move(curve), std::move(nodes), {}, now_.grid.forces, idle_now()};
  const nlp::Point warm = near(grid, motion);
  const Result before = now_;
  if (!solve_round(std::move(grid), motion, what, &warm, loose_tolerance(finer))) return false;
  const double rise = now_.minimized - before.minimized, excess = std::max(0.0, before.worst_excess());
  if (may_jump() && rise > (kWorse + excess) * std::abs(before.motion.cost)) {  // the knots are in the wrong places
    now_ = before;
    return false;
  }
  if (!switches.empty()) by = std::exchange(jumps_, true) ? std::max(by, kPlacedAgainCounts) : kJumpsCount * by;
  levels_.push_back(level(levels_.back().fineness * by));
  return true;
}

int Sequence::degree_of_levels() const {
  const int now = now_.grid.curve.basis.degree();
  if (now != kCubic || !finer_one_follows() || !may_jump() || !idle_now().empty()) return now;
  double efforts = 0, others = 0;
  for (const LimitReport& limit : now_.measured.limits) {
    (limit.name.kind == "effort" ? efforts : others) += worth(limit, now_.motion.cost);
  }
  return efforts > kEffortsDecide && others < kOthersDoNot * efforts ? kCubic + 1 : now;
}

double Sequence::least_worth() const {
  return has_cost(task_, CostKind::time) ? kLeastWorthOfTime : kLeastWorth;
}

std::vector<int> Sequence::idle_now() const {
  if (!has_cost(task_, CostKind::time)) return {};
  return idle_freedoms(task_, now_.measured.limits, now_.motion.cost, least_worth());
}

double Sequence::loose_tolerance(double finer) const {
  const double tolerance =
      (finer_one_follows() ? kRoughTolerance : kLooseTolerance) * std::pow(kTighter, std::log2(finer));
  return task_.refine.knots ? tolerance : std::max(tolerance, kOfGap * gap_to_reach(task_.refine));
}

int Sequence::nodes_per_span() const {
  const int spans = task_.curve.control_points - task_.curve.degree;
  return std::min((task_.curve.nodes + spans - 1) / spans, kMostNodesPerSpan);
}

Level Sequence::level(double fineness) const {
  const RefinementRound& round = course_.rounds.back();
  const double size = (round.nodes + 2.0 * round.control_points) * task_.model.nv();  // functions, and linear algebra
  return {now_.minimized, (round.iterations + 1) * size, fineness, size};
}

std::optional<double> Sequence::gap() const {
  std::vector<Level> levels = levels_;
  if (!levels.empty() && !on_first_curve_ && !smooths_less_) levels.back().cost = now_.minimized;  // solved to the end
  std::optional<double> gap = estimated_gap(levels);
  if (!gap) return gap;
  if (on_first_curve_) return *gap + std::abs(levels.back().cost - now_.minimized) / std::abs(levels.back().cost);
  return limits_decide() ? std::max(*gap, gap_of_limit_slack()) : *gap;
}

double Sequence::gap_of_limit_slack() const {
  return kGapOfUnused * now_.unused / std::abs(now_.motion.cost);
}

double Sequence::allowance() const {
  const double tolerance = std::max(task_.solver.tolerance, task_.refine.tolerance);
  const double share = has_cost(task_, CostKind::time) ? kAllowanceOfTime : kAllowance;
  return on_first_curve_ ? 0 : share * gap().value_or(tolerance);
}

}  // namespace verne
