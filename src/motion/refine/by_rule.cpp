#include "motion/refine/by_rule.h"

#include <algorithm>

#include "motion/terms/contact_hull.h"

namespace verne {

namespace {

constexpr double kRough = 1e-2;  // tolerance of a motion to start from

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

void add_course(const Solution& start, Solution& solution, const char* what) {
  solution.iterations += start.iterations;
  solution.solve_seconds += start.solve_seconds, solution.function_seconds += start.function_seconds;
  solution.history.insert(solution.history.begin(), start.history.begin(), start.history.end());
  for (RefinementRound& round : solution.rounds) round.round += static_cast<int>(start.rounds.size());
  solution.rounds.insert(solution.rounds.begin(), start.rounds.begin(), start.rounds.end());
  for (std::size_t k = 0; k < start.rounds.size(); ++k) solution.rounds[k].what = what;
}

}  // namespace verne
