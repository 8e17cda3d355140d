#include "motion/guess/conflict.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "motion/program/program.h"
#include "motion/task/part_names.h"
#include "motion/task/time_allowed.h"
#include "motion/terms/limits/joint_limit.h"
#include "motion/verify/verdict.h"

namespace verne {

namespace {

constexpr int kSolves = 60, kSolveIterations = 300;  // at most, of the search and of each of its solves
constexpr double kRowsMet = 1e-6;
constexpr Interval kAnyTime{1e-3, kInfinity};
constexpr double kAnySlack = 1e6;  // m

/// A part of a task, and the task without it.
struct Part {
  int kind;  ///< parts of the same kind are tried together first
  std::string name;
  std::function<void(Task&)> drop;
};

class Parts {
 public:
  explicit Parts(const Task& whole) : task_(whole) {
    // What is tried first is the least likely to be in the result.
    std::vector<const JointLimit*> limits(joint_limits().begin(), joint_limits().end());
    std::stable_sort(limits.begin(), limits.end(),
                     [](const JointLimit* a, const JointLimit* b) { return a->suspicion() < b->suspicion(); });
    for (const JointLimit* limit : limits) add_limits_of_joints(*limit);
    add_zones(
        "", [](auto& task) -> auto& { return task.keep_out; });
    ++kind_;
    for (std::size_t k = 0; k < task_.swing_together.size(); ++k) {
      add(fmt::format("swing_together {}", k + 1), [k](Task& task) { task.swing_together[k].slack = kAnySlack; });
    }
    ++kind_;
    if (task_.periodic) add("periodic", [](Task& task) { task.periodic.reset(); });
    add_via(
        "", [](auto& task) -> auto& { return task.via; });
    ++kind_;
    add("start", [](Task& task) { task.start = unbounded(task); });
    ++kind_;
    add("end", [](Task& task) { task.end = unbounded(task); });
    ++kind_;
    add("duration", [](Task& task) { task.duration.bounds = kAnyTime; });
    for (std::size_t p = 0; p < task_.phases.size(); ++p) add_phase(p);
    add_frames(
        "", [](auto& task) -> auto& { return task.frames; });
  }
  std::vector<Part> take() && { return std::move(all_); }

 private:
  void add(std::string name, std::function<void(Task&)> drop) {
    all_.push_back({kind_, std::move(name), std::move(drop)});
  }
  /// Limits of the motion and of its phases alike.
  template <class Drop>
  static std::function<void(Task&)> from_limits(Drop drop) {
    return [drop](Task& task) {
      drop(task.limits);
      for (PhaseSpec& phase : task.phases) drop(phase.limits);
    };
  }
  template <class Has>
  bool anywhere(Has has) const {
    const auto in_phase = [&](const PhaseSpec& phase) { return has(phase.limits); };
    return has(task_.limits) || std::any_of(task_.phases.begin(), task_.phases.end(), in_phase);
  }
  void add_limits_of_joints(const JointLimit& limit) {
    ++kind_;
    for (std::size_t i = 0; i < limit.entries(task_.limits); ++i) {
      if (!anywhere([&](const LimitsSpec& l) { return limit.is_set(l, i); })) continue;
      add(limit.kind().name + (" of " + limit.name_of_entry(task_.model, i)),
          from_limits([&limit, i](LimitsSpec& l) { limit.drop(l, i); }));
    }
  }
  static StateSpec unbounded(const Task& task) {
    const std::vector<Interval> any(static_cast<std::size_t>(task.model.nv()));
    return {any, any, any, 0};
  }
  /// Of the lists below, `of` gives that of the motion or of a phase, and `where` says which.
  template <class Of>
  void add_zones(const std::string& where, Of of) {
    ++kind_;
    const std::vector<KeepOutSpec>& zones = of(task_);
    for (std::size_t k = 0; k < zones.size(); ++k) {
      add("keep_out of " + zones[k].obstacle.name + where, [k, of](Task& task) { of(task)[k].parts.clear(); });
    }
  }
  template <class Of>
  void add_via(const std::string& where, Of of) {
    ++kind_;
    const std::vector<ViaSpec>& via = of(task_);
    for (std::size_t k = 0; k < via.size(); ++k) {
      add(part_of_via(via[k]) + where, [k, of](Task& task) { of(task)[k].state = unbounded(task); });
    }
  }
  template <class Of>
  void add_frames(const std::string& where, Of of) {
    ++kind_;
    const std::vector<FrameGoalSpec>& frames = of(task_);
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const FrameGoalSpec& frame = frames[k];
      const auto part = [&](const char* what) { return part_of_frame(task_.model, frame, what) + where; };
      if (!frame.position.empty()) add(part("position"), [k, of](Task& task) { of(task)[k].position.clear(); });
      if (frame.orientation) add(part("orientation"), [k, of](Task& task) { of(task)[k].orientation.reset(); });
      if (frame.axis) add(part("axis"), [k, of](Task& task) { of(task)[k].axis.reset(); });
      if (!frame.velocity.empty()) add(part("velocity"), [k, of](Task& task) { of(task)[k].velocity.clear(); });
    }
  }
  void add_phase(std::size_t p) {
    const std::string where = " in " + task_.phases[p].name;
    add_zones(
        where, [p](auto& task) -> auto& { return task.phases[p].keep_out; });
    add_via(
        where, [p](auto& task) -> auto& { return task.phases[p].via; });
    ++kind_;
    if (p + 1 < task_.phases.size()) {
      add("end of " + task_.phases[p].name, [p](Task& task) { task.phases[p].end = unbounded(task); });
    }
    ++kind_;
    add("duration of " + task_.phases[p].name, [p](Task& task) { task.phases[p].duration = {kAnyTime, {}, {}}; });
    add_frames(
        where, [p](auto& task) -> auto& { return task.phases[p].frames; });
  }

