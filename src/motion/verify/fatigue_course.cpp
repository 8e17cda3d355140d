#include "motion/verify/fatigue_course.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "motion/terms/costs/cost_type.h"
#include "motion/terms/tiring_groups.h"

namespace verne {

namespace {

/// What is asked for at each instant, as a part of the strength.
std::vector<double> loads_on(const SampledMotion& motion, int dof, bool positive, double strength) {
  std::vector<double> loads;
  for (Eigen::Index k = 0; k < motion.time.size(); ++k) {
    const double tau = motion.tau.eigen()(dof, k);
    loads.push_back(std::max(0.0, positive ? tau : -tau) / strength);
  }
  return loads;
}

}  // namespace

TiringPerson::TiringPerson(const Task& task) : repeat_(*task.work.repeat), endured_(repeat_.times) {
  for (int dof = 0; dof < task.model.nv(); ++dof) {
    const Interval& effort = task.limits.effort[static_cast<std::size_t>(dof)];
    for (const bool positive : {true, false}) {
      const double strength = positive ? effort.upper : -effort.lower;
      if (!(strength > 0) || !std::isfinite(strength)) continue;
      Group group{dof, strength, false, {}, {std::string(task.model.dof_names()[dof]), positive, nullptr, {}}};
      group.muscles.rates = &rates_of(group.muscles.joint.c_str(), positive);
      groups_.push_back(std::move(group));
    }
  }
}

void TiringPerson::repeat(const SampledMotion& motion, int times) {
  const double duration = motion.time[motion.time.size() - 1];
  period_ = repeat_.every.value_or(duration + repeat_.rest);
  for (Group& group : groups_) {
    repeat(loads_on(motion, group.dof, group.muscles.positive, group.strength), motion, times, period_ - duration,
           group);
  }
  done_ += times;
}

void TiringPerson::repeat(const std::vector<double>& loads, const SampledMotion& motion, int times, double rest,
                          Group& group) {
  group.used = group.used || std::any_of(loads.begin(), loads.end(), [](double load) { return load > 0; });
  const auto ask = [&](double load, int repetition) {
    if (load <= group.state.capacity() || repetition >= endured_) return;
    endured_ = repetition;
    weakest_ = group.muscles.joint;
  };
  for (int n = 0; n < times; ++n) {
    for (std::size_t k = 0; k + 1 < loads.size(); ++k) {
      ask(loads[k], done_ + n);
      const auto i = static_cast<Eigen::Index>(k);
      group.state =
          tired_by(*group.muscles.rates, group.state, loads[k], loads[k + 1], motion.time[i + 1] - motion.time[i]);
    }
    ask(loads.back(), done_ + n);
    if (rest > 0) group.state = tired_by(*group.muscles.rates, group.state, 0, 0, rest);
    group.muscles.capacity.push_back(group.state.capacity());
  }
}

double TiringPerson::capacity(int dof, bool positive) const {
  for (const Group& group : groups_) {
    if (group.dof == dof && group.muscles.positive == positive) return group.state.capacity();
  }
  return 1;
}

FatigueCourse TiringPerson::course() const {
  FatigueCourse course{done_, period_, {}, std::min(endured_, done_), weakest_};
  for (const Group& group : groups_) {
    if (group.used) course.muscles.push_back(group.muscles);
  }
  return course;
}

FatigueCourse fatigue_course(const Task& task, const SampledMotion& motion, const Solution& solution) {
  TiringPerson person(task);
  int done = 0;
  const SampledMotion* now = &motion;
  for (const AdaptedMotion& next : solution.adapted) {
    person.repeat(*now, next.from - done);
    done = next.from;
    now = next.found() ? &next.motion : nullptr;
  }
  if (now) person.repeat(*now, task.work.repeat->times - done);
  FatigueCourse course = person.course();
  if (!now) course.endured = std::min(course.endured, done);
  return course;
}

Task tired_task(const Task& task, const TiringPerson& person) {
  Task tired = task;
  RepeatSpec& repeat = *tired.work.repeat;
  repeat.adapt = 0;
  repeat.times = std::max(1, repeat.times - person.done());
  std::vector<double> left(static_cast<std::size_t>(task.model.nv()));  // of either direction
  for (int dof = 0; dof < task.model.nv(); ++dof) {
    const double up = person.capacity(dof, true), down = person.capacity(dof, false);
    const auto weaken = [&](LimitsSpec& limits) {
      Interval& effort = limits.effort[static_cast<std::size_t>(dof)];
      effort.upper *= up, effort.lower *= down;
    };
    weaken(tired.limits);
    for (PhaseSpec& phase : tired.phases) weaken(phase.limits);
    left[static_cast<std::size_t>(dof)] = std::min(up, down);
    tired.limits.sizes[kTiredUp].push_back(1 - up);
    tired.limits.sizes[kTiredDown].push_back(1 - down);
  }
  for (CostSpec& cost : tired.costs) {
    for (std::size_t dof = 0; dof < left.size() && cost.normalized; ++dof) {
      cost.scale[dof] /= is_peak(cost) ? left[dof] : left[dof] * left[dof];
    }
  }
  return tired;
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
