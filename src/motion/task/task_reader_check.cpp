#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "io/number.h"
#include "motion/task/task_reader.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/limits/joint_limit.h"

namespace verne {

namespace {

std::string to_text(const Interval& x) {
  if (x.fixed()) return format_number(x.lower);
  return "[" + format_number(x.lower) + ", " + format_number(x.upper) + "]";
}

bool meet(const Interval& a, const Interval& b) {
  return a.lower <= b.upper && b.lower <= a.upper;
}

bool any_bounded(const std::vector<Interval>& intervals) {
  return std::any_of(intervals.begin(), intervals.end(), [](const Interval& x) { return x.bounded(); });
}

class TaskChecker {
 public:
  TaskChecker(const Task& task, const TaskJoints& joints, const YamlMap& top)
      : task_(task), joints_(joints), top_(top) {}

  void check() const {
    const YamlReader reader = top_.reader("subject_to");
    check_state(task_.start, task_.limits, reader.inside("start"));
    check_state(task_.end, task_.limits, reader.inside("end"));
    check_via(task_.via, task_.limits, reader);
    check_phases();
    check_period();
    check_frames_at_rest();
    check_freedom();
    check_degree();
    check_shortest_time();
  }

 private:
  int line_of(const char* key) const {
    const YamlNode* node = top_.find(key);
    return node ? node->line : top_.line();
  }

  void check_via(const std::vector<ViaSpec>& via, const LimitsSpec& limits, const YamlReader& reader) const {
    for (std::size_t i = 0; i < via.size(); ++i) {
      check_state(via[i].state, limits, reader.inside("via").inside(std::to_string(i + 1)));
      for (std::size_t k = 0; k < i; ++k) {
        if (via[k].at == via[i].at) check_same_time(via[k].state, via[i].state, reader.inside("via"));
      }
    }
  }

  void check_same_time(const StateSpec& one, const StateSpec& other, const YamlReader& reader) const {
    const auto check = [&](const char* what, const std::vector<Interval>& a, const std::vector<Interval>& b) {
      for (std::size_t i = 0; i < joints_.count(); ++i) {
        if (meet(a[i], b[i])) continue;
        reader.error(other.line, std::string(what) + " of " + in_quotes(joints_.name(i)) + " is " + to_text(b[i]) +
                                     " here and " + to_text(a[i]) + " in line " + std::to_string(one.line) +
                                     ", at the same time");
      }
    };
    check("position", one.position, other.position);
    check("velocity", one.velocity, other.velocity);
    check("acceleration", one.acceleration, other.acceleration);
  }

  void check_phases() const {
    if (task_.phases.empty()) return;
    const YamlReader reader = top_.reader("phases");
    for (std::size_t k = 0; k < task_.phases.size(); ++k) {
      const PhaseSpec& phase = task_.phases[k];
      check_state(phase.end, phase.limits, reader.inside(std::to_string(k + 1)).inside("end"));
      check_via(phase.via, phase.limits, reader.inside(std::to_string(k + 1)));
    }
    check_phase_durations(reader);
    if (task_.curve.free_knots) {
      top_.reader("trajectory").inside("knots").error(line_of("trajectory"), "phases keep their knots in proportion");
    }
    for (const ViaSpec& via : task_.via) {
      top_.reader("subject_to").inside("via").error(via.state.line, "which phase is meant? Move it there");
    }
    for (const FrameGoalSpec& frame : task_.frames) {
      if (frame.when.path || frame.when.at == 0 || frame.when.at == 1) continue;
      top_.reader("subject_to").inside("frames").error(frame.line, "at: which phase is meant? Move it there");
    }
  }

  /// Phases one after the other fill the motion, no more and no less.
  void check_phase_durations(const YamlReader& reader) const {
    Interval together{0, 0};
    for (const PhaseSpec& phase : task_.phases) {
      together.lower += phase.duration.bounds.lower, together.upper += phase.duration.bounds.upper;
    }
    check_parts(reader);
    const Interval& whole = task_.duration.bounds;
    const double slack = 1e-12 * whole.lower;  // rounding of the sum
    if (meet({together.lower - slack, together.upper + slack}, whole)) return;
    const bool overlap = together.lower > whole.upper;
    reader.error(line_of("phases"), std::string(overlap ? "the phases overlap: they take at least "
                                                        : "the phases leave a gap: they take at most ") +
                                        format_number(overlap ? together.lower : together.upper) +
                                        " s together, and the motion " + to_text(whole) + " s");
  }

