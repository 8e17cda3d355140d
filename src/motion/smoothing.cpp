#include "motion/smoothing.h"

#include <algorithm>

#include "motion/sample_stages.h"

namespace verne {

namespace {

// Relative to the largest power of a joint: at first, from step to step, and at last where the task does not say.
constexpr double kFirst = 0.1, kStep = 0.3, kLast = 0.01;
constexpr int kPowerSamples = 200;

double largest_power(const Task& task, const Trajectory& guess) {
  const SampledMotion motion = sample_stages({{task, {0, guess.basis().spans()}}}, guess, kPowerSamples);
  const double power = motion.tau.eigen().cwiseProduct(motion.v.eigen()).cwiseAbs().maxCoeff();
  return power > 0 ? power : 1;
}

}  // namespace

std::vector<std::vector<CostTask>> smoothing_steps(const Task& task, const Trajectory& guess) {
  const auto is_energy = [](const CostTask& cost) { return cost.kind == CostKind::energy; };
  if (std::none_of(task.costs.begin(), task.costs.end(), is_energy)) return {task.costs};
  const double power = largest_power(task, guess);
  std::vector<std::vector<CostTask>> steps;
  double least = power * kFirst;
  for (bool more = true; more; least *= kStep) {
    more = false;
    steps.push_back(task.costs);
    for (CostTask& cost : steps.back()) {
      if (!is_energy(cost)) continue;
      const double last = cost.smoothing > 0 ? cost.smoothing : kLast * power;
      cost.smoothing = std::max(last, least);
      more = more || cost.smoothing > last * (1 + 1e-9);  // the steps' rounding is no step
    }
  }
  return steps;
}

}  // namespace verne