  const Task& task_;
  int kind_ = 0;
  std::vector<Part> all_;
};

/// Drops one part after the other for good where the rest cannot be met without it, either: what remains is a set of
/// which each part is needed for the conflict, (17e). Then it is tried from the other starts; if one of them meets it,
/// the search begins anew from there.
class ConflictSearch {
 public:
  ConflictSearch(const Task& task, const std::vector<Trajectory>& from, const PredictOptions& options)
      : task_(task), options_(options), from_(from), parts_(Parts(task).take()), dropped_(parts_.size(), 0) {
    // Costs that any motion has, and that end somewhere: no other wish shall stand in the way.
    task_.costs = {CostSpec{}, CostSpec{}};
    task_.costs[0].type = &cost_type("smoothness"), task_.costs[1].type = &cost_type("time");
    task_.costs[0].scale.assign(static_cast<std::size_t>(task.model.nv()), 1.0);
    task_.mean_cost = false;
    task_.curve.free_knots = false;
  }

  Search run() {
    if (const auto met = start_that_meets_rest(from_.size())) return {std::nullopt, met_};
    for (std::size_t tries = 0, start = 0; tries < from_.size() && !stopped_; ++tries) {
      dropped_.assign(parts_.size(), 0);
      unclear_ = false;
      nearest_.reset();
      drop_parts(from_[start]);
      const auto other = start_that_meets_rest(start);
      if (!other && !stopped_ && nearest_) return {conflict_of(*nearest_), std::nullopt};
      if (!other) break;
      start = *other;
    }
    return {};
  }

 private:
  enum class Outcome { met, not_met, unclear };
  /// How near a motion comes to the parts that are left.
  struct Near {
    double misfit = 0;
    std::string missed, unit;
    double amount = 0;
  };

  void drop_parts(const Trajectory& motion) {
    int solves = 0;
    for (std::size_t first = 0, last; first < parts_.size(); first = last) {
      last = first + 1;
      while (last < parts_.size() && parts_[last].kind == parts_[first].kind) ++last;
      if (try_without(motion, first, last, solves) || last == first + 1) continue;
      for (std::size_t k = first; k < last; ++k) try_without(motion, k, k + 1, solves);
    }
  }
  bool try_without(const Trajectory& motion, std::size_t first, std::size_t last, int& solves) {
    for (std::size_t k = first; k < last; ++k) dropped_[k] = 1;
    const Outcome outcome = ++solves > kSolves ? Outcome::unclear : solve_rest(motion);
    const bool still = outcome == Outcome::not_met;
    unclear_ = unclear_ || (outcome == Outcome::unclear && last == first + 1);
    for (std::size_t k = first; !still && k < last; ++k) dropped_[k] = 0;
    return still;
  }
  /// The first start, other than one that is known not to, that leads to a motion with all parts that are left.
  std::optional<std::size_t> start_that_meets_rest(std::size_t known) {
    nearest_.reset();
    for (std::size_t k = 0; k < from_.size() && !stopped_; ++k) {
      const Outcome outcome = solve_rest(from_[k]);
      if (outcome == Outcome::met && k != known) return k;
    }
    return std::nullopt;
  }

