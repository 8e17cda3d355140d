#include "motion/refine/state.h"

#include <algorithm>
#include <cmath>

#include "motion/refine/other_values.h"
#include "motion/verify/limit_uses.h"

namespace verne {

namespace {

constexpr double kLeastWorth = 5e-3, kLeastWorthOfTime = 1e-2;  // of limits whose switches pay for their unknowns
constexpr double kAllowance = 0.02, kAllowanceOfTime = 0.1;  // of the gap, or of the tolerance: what margins may cost
constexpr double kGapOfSlack = 6;  // times what the slack of limits costs, as random tasks show

Grid grid_of(const Task& task, const Trajectory& curve) {
  const std::vector<int> phases = phase_of_spans(task);
  return {variables_of(task, curve, phases), even_nodes(curve, phases, task.curve.nodes), {}};
}

}  // namespace

State::State(const Task& wanted, const Trajectory& guess)
    : asked(wanted), task(wanted), now{Solution(guess), grid_of(wanted, guess), {}, {}, {}, {}, 0, false, 0, 0} {}

void State::go_on_from(const SolverState& state) {
  if (state.nodes.size() < now.grid.nodes.size()) return;
  now.grid.nodes = state.nodes;
  const bool fits = state.tightening.size() % static_cast<std::size_t>(now.grid.curve.basis.spans()) == 0;
  if (fits) now.grid.tightening = state.tightening;
  given = state;
}

void State::go_back_to(const Result& better) {
  now = better;
  if (!task.design.empty() && now.design != design_of(task)) task = with_values(asked, task, now.design);
}

void State::start_again_on(const Trajectory& guess) {
  now.grid = grid_of(task, guess);
}

Task State::as_designed() const {
  return task.design.empty() ? asked : asked.with_parameters(design_of(task));
}

double State::least_worth() const {
  return minimizes_time() ? kLeastWorthOfTime : kLeastWorth;
}

std::vector<int> State::idle_freedoms_now() const {
  if (!minimizes_time()) return {};
  return idle_freedoms(task, now.measured.limits, now.motion.cost, least_worth());
}

Level State::level(double fineness, const RefinementRound& round) const {
  const double size = (round.nodes + 2.0 * round.control_points) * task.model.nv();  // functions, and linear algebra
  return {now.minimized, (round.iterations + 1) * size, fineness, size};
}

std::optional<double> State::gap() const {
  std::vector<Level> solved = levels;
  if (!solved.empty() && !on_first_curve && !smooths_less) solved.back().cost = now.minimized;  // solved to the end
  std::optional<double> gap = estimated_gap(solved);
  if (!gap) return gap;
  if (on_first_curve) return *gap + std::abs(solved.back().cost - now.minimized) / std::abs(solved.back().cost);
  return limits_decide() ? std::max(*gap, gap_of_limit_slack()) : *gap;
}

double State::gap_of_smoothing() const {
  const double cost = std::abs(now.motion.cost);
  return cost > 0 ? std::max(0.0, now.motion.cost - now.minimized) / cost : 0;
}

double State::gap_to_close() const {
  return limits_decide() && !task.refine.gap ? gap_of_limit_slack() : gap().value_or(0);
}

double State::gap_of_limit_slack() const {
  return kGapOfSlack * now.cost_of_slack / std::abs(now.motion.cost);
}

double State::allowance() const {
  const double tolerance = std::max(task.solver.tolerance, task.refine.tolerance);
  const double share = minimizes_time() ? kAllowanceOfTime : kAllowance;
  return on_first_curve ? 0 : share * gap().value_or(tolerance);
}

}  // namespace verne