  /// The same for those of a motion whose duration is free.
  void check_parts(const YamlReader& reader) const {
    Interval together{0, 0};
    for (const PhaseSpec& phase : task_.phases) {
      const Interval part = phase.duration.part.value_or(Interval{0, 1});
      together.lower += part.lower, together.upper += part.upper;
    }
    constexpr double kRounding = 1e-12;
    if (meet({together.lower - kRounding, together.upper + kRounding}, {1, 1})) return;
    reader.error(line_of("phases"), "the parts of the phases make " + to_text(together) + " of the motion, not 1");
  }

  void check_state(const StateSpec& state, const LimitsSpec& limits, const YamlReader& reader) const {
    check_values(state, state.position, limits.position, reader.inside("position"));
    check_values(state, state.velocity, limits.velocity, reader.inside("velocity"));
    check_values(state, state.acceleration, limits.acceleration, reader.inside("acceleration"));
  }

  void check_values(const StateSpec& state, const std::vector<Interval>& values, const std::vector<Interval>& limits,
                    const YamlReader& reader) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (meet(values[i], limits[i])) continue;
      reader.error(state.line, in_quotes(joints_.name(i)) + " is " + to_text(values[i]) + ", outside of its limits " +
                                   to_text(limits[i]));
    }
  }

  /// The difference between the ends must be one that the end states allow.
  void check_period() const {
    if (!task_.periodic) return;
    const YamlReader reader = top_.reader("subject_to").inside("periodic");
    for (std::size_t k = 0; k < task_.periodic->dofs.size(); ++k) {
      const auto i = static_cast<std::size_t>(task_.periodic->dofs[k]);
      if (task_.periodic->partner[k] != task_.periodic->dofs[k] || task_.periodic->sign[k] != 1) continue;
      if (task_.periodic->speed[k] != 0) continue;
      const auto check = [&](const Interval& start, const Interval& end, double difference, const char* what) {
        constexpr double kRounding = 1e-12;
        const double slack = kRounding * (1 + std::abs(difference));
        const Interval change{end.lower - start.upper, end.upper - start.lower};
        if (meet(change, {difference - slack, difference + slack})) return;
        reader.error(task_.end.line, std::string(what) + " of " + in_quotes(joints_.name(i)) + " goes from " +
                                         to_text(start) + " to " + to_text(end) + ", but must change by " +
                                         format_number(difference));
      };
      check(task_.start.position[i], task_.end.position[i], task_.periodic->difference[k], "position");
      check(task_.start.velocity[i], task_.end.velocity[i], 0, "velocity");
      check(task_.start.acceleration[i], task_.end.acceleration[i], 0, "acceleration");
    }
  }

  /// Where all joints are at rest, as they are at both ends unless told otherwise, so is every frame.
  void check_frames_at_rest() const {
    const auto rests = [](const StateSpec& state) {
      return std::all_of(state.velocity.begin(), state.velocity.end(),
                         [](const Interval& v) { return v.fixed() && v.lower == 0; });
    };
    for (std::size_t i = 0; i < task_.frames.size(); ++i) {
      const FrameGoalSpec& frame = task_.frames[i];
      for (const auto& [state, at, name] :
           {std::tuple(&task_.start, 0.0, "start"), std::tuple(&task_.end, 1.0, "end")}) {
        if (!rests(*state) || (!frame.when.path && frame.when.at != at)) continue;
        if (std::all_of(frame.velocity.begin(), frame.velocity.end(), [](const Interval& v) {
              return meet(v, {0, 0});
            }))
          continue;
        top_.reader("subject_to")
            .inside("frames")
            .inside(std::to_string(i + 1))
            .inside("velocity")
            .error(frame.line, std::string("the motion is at rest at its ") + name +
                                   ": give joints a velocity there, as in `" + name + ": {velocity: free}`");
      }
    }
  }

  /// No joint can meet more conditions than it has control points.
  void check_freedom() const {
    for (std::size_t i = 0; i < joints_.count(); ++i) {
      int conditions = 0;
      const auto count = [&](const StateSpec& state) {
        conditions += state.position[i].fixed() + state.velocity[i].fixed() + state.acceleration[i].fixed();
      };
      count(task_.start);
      count(task_.end);
      for (const ViaSpec& via : task_.via) count(via.state);
      for (const PhaseSpec& phase : task_.phases) {
        count(phase.end);
        for (const ViaSpec& via : phase.via) count(via.state);
      }
      if (conditions <= control_points()) continue;
      top_.reader("trajectory")
          .error(line_of("trajectory"), std::to_string(conditions) + " values of " + in_quotes(joints_.name(i)) +
                                            " are fixed at the start, the end and via points, more than its " +
                                            std::to_string(control_points()) + " control points");
    }
  }

