#include "motion/refine/by_rule.h"

#include <algorithm>

#include "motion/terms/contact_hull.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/limits/joint_limit.h"

namespace verne {

namespace {

constexpr double kRough = 1e-2;       // tolerance of a motion to start from
constexpr int kStatesWithForces = 3;  // what limits are known from

void share_by_rule(std::optional<GroundSpec>& ground, const Task& task) {
  if (!ground || !ground->contact_variables) return;
  ground->contact_variables = false;
  const Vec3<double> g = task.model.gravity();
  const Eigen::Vector3d up = -Eigen::Vector3d(g.x, g.y, g.z).normalized();
  const AtZero at(task.model);
  for (SupportSpec& support : ground->supports) support.contacts = contact_hull(support.contacts, up, at);
}

}  // namespace

bool has_contact_variables(const Task& task) {
  const auto has = [](const std::optional<GroundSpec>& ground) { return ground && ground->contact_variables; };
  return has(task.ground) ||
         std::any_of(task.phases.begin(), task.phases.end(), [&](const PhaseSpec& phase) { return has(phase.ground); });
}

Task by_rule(const Task& task) {
  Task ruled = task;
  share_by_rule(ruled.ground, task);
  for (PhaseSpec& phase : ruled.phases) share_by_rule(phase.ground, task);
  ruled.solver.tolerance = std::max(task.solver.tolerance, kRough);
  ruled.refine = RefineSpec::off();
  ruled.design.clear();  // that comes afterwards
  return ruled;
}

bool grips_on_the_way(const Task& task) {
  return std::ranges::any_of(task.phases,
                             [&](const PhaseSpec& phase) { return phase.grips.size() > task.grips.size(); });
}

namespace {

void forget_forces(std::optional<GroundSpec>& ground, std::vector<GripSpec>& grips, LimitsSpec& limits) {
  ground.reset();
  for (GripSpec& grip : grips) grip.borne = false;
  for (const JointLimit* const limit : joint_limits()) {
    if (limit->kind().known_from < kStatesWithForces) continue;
    for (std::size_t i = 0; i < limit->entries(limits); ++i) limit->drop(limits, i);
  }
}

bool needs_forces(const CostSpec& cost, const Task& task) {
  const CostType& type = type_of(cost);
  if (type.value == CostType::Value::duration) return false;
  if (type.value != CostType::Value::integral) return true;
  ChannelLayout channels(task.model);
  CostTerms terms;
  type.add(task, cost, channels, terms);
  return channels.needs_torques();
}

}  // namespace

Task as_shape(const Task& task) {
  Task shape = by_rule(task);
  std::erase_if(shape.costs, [&](const CostSpec& cost) { return cost.from_code() || needs_forces(cost, task); });
  shape.own_limits.clear();
  forget_forces(shape.ground, shape.grips, shape.limits);
  for (PhaseSpec& phase : shape.phases) forget_forces(phase.ground, phase.grips, phase.limits);
  return shape;
}

void add_course(const Solution& start, Solution& solution, const char* what) {
  solution.iterations += start.iterations;
  solution.solve_seconds += start.solve_seconds, solution.function_seconds += start.function_seconds;
  solution.history.insert(solution.history.begin(), start.history.begin(), start.history.end());
  for (RefinementRound& round : solution.rounds) round.round += static_cast<int>(start.rounds.size());
  solution.rounds.insert(solution.rounds.begin(), start.rounds.begin(), start.rounds.end());
  for (std::size_t k = 0; what && k < start.rounds.size(); ++k) solution.rounds[k].what = what;
}

}  // namespace verne
