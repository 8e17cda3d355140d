#include "motion/verify/fatigue_check.h"

#include "motion/curve/quadrature.h"
#include "motion/terms/tiring_groups.h"
#include "motion/values/measuring.h"

namespace verne {

namespace {

constexpr double kUsed = 1e-3;  // as near to its limit it counts as used

}  // namespace

std::vector<LimitReport> check_fatigue(const Task& task, const Trajectory& trajectory,
                                       const std::vector<PlacedStage>& stages) {
  std::vector<TiringGroup> groups = tiring_groups(task);
  std::erase_if(groups, [](const TiringGroup& group) { return group.limit >= kInfinity; });
  if (groups.empty()) return {};
  std::vector<EffortLimit> efforts;
  for (const TiringGroup& group : groups) efforts.push_back({fatigue_limit_name(task, group), group.dof, group.limit});
  Eigen::VectorXd asked = Eigen::VectorXd::Zero(std::ssize(groups)), idle = asked;
  for (const PlacedStage& in : stages) {
    const SpanRange& spans = in.stage.spans;
    Measuring measuring(in.stage.task, trajectory, spans,
                        [&](ChannelLayout& channels) { return effort_terms(efforts, channels); });
    const Quadrature fine = gauss_quadrature(spans, 2 * trajectory.basis().degree() + 2);
    const Eigen::MatrixXd tau = measuring.at(fine.places);
    for (std::size_t k = 0; k < fine.places.size(); ++k) {
      const double dt = fine.weights[k] * trajectory.lengths()[fine.places[k].span];
      for (Eigen::Index g = 0; g < asked.size(); ++g) {
        const double load = groups[static_cast<std::size_t>(g)].load(tau(g, static_cast<Eigen::Index>(k)));
        asked[g] += dt * smooth_load(load);
        idle[g] += dt * smooth_rest(load);
      }
    }
  }
  std::vector<LimitReport> reports;
  for (Eigen::Index g = 0; g < asked.size(); ++g) {
    const auto k = static_cast<std::size_t>(g);
    LimitReport report;
    report.name = efforts[k].name;
    report.bounds = {-kInfinity, groups[k].limit};
    report.of_all_phases = true;
    report.worst_time = trajectory.duration();
    report.worst_value =
        tired_after(*groups[k].rates, repetitions_of(task), groups[k].begun, asked[g], idle[g], trajectory.duration());
    report.utilisation = report.worst_value / groups[k].limit;
    report.excess = excess_of(report.worst_value, report.bounds);
    if (report.excess > -kUsed) report.active.push_back({0, trajectory.duration()});
    if (report.excess > task.refine.tolerance) report.peaks.push_back({{0, 0.5}, report.excess});
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace verne