  /// Solves for the parts that are left. Keeps the motion that comes nearest to them.
  Outcome solve_rest(const Trajectory& motion) {
    if (stopped_ || time_.is_up()) return Outcome::unclear;
    Task rest = task_;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (dropped_[k]) parts_[k].drop(rest);
    }
    const int spans = motion.basis().spans();
    const std::vector<int> phases = task_.phases.empty() ? std::vector<int>(spans, 0) : phase_of_spans(task_);
    const int even = rest.curve.control_points - rest.curve.degree;  // spans; motions may have more
    const int nodes = std::max(rest.curve.nodes, rest.curve.nodes * spans / even);
    const Grid grid{variables_of(rest, motion, phases), even_nodes(motion, phases, nodes), {}};
    Program program = make_program(rest, grid, motion);
    const nlp::Summary summary = nlp::solve(program.problem, solver_options());
    task_.solver.max_seconds -= summary.seconds;
    stopped_ = summary.status == nlp::Status::interrupted || task_.solver.max_seconds <= 0;
    const Trajectory found = program.curve.trajectory(summary.point.x);
    if (summary.constraint_violation < kRowsMet) {
      met_ = found;
      return Outcome::met;
    }
    if (summary.status != nlp::Status::infeasible) return Outcome::unclear;
    put_contact_forces(program.stages, program.contact_forces(std::as_const(summary.point.x)));
    put_frames(program.stages, found.duration());
    keep_nearest(measure(rest, found, program.stages));
    return Outcome::not_met;
  }

  nlp::Options solver_options() const {
    nlp::Options options;
    options.method = task_.solver.method;
    options.solver = task_.solver.own;
    options.exact_hessian = task_.solver.exact_hessian;
    options.max_iterations = std::min(kSolveIterations, task_.solver.max_iterations);
    options.max_seconds = std::max(1e-3, time_.left());
    if (options_.progress) {
      options.progress = [this](const nlp::Iteration& iteration, std::span<const double>) {
        return options_.progress({0, iteration});
      };
    }
    return options;
  }

  void keep_nearest(const Measured& measured) {
    if (measured.findings.empty() || (nearest_ && nearest_->misfit <= measured.misfit())) return;
    const Finding& worst = measured.findings.front();  // not when: the motion that is written is another one
    nearest_ = {measured.misfit(), worst.name, worst.unit, worst.amount()};
  }

  Conflict conflict_of(const Near& near) const {
    Conflict conflict{{}, near.missed, near.unit, near.amount, !unclear_, "", static_cast<int>(from_.size())};
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (!dropped_[k]) conflict.parts.push_back(parts_[k].name);
    }
    return conflict;
  }

  Task task_;
  const TimeAllowed time_{task_.solver.max_seconds};
  const PredictOptions& options_;
  const std::vector<Trajectory>& from_;
  const std::vector<Part> parts_;
  std::vector<char> dropped_;
  std::optional<Near> nearest_;  // of motions with the parts that are left
  std::optional<Trajectory> met_;
  bool stopped_ = false, unclear_ = false;
};

}  // namespace

Search find_conflict(const Task& task, const std::vector<Trajectory>& from, const PredictOptions& options) {
  return ConflictSearch(task, from, options).run();
}

std::string to_string(const Conflict& conflict) {
  const bool one = conflict.parts.size() == 1;
  std::string text = conflict.certain()     ? "cannot be met"
                     : conflict.starts == 1 ? "not met from the one start that was tried"
                                            : fmt::format("not met from each of {} starts", conflict.starts);
  text += one ? ": " : conflict.irreducible ? " together: " : " together, perhaps not even some of them: ";
  for (std::size_t k = 0; k < conflict.parts.size(); ++k) text += (k > 0 ? ", " : "") + conflict.parts[k];
  if (!conflict.missed.empty() && conflict.amount < kInfinity) {
    text += fmt::format("; {}, {} is off by {:.3g} {}", conflict.certain() ? "at best" : "in the nearest motion",
                        conflict.missed, conflict.amount, conflict.unit);
  }
  if (!conflict.reason.empty()) text += ": " + conflict.reason;
  if (!conflict.certain()) {
    text += "; that is no proof: try a `guess`, more `starts` or `control_points`, or more time";
  }
  return text;
}

}  // namespace verne
