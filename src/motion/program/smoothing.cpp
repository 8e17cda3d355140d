#include "motion/program/smoothing.h"

#include <algorithm>

#include "motion/terms/costs/cost_type.h"
#include "motion/values/sample_stages.h"

namespace verne {

namespace {

// Relative to the largest power of a joint: at first, from step to step, and at last where the task does not say.
constexpr double kFirst = 0.1, kStep = 0.3, kLast = 0.01;
constexpr int kPowerSamples = 200;

bool smoothing_is_open(const CostSpec& cost) {
  return is_smoothed(cost) && cost.smoothing <= 0;
}

}  // namespace

bool chooses_smoothing(const Task& task) {
  return std::any_of(task.costs.begin(), task.costs.end(), smoothing_is_open);
}

double power_scale(const Task& task, const Trajectory& guess) {
  if (std::none_of(task.costs.begin(), task.costs.end(), is_smoothed)) return 1;
  const SampledMotion motion = sample_stages({{task, {0, guess.basis().spans()}}}, guess, kPowerSamples);
  const double power = motion.tau.eigen().cwiseProduct(motion.v.eigen()).cwiseAbs().maxCoeff();
  return power > 0 ? power : 1;
}

std::vector<std::vector<CostSpec>> smoothing_steps(const Task& task, double power, double guess_power) {
  if (std::none_of(task.costs.begin(), task.costs.end(), is_smoothed)) return {task.costs};
  std::vector<std::vector<CostSpec>> steps;
  double least = std::max(power, guess_power) * kFirst;
  for (bool more = true; more; least *= kStep) {
    more = false;
    steps.push_back(task.costs);
    for (CostSpec& cost : steps.back()) {
      if (!is_smoothed(cost)) continue;
      const double last = cost.smoothing > 0 ? cost.smoothing : kLast * power;
      cost.smoothing = std::max(last, least);
      more = more || cost.smoothing > last * (1 + 1e-9);  // the steps' rounding is no step
    }
  }
  return steps;
}

std::vector<CostSpec> with_less_smoothing(std::vector<CostSpec> costs, const Task& task) {
  for (std::size_t k = 0; k < costs.size(); ++k) {
    if (smoothing_is_open(task.costs[k])) costs[k].smoothing *= kStep;
  }
  return costs;
}

}  // namespace verne