  /// At least; phases may ask for more than `trajectory` does.
  int control_points() const {
    int spans = 0;
    for (const PhaseSpec& phase : task_.phases) spans += std::max(phase.spans, 1);
    return std::max(task_.curve.control_points, spans + task_.curve.degree);
  }

  /// The limits of the motion and of its phases.
  std::vector<const LimitsSpec*> all_limits() const {
    std::vector<const LimitsSpec*> all{&task_.limits};
    for (const PhaseSpec& phase : task_.phases) all.push_back(&phase.limits);
    return all;
  }

  void check_degree() const {
    std::set<Needs> needs;
    for (const CostSpec& cost : task_.costs) needs.insert(type_of(cost).needs(cost));
    for (const LimitsSpec* limits : all_limits()) {
      for (const JointLimit* limit : joint_limits()) {
        if (limit->is_set_anywhere(*limits)) needs.insert(limit->needs());
      }
    }
    const bool forces = needs.contains(Needs::efforts), jerk = needs.contains(Needs::jerk);
    const bool acceleration = needs.contains(Needs::acceleration) || any_bounded(task_.start.acceleration) ||
                              any_bounded(task_.end.acceleration);
    if (task_.curve.degree < 3 && forces) {
      need_degree(3, "limits or costs of efforts and joint forces need an acceleration that does not jump");
    } else if (task_.curve.degree < 3 && jerk) {
      need_degree(3, "limits or costs of jerk need one that is not zero everywhere");
    } else if (task_.curve.degree < 2 && acceleration) {
      need_degree(2, "limits or costs of acceleration need one that is not zero everywhere");
    }
  }

  void need_degree(int degree, const std::string& why) const {
    top_.reader("trajectory")
        .inside("degree")
        .error(line_of("trajectory"), "expected at least " + std::to_string(degree) + ", found " +
                                          std::to_string(task_.curve.degree) + ": " + why);
  }

  bool costs_acceleration(std::size_t dof) const {
    return std::any_of(task_.costs.begin(), task_.costs.end(), [&](const CostSpec& cost) {
      return type_of(cost).bounds_haste && cost.weight > 0 && cost.scale[dof] > 0;
    });
  }

  /// Minimum time needs something that bounds the acceleration of every joint that can be driven.
  void check_shortest_time() const {
    const bool hurries = has_cost(task_, is_time);
    const auto given = [](const PhaseSpec& phase) { return phase.duration.bounds.fixed(); };
    const bool phases_given = !task_.phases.empty() && std::all_of(task_.phases.begin(), task_.phases.end(), given);
    if (!hurries || task_.duration.bounds.fixed() || phases_given) return;
    std::string unlimited;
    for (std::size_t i = 0; i < joints_.count(); ++i) {
      const auto holds_back = [&](const LimitsSpec& limits) {
        return std::any_of(joint_limits().begin(), joint_limits().end(),
                           [&](const JointLimit* limit) { return limit->bounds_haste(limits, i); });
      };
      const bool in_phases =
          !task_.phases.empty() && std::all_of(task_.phases.begin(), task_.phases.end(),
                                               [&](const PhaseSpec& p) { return holds_back(p.limits); });
      if (!joints_.actuated(i) || costs_acceleration(i) ||
          (task_.phases.empty() ? holds_back(task_.limits) : in_phases)) {
        continue;
      }
      unlimited += (unlimited.empty() ? "" : ", ") + in_quotes(joints_.name(i));
    }
    if (unlimited.empty()) return;
    top_.reader("minimize")
        .error(line_of("minimize"), "time has no minimum while nothing bounds how hard joints are driven: give " +
                                        unlimited + " a limit of effort, acceleration or jerk");
  }

  const Task& task_;
  const TaskJoints& joints_;
  const YamlMap& top_;
};

}  // namespace

void check_task(const Task& task, const TaskJoints& joints, const YamlMap& top) {
  TaskChecker(task, joints, top).check();
}

}  // namespace verne
