#include "motion/refine/finer_curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "motion/refine/regrid.h"
#include "motion/refine/switches.h"
#include "motion/refine/violations.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/verify/limit_uses.h"

namespace verne {

namespace {

constexpr int kMostNodesPerSpan = 3;
constexpr double kLooseTolerance = 3e-4, kTighter = 0.1;    // of levels; times that when spans are halved
constexpr double kRoughTolerance = 1e-3;                    // where the first solve was a rough one, too
constexpr double kOfGap = 1e-3;                             // no tighter than that, of the gap that is aimed at
constexpr double kFirstFiner = 1.75;                        // spans, where knots at switches come in
constexpr double kJumpsCount = 2;                           // knots at switches, as if they made spans so much finer
constexpr double kPlacedAgainCounts = 1.4;                  // the same of knots that are placed once more
constexpr double kLeastWork = 8e3;                          // of a first solve: less takes no time anyway
constexpr int kCubic = 3;                                   // degree of curves that levels may make quartic,
constexpr double kSpansOfQuartic = 0.85;                    // with so many of the spans,
constexpr double kEffortsDecide = 0.3, kOthersDoNot = 0.1;  // if efforts are worth so much, and others, of that
constexpr double kWorse = 1e-3;                             // of the cost: more is no improvement
constexpr char kKnots[] = "knots at switches";
constexpr double kOtherwiseFiner[] = {1, 1.5, 2.5};  // times as fine as a level should be, one after the other

/// How many spans each timing variable has.
std::vector<int> spans_of_groups(const CurveVariables& curve) {
  std::vector<int> spans(curve.groups);
  for (const int group : curve.group) ++spans[group];
  return spans;
}

/// As on the task's curve, within reason: nodes are added later where they are missing.
int nodes_per_span(const Task& task) {
  const int spans = task.curve.control_points - task.curve.degree;
  return std::min((task.curve.nodes + spans - 1) / spans, kMostNodesPerSpan);
}

/// Enough to tell what a level costs.
double loose_tolerance(const Task& task, double finer) {
  const double tolerance =
      (finer_one_follows(task) ? kRoughTolerance : kLooseTolerance) * std::pow(kTighter, std::log2(finer));
  return task.refine.knots ? tolerance : std::max(tolerance, kOfGap * gap_to_reach(task.refine));
}

/// Between switches of efforts, accelerations bend: one degree more follows them better than more spans do. Not where
/// other limits count, which a cubic meets as well, and where joints wait, which would use it to go astray.
int degree_of_levels(const State& state) {
  const int now = state.now.grid.curve.basis.degree();
  const bool may_rise = now == kCubic && finer_one_follows(state.task) && state.may_jump();
  if (!may_rise || !state.idle_freedoms_now().empty()) return now;
  double efforts = 0, others = 0;
  for (const LimitReport& limit : state.now.measured.limits) {
    (limit.name.known_as->quantity == NodeQuantity::effort ? efforts : others) += worth(limit, state.now.motion.cost);
  }
  return efforts > kEffortsDecide && others < kOthersDoNot * efforts ? kCubic + 1 : now;
}

/// Where the motion at hand changes from one limit to another, if knots may be there.
std::vector<Switch> switches_now(const State& state) {
  if (!state.may_jump()) return {};
  const auto& held = state.task.held;
  std::vector<int> idle = state.idle_freedoms_now();
  std::erase_if(idle, [&](int dof) { return !held.empty() && held[dof]; });
  const Result& now = state.now;
  return find_switches(now.stages, now.motion.trajectory, now.measured.limits, now.motion.cost, state.least_worth(),
                       idle);
}

class FinerCurves {
 public:
  FinerCurves(State& state, const Record& record, Rounds& rounds) : state_(state), record_(record), rounds_(rounds) {}

  void run();

 private:
  /// The first level with knots at switches, if any. Returns how fine the curve is then.
  double solve_with_jumps();
  /// The next level, `by` times as fine. Where that leads nowhere, because its knots are in the wrong places, those of
  /// still finer curves may be in better ones; that is worth the time where a gap was asked for. Returns how fine the
  /// curve is then.
  double solve_finer(double finer, double by);
  /// So many times the spans of the first solve, with knots that let accelerations jump where limits change; `by`: how
  /// much finer than the last level that is. Returns whether that was something new and succeeded.
  bool solve_level(double finer, double by, const char* what);
  Level level(double fineness) const { return state_.level(fineness, record_.last_round()); }

