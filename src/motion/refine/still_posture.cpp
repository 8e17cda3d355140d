#include "motion/refine/still_posture.h"

#include <algorithm>
#include <cmath>

#include "motion/curve/phases.h"
#include "motion/guess/first_guess.h"
#include "motion/refine/one_start.h"

namespace verne {

namespace {

constexpr double kSlow = 60;     // s: in a motion of a few postures that takes so long, nothing accelerates
constexpr double kStronger = 2;  // times the limits of effort
constexpr int kPoints = 4, kNodes = 4, kMostIterations = 150;
constexpr int kBeginnings = 4;    // guesses that are tried
constexpr double kMissed = 1e-3;  // by which a posture may fail

bool at_rest(const StateSpec& state) {
  const auto still = [](const Interval& v) { return v.lower <= 0 && v.upper >= 0; };
  return std::ranges::all_of(state.velocity, still);
}

/// A slow motion that begins as the task does, or ends, and goes where it likes.
Task slowly(const Task& task, bool end) {
  Task slow = task;
  slow.duration = {{kSlow, kSlow}, {}};
  slow.curve = {3, kPoints, kNodes, false, task.curve.min_spacing, true};
  slow.refine = RefineSpec::off();
  slow.solver.max_iterations = std::min(task.solver.max_iterations, kMostIterations);
  slow.solver.tolerance = std::max(task.solver.tolerance, 1e-2);
  slow.solver.feasible_first = false;
  slow.starts = {};
  slow.guess.reset(), slow.guess_motion.reset(), slow.periodic.reset();
  slow.via.clear(), slow.own_limits.clear();
  std::erase_if(slow.costs, [](const CostSpec& cost) { return cost.from_code(); });
  if (end) slow.start = task.end;
  for (Interval& free : slow.end.position) free = {};
  for (StateSpec* const state : {&slow.start, &slow.end}) {
    for (Interval& free : state->velocity) free = {};
    for (Interval& free : state->acceleration) free = {};
  }
  std::erase_if(slow.frames, [&](const FrameGoalSpec& goal) {
    return !goal.when.path && (goal.when.at != (end ? 1 : 0) || !goal.of_posture());
  });
  for (FrameGoalSpec& goal : slow.frames) {
    if (!goal.when.path) goal.when.at = 0;
    goal.velocity.clear();
  }
  std::erase_if(slow.frames, [](const FrameGoalSpec& goal) { return !goal.of_posture(); });
  for (Interval& effort : slow.limits.effort) {
    if (effort.lower < 0 && effort.upper > 0) effort = {kStronger * effort.lower, kStronger * effort.upper};
  }
  return slow;
}

/// Of "frame: frame_position of box.x at 0.0 % of the motion", what is between.
std::string plain_name(std::string name) {
  if (const std::size_t head = name.find(": "); head != std::string::npos) name.erase(0, head + 2);
  if (const std::size_t place = name.rfind(" at "); place != std::string::npos) name.erase(place);
  if (name.starts_with("frame_")) name.erase(0, 6);
  return name;
}

bool is_length(const std::string& name) {
  return name.starts_with("position of") || name.starts_with("keep_out of");
}

/// A posture that has to be, of a task without phases.
struct Holding {
  Task task;
  bool end;
  std::string when, object;
};

/// Where hands hold something at rest: where the motion begins and ends, or the phases in which they do.
std::vector<Holding> holdings(const Task& task) {
  std::vector<Holding> all;
  const auto add = [&](const Task& of, bool end, const std::string& when) {
    if (of.ground && at_rest(end ? of.end : of.start))
      all.push_back({slowly(of, end), end, when, of.grips.back().object});
  };
  if (task.phases.empty() && !task.grips.empty()) add(task, false, "the start"), add(task, true, "the end");
  std::vector<Stage> parts = stages(task, phase_of_spans(task));
  for (std::size_t k = 0; k < task.phases.size(); ++k) {
    Task& here = parts[k].task;
    if (here.grips.size() <= task.grips.size()) continue;
    here.shapes.reset();
    for (StateSpec* const state : {&here.start, &here.end}) {
      std::ranges::fill(state->position, Interval{});
      std::ranges::fill(state->velocity, Interval{0, 0});
    }
    for (const bool end : {false, true}) {
      const auto is_there = [&](const FrameGoalSpec& goal) { return !goal.when.path && goal.when.at == (end ? 1 : 0); };
      if (std::ranges::none_of(here.frames, is_there)) continue;
      add(here, end, std::string(end ? "the end" : "the start") + " of " + task.phases[k].name);
    }
  }
  return all;
}

}  // namespace

std::optional<Conflict> no_still_posture(const Task& task, const PredictOptions& options) {
  if (task.guess_motion) return std::nullopt;
  PredictOptions quietly;
  quietly.progress = options.progress;
  for (const Holding& holding : holdings(task)) {
    const FirstGuesses guesses(holding.task);
    std::optional<nlp::Violation> least;
    for (int k = 0; k < kBeginnings; ++k) {
      const Solution found = solve_from(holding.task, quietly, guesses(k));
      const bool stopped = found.status == nlp::Status::interrupted || found.status == nlp::Status::time_limit;
      if (found.success() || stopped || found.violations.empty() || found.violations.front().amount <= kMissed) {
        least.reset();
        break;
      }
      if (!least || found.violations.front().amount < least->amount) least = found.violations.front();
    }
    if (!least) continue;
    Conflict conflict;
    conflict.parts = {"a posture at rest at " + holding.when + " in which both hands hold " + holding.object +
                      ", with up to twice all efforts"};
    conflict.missed = plain_name(least->name);
    conflict.unit = least->unit.empty() && is_length(conflict.missed) ? "m" : least->unit;
    conflict.amount = least->amount;
    conflict.starts = kBeginnings;
    return conflict;
  }
  return std::nullopt;
}

}  // namespace verne
