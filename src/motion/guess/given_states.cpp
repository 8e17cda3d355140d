#include "motion/guess/given_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motion/task/part_names.h"
#include "motion/values/measuring.h"
#include "motion/verify/limit_check.h"

namespace verne {

namespace {

constexpr double kBroken = 1e-3;  // of a limit; m or rad of what is exact

/// How much of a state is given for all joints: nothing, positions, velocities too, accelerations too.
int orders_given(const Task& task, const StateSpec& state) {
  const auto given = [&](const std::vector<Interval>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!values[i].fixed() && !(i < task.held.size() && task.held[i])) return false;
    }
    return values.size() == static_cast<std::size_t>(task.model.nv());
  };
  return !given(state.position) ? 0 : !given(state.velocity) ? 1 : !given(state.acceleration) ? 2 : 3;
}

/// How much has to be given for a quantity to be known. Limits of what states give themselves were checked with them.
int orders_needed(const Task& task, const LimitKind& kind) {
  const bool effort = kind.known_from == 3;
  return effort && (task.ground || task.mechanism) ? LimitKind::kNeverKnown : kind.known_from;
}

/// A motion that is in a state at its start.
Trajectory beginning_with(const Task& task, const StateSpec& state) {
  const auto value = [](const std::vector<Interval>& values, std::size_t i) {
    return i < values.size() && values[i].fixed() ? values[i].lower : 0;
  };
  Eigen::MatrixXd control(3, task.model.nv());
  for (std::size_t i = 0; i < static_cast<std::size_t>(task.model.nv()); ++i) {
    const bool held = i < task.held.size() && task.held[i];
    const double q = held ? *task.held[i] : value(state.position, i);
    const double v = value(state.velocity, i), a = value(state.acceleration, i);
    control.col(static_cast<Eigen::Index>(i)) << q, q + v / 2, q + v + a / 2;
  }
  return {SplineBasis(2, 1), Eigen::VectorXd::Ones(1), control};
}

/// The names that parts of a task have in a conflict.
std::string part_of(const LimitName& name) {
  if (name.known_as->of_zone) return name.kind + " of " + name.of.substr(name.of.find(" from ") + 6);
  const char* const part = name.known_as->part_of_frame;
  if (!part) return name.kind + " of " + name.of;
  return fmt::format("{} of {} all the way", part, name.of.substr(0, name.of.find('.')));
}

struct Worst {
  double excess = kBroken;
  std::optional<Conflict> conflict;
};

void look(const Task& task, const StateSpec& state, const std::string& name, Worst& worst) {
  const int given = orders_given(task, state);
  if (given == 0) return;
  Task bare = task;  // what the ground does is not known yet
  bare.ground.reset();
  const Trajectory motion = beginning_with(task, state);
  for (const bool equations : {false, true}) {
    Measuring measuring(bare, motion, {0, 1}, [&](ChannelLayout& channels) {
      return equations ? path_equations(bare, channels) : path_limits(bare, channels);
    });
    if (measuring.terms().empty()) continue;
    const Eigen::MatrixXd measured = measuring.at({{0, 0.0}});
    for (std::size_t t = 0; t < measuring.terms().size(); ++t) {
      const LimitTerm& term = *measuring.terms()[t];
      const bool exact = term.measured_bounds().fixed();
      const int needed = orders_needed(task, *term.name().known_as);
      if (needed > given || (exact && needed > 2)) continue;  // what is tolerated of efforts depends on the motion
      if (term.per_second() != 0) continue;                   // where it is depends on the duration
      const double value = measured(static_cast<Eigen::Index>(t), 0);
      const double bound = nearer_bound(value, term.measured_bounds());
      const double excess = exact ? std::abs(value - bound) : excess_of(value, term.measured_bounds());
      if (excess <= worst.excess) continue;
      const LimitName& what = term.name();
      const std::string kind = what.known_as->part_of_frame ? what.known_as->part_of_frame : what.kind;
      worst = {excess,
               Conflict{{name, part_of(what)}, kind + " of " + what.of, what.unit, std::abs(value - bound), true}};
    }
  }
}

}  // namespace

std::optional<Conflict> broken_by_given_state(const Task& task) {
  Worst worst;
  const std::vector<Stage> all = stages(task, phase_of_spans(task));
  look(all.front().task, task.start, "start", worst);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool last = k + 1 == all.size();
    const std::string phase = task.phases.empty() ? "" : task.phases[k].name;
    for (const ViaSpec& via : all[k].task.via) {
      const bool ends = !last && &via == &all[k].task.via.back();
      look(all[k].task, via.state, ends ? "end of " + phase : part_of_via(via) + (phase.empty() ? "" : " in " + phase),
           worst);
    }
  }
  look(all.back().task, task.end, "end", worst);
  return worst.conflict;
}

}  // namespace verne