  State& state_;
  const Record& record_;
  Rounds& rounds_;
};

void FinerCurves::run() {
  const RefineSpec& refine = state_.task.refine;
  state_.first_spans = spans_of_groups(state_.now.grid.curve);
  state_.levels = {level(1)};
  state_.levels.front().work = std::max(state_.levels.front().work, kLeastWork);
  double finer = state_.may_jump() ? solve_with_jumps() : 1;  // than the first solve
  int steps = finer > 1 ? 1 : 0;                              // that had more spans than the one before
  for (; !state_.stopped; ++steps) {
    const double by = finer_by(refine, state_.levels, steps, state_.gap_to_close(), state_.misfit());
    if (by == 1) break;
    const double reached = solve_finer(finer, by);
    if (reached == finer) break;
    finer = reached;
  }
  // A task that asks for a number of halvings gets the last one once more, since it shows best where the switches are.
  const char* const again = finer == 1 ? kKnots : "spans halved";
  if (refine.knots && state_.now.loose && state_.may_jump() && !state_.stopped && solve_level(finer, 1, again)) {
    state_.levels.erase(state_.levels.end() - 2);
  }
  if (!state_.now.loose || state_.stopped) return;
  if (rounds_.solve_to_the_end()) state_.levels.back().cost = state_.now.minimized;
}

double FinerCurves::solve_with_jumps() {
  const RefineSpec& refine = state_.task.refine;
  const bool as_asked = refine.knots || refine.gap;
  if (!as_asked && solve_level(kFirstFiner, kFirstFiner, kKnots)) return kFirstFiner;
  if (!state_.stopped) solve_level(1, 1, kKnots);
  return 1;
}

double FinerCurves::solve_finer(double finer, double by) {
  for (const double more : kOtherwiseFiner) {
    if (solve_level(finer * by * more, by * more, by * more == 2 ? "spans halved" : "more spans")) {
      return finer * by * more;
    }
    if (!state_.task.refine.gap || state_.stopped) break;
  }
  return finer;
}

bool FinerCurves::solve_level(double finer, double by, const char* what) {
  const Result before = state_.now;
  std::vector<int> spans = state_.first_spans;
  const int degree = degree_of_levels(state_);
  const double share = degree > state_.task.curve.degree ? kSpansOfQuartic : 1;
  for (int& count : spans) count = static_cast<int>(std::lround(count * finer * share));
  const std::vector<Switch> switches = switches_now(state_);
  if (switches.empty() && spans == spans_of_groups(before.grid.curve)) return false;
  auto [curve, motion] =
      regridded(before.grid.curve, before.motion.trajectory, switches, spans, degree, state_.minimizes_time());
  std::vector<Place> nodes = nodes_between_knots(curve, nodes_per_span(state_.task));
  Grid grid{std::move(curve), std::move(nodes), {}, before.grid.forces, state_.idle_freedoms_now()};
  const nlp::Point warm = near(grid, motion);
  if (!rounds_.solve(std::move(grid), motion, what, &warm, loose_tolerance(state_.task, finer))) return false;
  const double rise = state_.now.minimized - before.minimized, excess = std::max(0.0, before.worst_excess());
  if (state_.may_jump() && rise > (kWorse + excess) * std::abs(before.motion.cost)) {
    state_.now = before;  // the knots are in the wrong places
    return false;
  }
  if (!switches.empty()) {
    by = std::exchange(state_.jumps, true) ? std::max(by, kPlacedAgainCounts) : kJumpsCount * by;
  }
  state_.levels.push_back(level(state_.levels.back().fineness * by));
  return true;
}

}  // namespace

bool refines_curve(const Task& task) {
  return !task.curve.free_knots && (task.refine.knots != 0 || task.refine.switches);
}

bool finer_one_follows(const Task& task) {
  return refines_curve(task) && !task.refine.knots && !task.refine.gap && has_cost(task, is_time) &&
         task.phases.empty();
}

void solve_on_finer_curves(State& state, const Record& record, Rounds& rounds) {
  if (refines_curve(state.task)) FinerCurves(state, record, rounds).run();
}

}  // namespace verne
