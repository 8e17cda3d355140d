#include "motion/output/fatigue_course.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace verne {

namespace {

/// What is asked for at each instant, as a part of the strength; empty: nothing ever is.
std::vector<double> loads_on(const Task& task, const SampledMotion& motion, int dof, bool positive) {
  const Interval& effort = task.limits.effort[static_cast<std::size_t>(dof)];
  const double strength = positive ? effort.upper : -effort.lower;
  if (!(strength > 0) || !std::isfinite(strength)) return {};
  std::vector<double> loads;
  bool any = false;
  for (Eigen::Index k = 0; k < motion.time.size(); ++k) {
    const double tau = motion.tau.eigen()(dof, k);
    loads.push_back(std::max(0.0, positive ? tau : -tau) / strength);
    any = any || loads.back() > 0;
  }
  return any ? loads : std::vector<double>();
}

/// Goes through all repetitions; returns how many are endured.
int tire(const std::vector<double>& loads, const SampledMotion& motion, int times, double rest, TiringMuscles& who) {
  MuscleState state;
  int endured = times;
  for (int n = 0; n < times; ++n) {
    for (std::size_t k = 0; k + 1 < loads.size(); ++k) {
      if (loads[k] > state.capacity()) endured = std::min(endured, n);
      const auto i = static_cast<Eigen::Index>(k);
      state = tired_by(*who.rates, state, loads[k], loads[k + 1], motion.time[i + 1] - motion.time[i]);
    }
    if (loads.back() > state.capacity()) endured = std::min(endured, n);
    if (rest > 0) state = tired_by(*who.rates, state, 0, 0, rest);
    who.capacity.push_back(state.capacity());
  }
  return endured;
}

}  // namespace

FatigueCourse fatigue_course(const Task& task, const SampledMotion& motion) {
  const RepeatSpec& repeat = *task.work.repeat;
  const double duration = motion.time[motion.time.size() - 1];
  FatigueCourse course;
  course.times = course.endured = repeat.times;
  course.period = repeat.every.value_or(duration + repeat.rest);
  for (int dof = 0; dof < task.model.nv(); ++dof) {
    for (const bool positive : {true, false}) {
      const std::vector<double> loads = loads_on(task, motion, dof, positive);
      if (loads.empty()) continue;
      TiringMuscles who{std::string(task.model.dof_names()[dof]), positive, nullptr, {}};
      who.rates = &rates_of(who.joint.c_str(), positive);
      const int endured = tire(loads, motion, repeat.times, course.period - duration, who);
      if (endured < course.endured) course.endured = endured, course.weakest = who.joint;
      course.muscles.push_back(std::move(who));
    }
  }
  return course;
}

std::vector<std::string> unsure_rates(const FatigueCourse& course) {
  std::vector<std::string> all, lacking;
  const auto add_once = [](std::vector<std::string>& list, const std::string& one) {
    if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
  };
  for (const TiringMuscles& who : course.muscles) {
    if (who.rates->sure) continue;
    if (is_general(*who.rates)) {
      add_once(lacking, who.joint.substr(0, who.joint.find('_')));
    } else {
      add_once(all, std::string("fatigue of ") + who.rates->group + ": " + who.rates->source);
    }
  }
  if (!lacking.empty()) {
    all.push_back(fmt::format("fatigue of {}: that of muscles in general, as the tables have none of their own",
                              fmt::join(lacking, ", ")));
  }
  return all;
}

}  // namespace verne
