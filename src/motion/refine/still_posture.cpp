#include "motion/refine/still_posture.h"

#include <algorithm>
#include <cmath>

#include "motion/guess/first_guess.h"
#include "motion/refine/one_start.h"

namespace verne {

namespace {

constexpr double kSlow = 60;     // s: in a motion of a few postures that takes so long, nothing accelerates
constexpr double kStronger = 2;  // times the limits of effort
constexpr int kPoints = 4, kNodes = 4, kMostIterations = 150;
constexpr int kBeginnings = 2;    // guesses that are tried
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

}  // namespace

std::optional<Conflict> no_still_posture(const Task& task, const PredictOptions& options) {
  if (task.grips.empty() || !task.phases.empty() || !task.ground || task.guess_motion) return std::nullopt;
  PredictOptions quietly;
  quietly.progress = options.progress;
  for (const bool end : {false, true}) {
    if (!at_rest(end ? task.end : task.start)) continue;
    const Task slow = slowly(task, end);
    const FirstGuesses guesses(slow);
    std::optional<nlp::Violation> least;
    for (int k = 0; k < kBeginnings; ++k) {
      const Solution found = solve_from(slow, quietly, guesses(k));
      const bool stopped = found.status == nlp::Status::interrupted || found.status == nlp::Status::time_limit;
      if (found.success() || stopped || found.violations.empty() || found.violations.front().amount <= kMissed) {
        least.reset();
        break;
      }
      if (!least || found.violations.front().amount < least->amount) least = found.violations.front();
    }
    if (!least) continue;
    Conflict conflict;
    conflict.parts = {std::string("a posture at rest at the ") + (end ? "end" : "start") +
                      " in which both hands hold " + task.grips.front().object + ", with up to twice all efforts"};
    conflict.missed = plain_name(least->name);
    conflict.unit = least->unit.empty() && is_length(conflict.missed) ? "m" : least->unit;
    conflict.amount = least->amount;
    conflict.starts = kBeginnings;
    return conflict;
  }
  return std::nullopt;
}

}  // namespace verne
